# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bitcasts between bf16 and every type of the same size compile, at each level, also where they are compared with zero
(LLVM's combinations of them are worked around in codegen/targets/nvptx/LlvmWorkarounds.cpp).
"""
import subprocess
import sys
import tempfile

BITS = {"i8": 8, "u8": 8, "i16": 16, "u16": 16, "f16": 16, "bf16": 16, "i32": 32, "u32": 32, "f32": 32, "i64": 64, "u64": 64,
        "f64": 64}
source = ""
for lanes in (1, 2, 4, 8):
    bfloat = "bf16" if lanes == 1 else f"bf16x{lanes}"
    for element, bits in BITS.items():
        count = 16 * lanes // bits
        if count * bits != 16 * lanes or count not in (1, 2, 4, 8, 16) or element == "bf16":
            continue
        other = element if count == 1 else f"{element}x{count}"
        for name, source_type, target in ((f"to_{other}", bfloat, other), (f"from_{other}", other, bfloat)):
            source += (f"#[gpu]\nfn {name}(a: &[{source_type}], b: &mut [{target}]):\n    val i = gpu.global_id()\n"
                       f"    if i < b.len():\n        b[i] = math.bitcast[{target}](a[i])\n")
        if count == 1 and lanes == 1:
            source += (f"#[gpu]\nfn zero_{other}(a: &[{bfloat}], b: &mut [bool], n: u16):\n"
                       f"    b[0] = math.bitcast[{other}](a[0]) == {'0.0' if element == 'f16' else '0'}\n"
                       f"    b[1] = math.bitcast[{other}](n as bf16) == {'0.0' if element == 'f16' else '0'}\n")
with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
    file.write(source)
    file.flush()
    for target in ("sm_75", "sm_90"):
        for level in ("-O0", "-O2"):
            result = subprocess.run(["simple", "compile", file.name, "--target", target, level, "-o", "/dev/null"],
                                    capture_output=True, text=True, check=False)
            if result.returncode:
                sys.exit(f"{target} {level}:\n{result.stderr[:3000]}\n{source[:500]}")
