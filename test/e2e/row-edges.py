# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Clamped neighbours and comparisons with the edges of a row, whose middle is a loop of its own at -O2 (spl-split-edges):
the results are those of -O0, for narrow rows, for offsets and bounds far outside, and for groups that end anywhere."""
import itertools
import pathlib
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]
MOST = 2**63 - 1

# Each body has x of the row of `width` elements, an offset d, and arrays a and out.
BODIES = {
    "clamped": "out[x] = a[math.max(x - 1, 0)] * 0.5 + a[math.min(x + 1, width - 1)] - a[x]",
    "far": "out[x] = a[math.min(math.max(x - 7, 0), width - 1)] + a[math.max(math.min(x + 9, width - 1), 0)]",
    "clamp": "out[x] = a[math.clamp(x - 3, 0, width - 1)] * 2.0 - a[math.clamp(x + d, 0, width - 1)]",
    "nested": "out[x] = a[math.min(math.max(x - 2, 0), width - 1)] + a[math.max(math.min(x + 2, width - 1), 0)]",
    "window": """var sum = 0.0
        for k in 0..5:
            sum = sum * 0.5 + a[math.clamp(x + k - 2, 0, width - 1)] - a[math.max(math.min(x - k, width - 1), 0)]
        out[x] = sum""",
    "window_back": """var sum = 0.0
        for k in -3..=1:
            if x - k >= 2 and x - k < width:
                sum += a[x - k]
            else:
                sum *= 0.25
        out[x] = sum""",
    "first": "out[x] = a[0 if x == 0 else x - 1] + (1.0 if x != 0 else 2.0)",
    "inside": """if x > 0 and x < width - 1:
            out[x] = a[x - 1] + a[x + 1]
        else:
            out[x] = -1.0""",
    "branches": """var sum = a[x]
        if x > 0: sum += a[x - 1]
        if x + 1 < width: sum += a[x + 1]
        if not (x >= 2): sum *= 3.0
        out[x] = sum""",
    "loop": """var sum = 0.0
        for k in 0..11:
            sum = sum * 0.5 + a[math.max(x - 2, 0)] + a[math.min(x + 3, width - 1)] * (k as f32)
        out[x] = sum""",
    "offset": """if x + d < width and x + d >= 0:
            out[x] = a[x + d]
        else:
            out[x] = 5.0""",
    "difference": "out[x] = a[math.max(math.min(x - d, width - 1), 0)]",
    "bound": "out[x] = 1.0 if x < d else (2.0 if x == d else 3.0)",
    "end": "out[x] = a[x] if d - 2 >= x else a[width - 1 - x]",
    "store_at_edge": """out[x] = a[x]
        if x == width - 1: out[x] += 1.0
        if x <= 1: out[x] -= 1.0""",
}


def source():
    text = ""
    for name, body in BODIES.items():
        text += (f"#[gpu]\nfn {name}(width: i64, d: i64, a: &[f32], out: &mut [f32]):\n    val x = gpu.global_id()\n"
                 f"    if x < width:\n        {body}\n")
    return text


def launch(kernel, width, d, local, level, saved):
    rounded = -(-width // local) * local
    line = [SIMPLE, "run", str(FOLDER / "edges.spl"), "--backend", "cpu", "--kernel", kernel, *level, "--global",
            str(rounded), "--local", str(local), "--arg", f"width={width}", "--arg", f"d={d}", "--arg",
            f"a=f32[{width}]=random:3", "--arg", f"out=f32[{width}]=9", "--save", f"out={saved}"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(line)}\n{done.stderr}"
    return saved.read_bytes()


FOLDER.mkdir(parents=True, exist_ok=True)
(FOLDER / "edges.spl").write_text(source(), encoding="utf-8")
for name in BODIES:
    offsets = [0, 3, -2, MOST, -MOST - 1, 2**60 + 5] if " d" in BODIES[name] else [0]
    for d, (width, local) in itertools.product(offsets, [(1, 64), (2, 2), (3, 64), (130, 50), (257, 256)]):
        expected = launch(name, width, d, local, ["-O0"], FOLDER / "expected.npy")
        for level in (["-O2"], ["-O3", "--check", "none"]):
            found = launch(name, width, d, local, level, FOLDER / "found.npy")
            assert found == expected, f"{name}, width {width}, d = {d}, groups of {local}, {level}"
