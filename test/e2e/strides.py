# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that stride over a group of fixed size, which spl-flatten-strides runs as one loop at -O2, and round by round at
-O0: the results and the faults are the same. Most load a tile with its halo into shared memory."""
import pathlib
import re
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]
FLAT = "gpu.local_id(0) + gpu.local_size(0) * (gpu.local_id(1) + gpu.local_size(1) * gpu.local_id(2))"
# The body of each loop, whose variable is k. n is 100, m is 7.
BODIES = {
    "plain": "tile[k] = x[base + k] * 2.0",
    "rows": "grid[k / 18, k % 18] = x[math.clamp(base + k / 18 - 1, 0, x.len() - 1)] + (k % 18) as f32",
    "columns": "grid[k % 17 + 1, k / 17] = x[math.clamp(base + k / 17 - 1, 0, x.len() - 1)] + (k % 17) as f32",
    "one_axis": "tile[k / 18 * 18 + k % 18] = x[math.clamp(base + k / 18 - 1, 0, x.len() - 1)] + (k % 18) as f32",
    "guarded": "tile[k] = x[base + k / 5] if base + k % 5 < x.len() and k / 5 != 3 else -1.0",
    "two_widths": "tile[k] = x[k / 18] + x[k % 7]",
    "run_time_width": "tile[k] = x[k / m] + x[k % m]",
    "me": "tile[k] = x[base] + (me * 1000 + gpu.local_id(0) * 100 + gpu.local_id(1) * 10 + gpu.local_id(2)) as f32",
    "if": "if k % 4 != 1: tile[k] = k as f32",
    "counted": "for j in 0..m: tile[k] = tile[k] * 0.5 + (k * j) as f32",
    "wide": "tile[k] = x[(k / 1000) + (k % 1000) / 3]",
    # Rounds of one work-item that depend on each other, or store to the same element.
    "running": "sums[me] = sums[me] + math.exp(x[k % x.len()])",
    "last": "sums[me] = k as f32",
    "twice": "(tile[k], tile[k + 1 - 1]) = (x[k], 2.0)",
    "atomic": "gpu.atomic_add(&mut tile[k / 16], (k % 16) as f32)",
}
ENDS = {"fixed": "324", "not_a_multiple": "325", "few": "3", "none": "0", "argument": "n", "negative": "n - 200",
        "of_the_group": "n + gpu.group_id()"}
BLOCKS = {"line": (64, 1, 1), "square": (16, 16, 1), "box": (4, 3, 5), "tall": (1, 40, 2)}
STEPS = {"literal": "{count}", "sizes": "gpu.local_size(0) * gpu.local_size(1) * gpu.local_size(2)"}


def kernel(name, block, body, end, step, local=FLAT):
    return f"""
#[gpu(block: [{', '.join(map(str, block))}])]
fn {name}(n: i64, m: i64, x: &[f32], out: &mut [f32]):
    val tile = gpu.shared[f32](400)
    val grid = gpu.shared[f32](20, 20)
    val sums = gpu.shared[f32](400)
    val me = {local}
    val base = gpu.group_id()
    for k in me..400 step {block[0] * block[1] * block[2]}:
        tile[k] = 0.25
        grid[k / 20, k % 20] = 4.0
        sums[k] = 0.5
    gpu.barrier()
    for k in me..{end} step {step}:
        {body}
    gpu.barrier()
    for k in me..400 step {block[0] * block[1] * block[2]}:
        out[base * 400 + k] = tile[k] + grid[k / 20, k % 20] + sums[k]
"""


# Each round stores what the next one of the same work-item loads.
CHAINS = """
#[gpu(block: [8])]
fn chain(n: i64, m: i64, x: &[f32], out: &mut [f32]):
    val tile = gpu.shared[f32](408)
    for k in gpu.local_id()..8 step 8:
        tile[k] = 1.0
    gpu.barrier()
    for k in gpu.local_id()..4 * n step 8:
        tile[k + 8] = tile[k] * 0.5 + x[k]
    gpu.barrier()
    for k in gpu.local_id()..4 * n step gpu.local_size():
        out[400 * gpu.group_id() + k] = tile[k + 8]

# Each round adds to the number of its work-item.
#[gpu(block: [8])]
fn sums_of_eight(n: i64, m: i64, x: &[f32], out: &mut [f32]):
    val sums = gpu.shared[f32](8)
    val me = gpu.local_id()
    sums[me] = 0.0
    gpu.barrier()
    for k in me..4 * n step 8:
        sums[me] = sums[me] + math.exp(x[k])
    gpu.barrier()
    out[8 * gpu.group_id() + me] = sums[me]

# No range, though it looks like one: each work-item has two rounds.
#[gpu(block: [8])]
fn own_rounds(n: i64, m: i64, x: &[f32], out: &mut [f32]):
    val me = gpu.local_id()
    val rounds: u64 = 2 if me < n else 0
    for r in 0..rounds:
        val k = me + (r as i64) * 8
        out[400 * gpu.group_id() + k] = x[k] + 1.0
"""


def kernels():
    for body, text in BODIES.items():
        for end, bound in ENDS.items():
            step = STEPS["literal" if len(body) % 2 else "sizes"]
            block = list(BLOCKS.values())[(len(body) + len(end)) % len(BLOCKS)]
            yield kernel(f"{body}_{end}", block, text, bound, step.format(count=block[0] * block[1] * block[2])), block
    for shape, block in BLOCKS.items():
        yield kernel(f"of_{shape}", block, BODIES["rows"], "324", STEPS["sizes"]), block
        # Neither of these runs all values: the step is twice the size, or the loop begins later.
        yield kernel(f"sparse_{shape}", block, BODIES["plain"], "n", "2 * " + STEPS["sizes"]), block
        yield kernel(f"late_{shape}", block, BODIES["plain"], "n", STEPS["sizes"], f"1 + {FLAT}"), block


def launch(name, block, level, length):
    line = [SIMPLE, "run", str(FOLDER / "strides.spl"), "--backend", "cpu", "--kernel", name, *level, "--global",
            f"{3 * block[0]},{block[1]},{block[2]}", "--arg", "n=100", "--arg", "m=7", "--arg",
            f"x=f32[{length}]=random:3", "--arg", "out=f32[1200]", "--save", f"out={FOLDER / 'out.npy'}"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return re.search(r"strides.spl:\d+:\d+: .*", done.stderr).group()
    return (FOLDER / "out.npy").read_bytes()


FOLDER.mkdir(parents=True, exist_ok=True)
CASES = list(kernels())
CASES += [(f"fn {name}", (8, 1, 1)) for name in ("chain", "sums_of_eight", "own_rounds")]
(FOLDER / "strides.spl").write_text(CHAINS + "".join(text for text, _ in CASES[:-3]), encoding="utf-8")
for text, block in CASES:
    name = re.search(r"fn (\w+)", text).group(1)
    expected = launch(name, block, ["-O0"], 500)
    assert isinstance(expected, bytes), expected
    for level in (["-O2"], ["-O3", "--check", "none"]):
        assert launch(name, block, level, 500) == expected, f"{name}, {level}"
# The first index that is outside is another one for each order. Only one work-item has one here.
for name, block in (("plain_fixed", None), ("me_argument", None)):
    block = next(block for text, block in CASES if f"fn {name}(" in text)
    length = 325 if name == "plain_fixed" else 2
    assert launch(name, block, ["-O2"], length) == launch(name, block, ["-O0"], length), name
