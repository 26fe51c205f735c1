# RUN: %python %s %src_root %ptxas
# REQUIRES: ptxas
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares each row of NvptxArchs.def with ptxas: the first PTX version that supports the architecture, and the
maximum numbers of work-items and groups on a multiprocessor.

Architectures that this ptxas does not know are printed and skipped. It must know most of them.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROW = re.compile(r'^NVPTX_ARCH\("(sm_\w+)", (\d+), (\d+), (\d+)\)$', re.MULTILINE)

# The PTX versions from 6.2 on, times ten.
VERSIONS = [*range(62, 66), *range(70, 79), *range(80, 89), *range(90, 100)]

# NVIDIA's reference and LLVM give 9.0 as its first version. ptxas accepts it from 7.3 on.
LENIENT = {"sm_88"}


def assemble(arch, version, size=32, groups=1):
    """Runs ptxas on a kernel that requires room for that many groups of that size on a multiprocessor."""
    text = f""".version {version // 10}.{version % 10}
.target {arch}
.address_size 64
.visible .entry k()
.maxntid {size}
.minnctapersm {groups}
{{
  ret;
}}
"""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        return subprocess.run([sys.argv[2], "-arch", arch, file.name, "-o", "/dev/null"],
                              capture_output=True, text=True, check=False)


def has_room(arch, version, size, groups):
    done = assemble(arch, version, size, groups)
    assert done.returncode == 0, (arch, done.stderr)
    assert "ignored" in done.stderr or done.stderr == "", done.stderr
    return done.stderr == ""


path = Path(sys.argv[1]) / "codegen/targets/nvptx/Archs.def"
rows = [(name, *map(int, numbers)) for name, *numbers in ROW.findall(path.read_text())]
assert len(rows) == path.read_text().count("\nNVPTX_ARCH("), "a row has a form of its own"
unknown = [name for name, ptx, *_ in rows
           if "is not defined for option 'gpu-name'" in assemble(name, ptx).stderr]
print("unknown to this ptxas:", unknown)
assert len(unknown) < len(rows) / 2, unknown

for name, ptx, threads, groups in rows:
    if name in unknown:
        continue
    older = max(version for version in VERSIONS if version < ptx)
    assert name in LENIENT or assemble(name, older).returncode != 0, f"{name}: PTX {older} knows it"
    # The maximum number of work-items is a multiple of 512 in every row, so groups of 512 reach it.
    assert threads % 512 == 0 and has_room(name, ptx, 512, threads // 512), f"{name}: threads"
    assert not has_room(name, ptx, 512, threads // 512 + 1), f"{name}: more than {threads} threads"
    assert has_room(name, ptx, 32, groups), f"{name}: groups"
    assert not has_room(name, ptx, 32, groups + 1), f"{name}: more than {groups} groups"
