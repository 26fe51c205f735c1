# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops whose rounds run one after the other for all work-items at -O2 (spl-interchange-rounds, spl-interchange-strides):
the results are those of -O0, for ranges that end before, in and after a round, and for offsets far outside."""
import itertools
import pathlib
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]
MOST = 2**63 - 1

# Each body has the index i of this round, an offset d, and the arrays a, b, out and more of n elements.
BODIES = {
    "update": "out[i] += a[i] * 2.0",
    "two": """out[i] = a[i] + b[0]
            more[i] = b[i] - out[i]""",
    "some": """if a[i] > 0.5:
                out[i] = b[i]
            elif i % 3 == 1:
                more[i] = a[i]""",
    "chosen": "out[i] = a[i] if a[i] > b[i] else b[i] * 3.0",
    "neighbours": "out[i] = a[math.max(i - 1, 0)] + a[math.min(i + 1, n - 1)]",
    "moved": """if 0 <= i + d < n:
                out[i] = a[i + d]""",
    "same": "out[i] = a[n - 1] * (i as f32) + b[i]",
}
# How many rounds there are is a number in the text, a size, or differs between work-items.
LOOPS = {
    "fixed": "for k in 0..3:\n        val i = first + me + k * 64\n        if i < n:",
    "sized": "for k in 0..n / 100:\n        val i = first + me + k * gpu.local_size()\n        if i < n and k < 3:",
    "grid": "for i in gpu.grid_stride(n):\n        if true:",
    "later": "for i in gpu.global_id() + 3..n step gpu.global_size():\n        if i != 5:",
    "twice": "for i in gpu.global_id()..n step 2 * gpu.global_size():\n        if true:",
}


def source():
    for (name, body), (loop, head) in itertools.product(BODIES.items(), LOOPS.items()):
        yield (f"#[gpu(block: [64])]\nfn {name}_{loop}(d: i64, a: &[f32], b: &[f32], out: &mut [f32], more: &mut [f32]):\n"
               "    val n = out.len()\n    val me = gpu.local_id()\n    val first = gpu.group_id() * 192\n"
               f"    if more.len() != n or first + me < 0 or d == 9:\n        return\n    {head}\n            {body}\n")


def launch(kernel, n, groups, d, level):
    line = [SIMPLE, "run", str(FOLDER / "rounds.spl"), "--backend", "cpu", "--kernel", kernel, *level, "--global",
            str(groups * 64), "--arg", f"d={d}", "--arg", f"a=f32[{n}]=random:3", "--arg", f"b=f32[{n}]=random:4",
            "--arg", f"out=f32[{n}]=9", "--arg", f"more=f32[{n}]=7", "--save", f"out={FOLDER / 'out.npy'}", "--save",
            f"more={FOLDER / 'more.npy'}"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(line)}\n{done.stderr}"
    return (FOLDER / "out.npy").read_bytes(), (FOLDER / "more.npy").read_bytes()


FOLDER.mkdir(parents=True, exist_ok=True)
(FOLDER / "rounds.spl").write_text("\n".join(source()), encoding="utf-8")
for name, loop in itertools.product(BODIES, LOOPS):
    kernel = f"{name}_{loop}"
    offsets = [0, -5, MOST, -MOST - 1] if name == "moved" else [0]
    for d, (n, groups) in itertools.product(offsets, [(1, 1), (191, 1), (500, 3), (700, 2)]):
        expected = launch(kernel, n, groups, d, ["-O0"])
        for level in (["-O2"], ["-O3", "--check", "none"]):
            found = launch(kernel, n, groups, d, level)
            assert found == expected, f"{kernel}, {n} elements, {groups} groups, d = {d}, {level}"
