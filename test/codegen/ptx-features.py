# RUN: %python %s %src_root %ptxas
# REQUIRES: ptxas
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares each row of PtxFeatures.def with ptxas: the named version and architecture support the feature, and
the previous ones do not."""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# A use of each feature, and the last architecture that ptxas knows and that is too old for it.
USES = {
    "redux.sync": "redux.sync.add.s32 %r0, %r1, 0xffffffff;",
    "tanh.approx": "tanh.approx.f32 %f0, %f1;",
    "L1 eviction priorities": "ld.global.L1::evict_last.u32 %r0, [%rd0];",
    "atomics on bf16x2": "atom.add.noftz.bf16x2 %r0, [%rd0], %r1;",
}
ARCHS = [75, 80, 86, 87, 89, 90]
VERSIONS = [63, 64, 65, 70, 71, 72, 73, 74, 75, 76, 77, 78]
ROW = re.compile(r'^PTX_FEATURE\("([^"]*)", "[^"]*", (\d+), (\d+),', re.MULTILINE)


def assembles(instruction, version, arch):
    text = f""".version {version // 10}.{version % 10}
.target sm_{arch}
.address_size 64
.visible .entry k() {{
  .reg .b32 %r<2>; .reg .f32 %f<2>; .reg .b64 %rd<1>;
  {instruction}
  ret;
}}
"""
    with tempfile.NamedTemporaryFile("w", suffix=".ptx") as file:
        file.write(text)
        file.flush()
        command = [sys.argv[2], "-arch", "sm_90", file.name, "-o", "/dev/null"]
        if arch <= 75:
            command[2] = "sm_75"
        return subprocess.run(command, capture_output=True, check=False).returncode == 0


rows = ROW.findall((Path(sys.argv[1]) / "codegen/targets/nvptx/PtxFeatures.def").read_text())
assert {name for name, _, _ in rows} == set(USES), "each row needs a use here"
assert not assembles("nonsense;", 78, 90)
for name, ptx, sm in rows:
    ptx, sm = int(ptx), max(int(sm), ARCHS[0])
    known = {75: 63, 80: 70, 86: 71, 87: 74, 89: 78, 90: 78}[sm]
    assert assembles(USES[name], max(ptx, known), sm), f"{name}: PTX {ptx} for sm_{sm} has it"
    for before in [version for version in VERSIONS if known <= version < ptx]:
        assert not assembles(USES[name], before, sm), f"{name}: PTX {before} has it already"
    for older in [arch for arch in ARCHS if arch < sm]:
        assert not assembles(USES[name], 78, older), f"{name}: sm_{older} has it already"
