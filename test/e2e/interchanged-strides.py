# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops of updates by atomics, whose rounds spl-interchange-strides runs for all work-items of a group at -O2. The
expected numbers are computed here. Groups have one to three axes, and ranges end before, in and after a round."""
import pathlib
import re
import struct
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]
# The body of each loop, and what it adds to which bin for the value i. There are 40 bins.
BODIES = {
    "plain": ("gpu.atomic_add(&mut bins[x[i % x.len()]], 1)", lambda i, x: [(x[i % len(x)], 1)]),
    "several": ("""gpu.atomic_add(&mut bins[i % 7], (i % 5) as i32)
        gpu.atomic_sub(&mut bins[10 + x[i % x.len()] / 2], 2)""",
                lambda i, x: [(i % 7, i % 5), (10 + x[i % len(x)] // 2, -2)]),
    "inner_loop": ("""for k in 0..math.min(3, i % 5):
            gpu.atomic_add(&mut bins[(i + k) % 40], (k + 1) as i32)""",
                   lambda i, x: [((i + k) % 40, k + 1) for k in range(min(3, i % 5))]),
    "guarded": ("""if i % 3 != 1:
            gpu.atomic_add(&mut bins[i % 40], 3)""",
                lambda i, x: [(i % 40, 3)] if i % 3 != 1 else []),
    "of_the_work_item": ("gpu.atomic_add(&mut bins[gpu.local_id() % 40], (1 + i % 2) as i32)",
                         lambda i, x, me=0: [(me % 40, 1 + i % 2)]),
}
RANGES = {"stride": "gpu.grid_stride(n)", "from_id": "gpu.global_id()..n step gpu.global_size()",
          "later": "gpu.global_id() + 3..n step gpu.global_size()",
          "twice": "gpu.global_id()..n step 2 * gpu.global_size()"}
SHAPES = {"line": ((32,), (96,)), "one": ((1,), (5,)), "rows": ((8, 2), (24, 4)), "box": ((4, 3, 2), (8, 3, 4))}


def source():
    for name, (body, _) in BODIES.items():
        for kind, values in RANGES.items():
            yield f"""
#[gpu]
fn {name}_{kind}(n: i64, x: &[u8], bins: &mut [i32]):
    for i in {values}:
        {body}

#[gpu]
fn {name}_{kind}_shared(n: i64, x: &[u8], counts: &mut [i32]):
    val bins = gpu.shared[i32](40)
    if gpu.local_id(0) + gpu.local_id(1) + gpu.local_id(2) == 0:
        for k in 0..40:
            bins[k] = 0
    gpu.barrier()
    for i in {values}:
        {body}
    gpu.barrier()
    if gpu.local_id(0) + gpu.local_id(1) + gpu.local_id(2) == 0:
        for k in 0..40:
            gpu.atomic_add(&mut counts[k], bins[k])
"""


def expected(name, kind, shape, n, x):
    """The bins after all work-items. Those that differ along y and z only run the same rounds."""
    (width, *_), (size, *others) = SHAPES[shape]
    bins = [0] * 40
    repeats = 1
    for other in others:
        repeats *= other
    for me in range(size):
        first, step = me + (3 if kind == "later" else 0), size * (2 if kind == "twice" else 1)
        for i in range(first, n, step):
            updates = BODIES[name][1]
            pairs = updates(i, x, me % width) if name == "of_the_work_item" else updates(i, x)
            for bin_, value in pairs:
                bins[bin_] += value * repeats
    return struct.pack("<40i", *bins)


def launch(kernel, shape, level, n, x):
    local, size = SHAPES[shape]
    out = "counts" if kernel.endswith("_shared") else "bins"
    done = subprocess.run([SIMPLE, "run", str(FOLDER / "updates.spl"), "--backend", "cpu", "--kernel", kernel, level,
                           "--global", ",".join(map(str, size)), "--local", ",".join(map(str, local)), "--arg",
                           f"n={n}", "--arg", "x=" + ",".join(map(str, x)), "--arg", f"{out}=i32[40]", "--save",
                           f"{out}={FOLDER / 'out.npy'}"], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return re.search(r"updates.spl:\d+:\d+: .*", done.stderr).group()
    return (FOLDER / "out.npy").read_bytes()[-160:]


FOLDER.mkdir(parents=True, exist_ok=True)
(FOLDER / "updates.spl").write_text("".join(source()), encoding="utf-8")
BYTES = [(7 * k * k + k // 3) % 40 for k in range(100)]
LENGTHS = [1000, 97, -5, 384, 1, 96, 0, 33, 95]
CASES = [(name, kind, shape) for name in BODIES for kind in RANGES for shape in SHAPES]
for number, (name, kind, shape) in enumerate(CASES):
    length = LENGTHS[number % len(LENGTHS)]
    kernel = f"{name}_{kind}" + ("_shared" if number % 2 else "")
    found = launch(kernel, shape, "-O2", length, BYTES)
    assert found == expected(name, kind, shape, length, BYTES), (kernel, shape, length, found)
# One work-item has an index that is outside, in its third round.
FAULTY = BYTES[:]
FAULTY[98] = 40
for kernel in ("plain_stride", "plain_stride_shared"):
    fault = launch(kernel, "one", "-O2", 100, FAULTY)
    assert fault == launch(kernel, "one", "-O0", 100, FAULTY) and "index 40" in fault, fault
