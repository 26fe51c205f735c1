# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Small groups run side by side on the CPU at -O2 (mir/transforms/fission/SideBySide.h), and one after the other at -O0: the
results and the faults are the same.

The numbers of groups are below, at and above those that run side by side, which are 16. Some groups are too large for it.
"""
import itertools
import os
import pathlib
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]

# Each kernel gets n, m, an array of numbers, and two arrays for its results. i is the global id.
KERNELS = {
    # Each element moves round its group.
    "turn": """
    val cells = gpu.shared[f32](64)
    val me = gpu.local_id()
    var sum = x[i] if i < n else 0.5
    for k in 0..m:
        cells[me] = sum
        gpu.barrier()
        sum = sum * 0.5 + cells[(me + k) % gpu.local_size()]
        gpu.barrier()
    if i < n: out[i] = sum""",
    # The tree of a reduction: a while loop, and its only result is of the first work-item.
    "tree": """
    val cells = gpu.shared[f32](64)
    val me = gpu.local_id()
    cells[me] = x[i % n]
    gpu.barrier()
    var stride = gpu.local_size() / 2
    while stride > 0:
        if me < stride:
            cells[me] += cells[me + stride]
        gpu.barrier()
        stride /= 2
    if me == 0 and gpu.group_id() < n: out[gpu.group_id()] = cells[0]""",
    # Rows of a shared array, variables in local memory, and values that differ between groups.
    "rows": """
    val tile = gpu.shared[i32](3, 64)
    val me = gpu.local_id()
    var kept = [0i32, 0i32, 0i32]
    for k in 0..m:
        for row in 0..3:
            tile[row, me] = (i * 7 + k) as i32 + kept[row]
        gpu.barrier()
        val from = tile[(k + gpu.group_id()) % 3]
        for row in 0..3:
            kept[row] += from[gpu.local_size() - 1 - me] - row as i32
        gpu.barrier()
    if i < n: out[i] = (kept[0] + 3 * kept[1] - kept[2]) as f32""",
    # Atomics on shared and on global memory, under conditions that differ between groups.
    "count": """
    val counts = gpu.shared[i32](4)
    val me = gpu.local_id()
    if me == 0:
        for c in 0..4: counts[c] = 0
    gpu.barrier()
    for k in 0..m:
        if (gpu.group_id() + k) % 3 != 1:
            gpu.atomic_add(&mut counts[(i + k) % 4], 1)
        gpu.barrier()
        if me == 0 and gpu.group_id() % 2 == 0:
            gpu.atomic_add(&mut total[k % 3], counts[k % 4])
        gpu.barrier()
    if i < n: out[i] = counts[me % 4] as f32""",
    # The number of iterations differs between groups: these do not run side by side.
    "differ": """
    val cells = gpu.shared[f32](64)
    val me = gpu.local_id()
    var sum = x[i % n]
    for k in 0..m + gpu.group_id() % 3:
        cells[me] = sum
        gpu.barrier()
        sum += cells[gpu.local_size() - 1 - me] * 0.25
        gpu.barrier()
    if i < n: out[i] = sum""",
    # Each group has its own sums, and it sends values.
    "sums": """
    val me = gpu.local_id()
    var sum = (i % 9) as i32
    for k in 0..m:
        sum += gpu.group_sum(sum) - gpu.group_scan(sum) + gpu.group_max(sum % 5)
        sum = gpu.group_broadcast(sum, k % gpu.local_size()) % 100 + me as i32
        if gpu.group_any(sum == 7) or gpu.group_all(sum > 3):
            sum += 1
    if i < n: out[i] = sum as f32""",
    "once": """
    val sum = gpu.group_sum(i) + gpu.group_scan(i, exclusive: true)
    if i < n: out[i] = sum as f32""",
    # A value is the same in one group, and differs between groups.
    "promise": """
    val cells = gpu.shared[f32](64)
    val me = gpu.local_id()
    var sum = x[i % n]
    for k in 0..m:
        cells[me] = sum
        gpu.barrier()
        sum += cells[gpu.local_size() - 1 - me] + (gpu.group_sum(i) as f32) + gpu.uniform(x[gpu.group_id() % n])
        gpu.barrier()
    if i < n: out[i] = sum""",
}
# The same with ids along two axes.
TWO_AXES = {
    "plane": """
    val tile = gpu.shared[f32](64)
    val x_id = gpu.local_id(0)
    val y_id = gpu.local_id(1)
    val width = gpu.local_size(0)
    val at = (gpu.global_id(1) * gpu.global_size(0) + gpu.global_id(0))
    var sum = x[at % n]
    for k in 0..m:
        tile[y_id * width + x_id] = sum
        gpu.barrier()
        sum = sum * 0.5 + tile[(y_id + 1) % gpu.local_size(1) * width + (x_id + gpu.group_id(1)) % width]
        gpu.barrier()
    if at < n: out[at] = sum - (gpu.group_id(0) as f32)""",
}
BLOCKS = [None, 1, 3, 4, 16]
# A group waits, in a loop over a range, for the one before it. On one thread that one has run.
WAIT = """
#[gpu(block: [4])]
fn wait(flags: &mut [i64], out: &mut [i64]):
    val g = gpu.group_id()
    for k in 0..2:
        var before: i64 = 0
        if gpu.local_id() == 0 and g > 0:
            for _turn in 0..1000:
                if before == 0:
                    before = gpu.atomic_load(&flags[k * 64 + g - 1], order: acquire)
        gpu.barrier()
        if gpu.local_id() == 0:
            gpu.atomic_store(&mut flags[k * 64 + g], before + 1, order: release)
            out[k * 64 + g] = before + 1
