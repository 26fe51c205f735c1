# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each kernel of the examples and of the programs has a twin in CUDA C++. twins-run.py and programs/twins.py compile and
run the twins."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "bench"))
import gpu_code  # noqa: E402

ENTRY = re.compile(r"^\.visible \.entry ([\w$]+)\(", re.MULTILINE)
TWIN = re.compile(r'extern "C" __global__ void\s+(?:__launch_bounds__\([^)]*\)\s+)?(\w+)\(')


def entries(source):
    simple = subprocess.run(["which", "simple"], capture_output=True, text=True, check=True).stdout.strip()
    build = pathlib.Path(simple).parent.parent
    return {name for text in gpu_code.ptx_of_source(build, source, "sm_90", ["--check=none", "--no-contracts"])
            for name in ENTRY.findall(text)}


def twins(text):
    return set(TWIN.findall(text))


HEADS = 'extern "C" __global__ void __launch_bounds__(A *A)\n    a(int n) {}\nextern "C" __global__ void b('
assert twins(HEADS) == {"a", "b"}
assert gpu_code.EXAMPLES and gpu_code.PROGRAMS
for source in gpu_code.EXAMPLES + gpu_code.PROGRAMS:
    twin = gpu_code.twin_of(source)
    found = twins(twin.read_text(encoding="utf-8")) if twin.exists() else set()
    assert found == entries(source), f"{twin} has {sorted(found)}, {source} has {sorted(entries(source))}"
