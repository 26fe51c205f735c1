# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small programs that expand to unlimited code compile within a time limit, or are rejected by a named error.

The limits are many times the usual values. Without a bound these programs take minutes, hours or all memory.
"""
import subprocess
import tempfile

KERNEL = "#[gpu]\nfn k(x: &[f32], out: &mut [f32]):\n    val i = gpu.global_id()\n"


def compiled(source, target):
    with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
        file.write(source)
        file.flush()
        done = subprocess.run(["simple", "compile", file.name, "--target", target, "-o", "/dev/null"],
                              capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode in (0, 1), (done.returncode, done.stderr)
    return done.stderr


def chain(count, innermost, attribute=""):
    """Functions that each call the previous one three times."""
    text = f"{attribute}fn g1(x: f32) -> f32:\n    return {innermost} * 1.5\n"
    for i in range(2, count + 1):
        calls = " + ".join(f"g{i - 1}(x * {k}.0)" for k in (1, 2, 3))
        text += f"{attribute}fn g{i}(x: f32) -> f32: return {calls}\n"
    return text + KERNEL + f"    out[i] = g{count}(x[i])\n"


def pairs(count, first, other, one, two, use):
    """Two values. Each pair is computed from the previous pair."""
    text = KERNEL.replace("out: &mut [f32]", "out: &mut [f32], n: i64, m: i64")
    text += f"    val c0 = {first}\n    val d0 = {other}\n"
    for k in range(count):
        text += f"    val c{k + 1} = {one.format(f'c{k}', f'd{k}')}\n    val d{k + 1} = {two.format(f'c{k}', f'd{k}')}\n"
    return text + "    " + use.format(f"c{count}", f"d{count}") + "\n"


for target in ("sm_75", "cpu"):
    assert compiled(chain(14, "x"), target) == ""
    assert compiled(chain(13, "x", "#[inline]\n"), target) == ""

    # If functions must be inlined, the error names the place that exceeds the limit and the calls
    # that lead to it.
    errors = compiled(chain(20, "gpu.warp_sum(x)"), target)
    assert "'g" in errors and "must be inlined" in errors and "[inline-too-large]" in errors, errors
    assert "call chain: k -> g20 -> g19 -> " in errors, errors

    # Functions that must be inlined are inlined up to a limit that all later phases can handle.
    assert compiled(chain(6, "gpu.shuffle_xor(x, 1)"), target) == ""

    # Conditions and sums that each use the two previous ones. The number of paths is exponential.
    assert compiled(pairs(60, "i < n", "i < m", "{0} and {1}", "{1} and {0}", "if {0} and {1}: out[i] = x[i]"), target) == ""
    assert compiled(pairs(60, "i", "i + n", "{0} + {1}", "{1} - {0} if {0} < {1} else {0}", "out[i] = x[{0}] + x[{1}]"), target) == ""