"""
# A fault of one work-item: its ids have to be those of the source. Groups have five work-items, or 2 x 3.
FAULT = """
#[gpu{block}]
fn fault{name}(bad: i64, m: i64, out: &mut [f32]):
    val cells = gpu.shared[f32](8)
    val me = gpu.local_id(0) + gpu.local_id(1) * gpu.local_size(0)
    val i = gpu.global_id(0) + gpu.global_id(1) * gpu.global_size(0)
    for k in 0..m:
        cells[me + (8 if i == bad and k == 2 else 0)] = 1.0
        gpu.barrier()
    out[i] = cells[me]
"""


def write(name, text):
    (FOLDER / f"{name}.spl").write_text(text, encoding="utf-8")


def write_all():
    parameters = "(n: i64, m: i64, x: &[f32], out: &mut [f32], total: &mut [i32])"
    for (name, body), block in itertools.product(KERNELS.items(), BLOCKS):
        fixed = f"(block: [{block}])" if block else ""
        name = f"{name}{block or ''}"
        write(name, f"#[gpu{fixed}]\nfn {name}{parameters}:\n    val i = gpu.global_id(){body}\n")
    for name, body in TWO_AXES.items():
        for suffix, fixed in (("", ""), ("4x3", "(block: [4, 3])")):
            write(name + suffix, f"#[gpu{fixed}]\nfn {name}{suffix}{parameters}:{body}\n")
    write("fault", FAULT.format(block="", name=""))
    write("fault5", FAULT.format(block="(block: [5, 1])", name="5"))
    write("fault2x3", FAULT.format(block="(block: [2, 3])", name="2x3"))


def run(kernel, extents, local, level, more):
    out, total = FOLDER / "out.npy", FOLDER / "total.npy"
    line = [SIMPLE, "run", str(FOLDER / f"{kernel}.spl"), "--backend", "cpu", "--kernel", kernel, *level, "--global", extents,
            "--local", local, *more, "--save", f"out={out}"]
    if not kernel.startswith("fault"):
        line += ["--save", f"total={total}"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    if kernel.startswith("fault"):
        return done.returncode, done.stderr
    assert done.returncode == 0, f"{' '.join(line)}\n{done.stderr}"
    return out.read_bytes(), total.read_bytes()


def compare(kernel, extents, local, n, m):
    more = ["--arg", f"n={n}", "--arg", f"m={m}", "--arg", f"x=f32[{n}]=random:1", "--arg", f"out=f32[{n}]=7", "--arg",
            "total=i32[3]=1"]
    expected = run(kernel, extents, local, ["-O0"], more)
    assert run(kernel, extents, local, ["-O2"], more) == expected, f"{kernel}, {extents} by {local}, n = {n}"


FOLDER.mkdir(parents=True, exist_ok=True)
write_all()
for name in KERNELS:
    for groups, size, trips in ((33, 1, 3), (15, 4, 5), (40, 7, 0), (17, 16, 4), (16, 17, 2)):
        compare(name, str(groups * size), str(size), max(groups * size - 2, 1), trips)
    for block, groups in zip(BLOCKS[1:], (64, 33, 15, 16)):
        compare(f"{name}{block}", str(groups * block), str(block), groups * block + 1, 4)
for name, (width, height) in itertools.product(TWO_AXES, ((5, 3), (17, 2), (40, 1))):
    compare(name, f"{width * 2},{height * 3}", "2,3", width * height * 6 - 1, 4)
    compare(f"{name}4x3", f"{width * 4},{height * 3}", "4,3", width * height * 12 - 1, 4)

write("wait", WAIT)
line = [SIMPLE, "run", str(FOLDER / "wait.spl"), "--backend", "cpu", "-O2", "--global", "80", "--local", "4", "--arg", "flags=i64[128]",
        "--arg", "out=i64[128]", "--print", "out", "--full"]
done = subprocess.run(line, capture_output=True, text=True, check=True, env={**os.environ, "SPL_CPU_THREADS": "1"})
assert ", ".join(map(str, range(1, 21))) in " ".join(done.stdout.split()), done.stdout

# A third axis: these groups do not run side by side.
compare("turn", "34,2,3", "2,1,3", 30, 4)

# The message names the work-item, by its global id, and no other one has the fault.
LAUNCHES = {"fault": ("120,1", "5,1"), "fault5": ("120,1", "5,1"), "fault2x3": ("40,3", "2,3")}
for (kernel, (extents, local)), bad, level in itertools.product(LAUNCHES.items(), (0, 7, 83, 119), ("-O0", "-O2")):
    width, (local_width, local_height) = int(extents.split(",")[0]), map(int, local.split(","))
    x, y = bad % width, bad // width
    me = x % local_width + y % local_height * local_width
    code, message = run(kernel, extents, local, [level], ["--arg", f"bad={bad}", "--arg", "m=4", "--arg", "out=f32[120]"])
    assert code != 0 and f"index {me + 8} " in message and f"({x}, {y}, 0)" in message, f"{kernel} {bad} {level}: {message}"
for kernel, (extents, local) in LAUNCHES.items():
    code, message = run(kernel, extents, local, ["-O2"], ["--arg", "bad=-1", "--arg", "m=4", "--arg", "out=f32[120]"])
    assert code == 0, message
