# RUN: %python %s %src_root
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""On the CPU each float function of the table is vectorised: the loop over the work-items contains vector
instructions, and if it calls functions, some are vector functions. (The remainder of a loop calls scalar ones.)
The exception is `%`, which calls libm for each work-item, because SLEEF's function is not exact.
"""
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROW = re.compile(r'^INTRINSIC\(\w+,\s*"(math\.[\w.]+)",\s*"\(([FN](?:, [FN])*)\) -> [FN]"', re.MULTILINE)
BODY = re.compile(r"^spl\.body\.(\w+):$(.*?)^\.Lfunc_end", re.MULTILINE | re.DOTALL)
WIDE = {"haswell": "%ymm", "skylake-avx512": "%zmm"}


def kernel(name, value, kind):
    return (f"#[gpu]\nfn {name}_{kind}(a: &[{kind}], out: &mut [{kind}]):\n    val i = gpu.global_id()\n"
            f"    if i < out.len():\n        out[i] = {value}\n")


def bodies(source, cpu):
    """The loops over the work-items, by the name of the kernel."""
    with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
        file.write(source)
        file.flush()
        command = ["simple", "compile", file.name, "--target", f"cpu:{cpu}", "--emit", "asm", "-o", "-"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    return dict(BODY.findall(done.stdout))


def is_vectorised(body, register):
    calls = re.findall(r"callq\s+(?:spl\.)?(Sleef_\w+|fmodf?)", body)
    return register in body and (not calls or any(re.search(r"[fd](4|8|16)_", call) for call in calls))


table = (Path(sys.argv[1]) / "intrinsics/Intrinsics.def").read_text(encoding="utf-8")
functions = {name: f"{name}({', '.join(f'a[i + {k}]' for k in range(len(operands.split(', '))))})"
             for name, operands in ROW.findall(table)}
assert len(functions) > 60, functions
source = "".join(kernel(name.replace(".", "_"), value, kind)
                 for name, value in functions.items() for kind in ["f32", "f64"])
source += kernel("remainder", "a[i] % a[i + 1]", "f32")
for cpu, register in WIDE.items():
    found = bodies(source, cpu)
    assert len(found) == 2 * len(functions) + 1, sorted(found)
    scalar = [name for name, body in found.items() if not is_vectorised(body, register)]
    assert scalar == ["remainder_f32"], (cpu, scalar)
