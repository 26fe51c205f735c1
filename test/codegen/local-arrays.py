# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A local array of up to 64 elements stays in registers where only loops of constant length index it, forwards,
backwards, in steps, in loops in loops and in parts of structs, with checks and without. What is indexed by a number
that is known only at run time stays in memory, and so do longer arrays."""
import re
import subprocess
import tempfile

FILL = "for k in 0..N: x[k] = a[(i + k) % a.len()]"
SHAPES = {
    "forwards": ("[f32; N]", "[0.0; N]", f"{FILL}; for k in 0..N: s = s * 0.5 + x[k]"),
    "backwards": ("[f32; N]", "[0.0; N]", f"{FILL}; for k in (0..N).reversed(): s = s * 0.5 + x[k]"),
    "down": ("[f32; N]", "[0.0; N]", f"{FILL}; for k in N - 1..=0 step -1: s = s * 0.5 + x[k]"),
    "steps": ("[f32; N]", "[0.0; N]", f"{FILL}; for k in 1..N step 2: s = s * 0.5 + x[k - 1] - x[k]"),
    "small": ("[f32; N]", "[0.0; N]", f"{FILL}; for k in 0u8..N as u8: s = s * 0.5 + x[k]"),
    "exits": ("[f32; N]", "[0.0; N]", f"{FILL}; for k in 0..N:/    if x[k] < s: break/    s += x[k]"),
    "nested": ("[f32; N]", "[0.0; N]", f"{FILL}; for r in 0..4:/    for k in r..N: s = s * 0.5 + x[k] * x[r]"),
    "rows": ("[[f32; 2]; N]", "[[0.0; 2]; N]",
             "for k in 0..N:/    for j in 0..2: x[k][j] = a[(i + k * 2 + j) % a.len()]; "
             "for k in 0..N: s = s * 0.5 + x[k][1] - x[k][0]"),
    "field": ("S", "S(0.0, [0.0; N])",
              "for k in 0..N: x.f[k] = a[(i + k) % a.len()]; for k in 0..N: s = s * 0.5 + x.f[k]"),
}


def local_accesses(length, shape, *options):
    kind, start, statements = SHAPES[shape]
    lines = [line for statement in statements.split("; ") for line in statement.split("/")]
    text = (f"const N: i64 = {length}\nstruct S:\n    b: f32\n    f: [f32; N]\n#[gpu]\n"
            "fn k(a: &[f32], out: &mut [f32], n: i64):\n    val i = gpu.global_id()\n    if i >= out.len(): return\n"
            f"    var x: {kind} = {start}\n    var s = 0.0\n" + "".join(f"    {line}\n" for line in lines) +
            "    out[i] = s\n")
    with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
        file.write(text)
        file.flush()
        done = subprocess.run(["simple", "compile", file.name, "--target", "sm_80", *options, "-o", "-"], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert done.returncode == 0, text + done.stdout
    return len(re.findall(r"(?:ld|st)\.local", done.stdout))


SHAPES["at run time"] = ("[f32; N]", "[0.0; N]", f"{FILL}; s = x[math.clamp(n, 0, N - 1)]")

for shape in SHAPES:
    for options in ((), ("--check=none",)):
        for length in (2, 12, 19, 64):
            found = local_accesses(length, shape, *options)
            assert (found != 0) == (shape == "at run time" and length > 2), (shape, length, options, found)
        assert local_accesses(65, shape, *options), (shape, options)
