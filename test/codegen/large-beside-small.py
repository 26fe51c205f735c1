# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A function that is too large for full optimisation does not slow down other kernels of the same file."""
import re
import subprocess
import tempfile

SMALL = """
#[gpu]
fn small(x: &[f32], y: &mut [f32]):
    val i = gpu.global_id()
    if i < x.len() and i < y.len():
        y[i] = 2.0 * x[i]
"""
LARGE = """
#[gpu]
fn large(x: &[f32], y: &mut [f32]):
    for i in 0..1024 unroll:
        y[i + 1] = 2.0 * x[i] + y[i]
"""


def small_of(source):
    """The code of the kernel `small`."""
    with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
        file.write(source)
        file.flush()
        done = subprocess.run(["simple", "compile", file.name, "--check", "none"], text=True,
                              capture_output=True, check=True)
    body = re.search(r"\.entry small\(.*?\n\{(.*?)\n\}", done.stdout, re.DOTALL).group(1)
    return re.sub(r"\$L__BB\d+_", "$L__BB_", body), done.stdout


alone, _ = small_of(SMALL)
beside, whole = small_of(SMALL + LARGE)
assert "ld.global.nc" in alone, alone
assert alone == beside, beside
large = whole[whole.index(".entry large("):]
assert "ld.global.nc" not in large, "the large kernel is optimised after all: this test needs a larger one"
