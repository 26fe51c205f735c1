# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Warps of groups of any shape on the CPU, at -O0 and -O2. If a row of the group is a multiple of 32 work-items, a warp runs
as a vector, and what is the same for its lanes is computed once. The expected numbers are computed here."""
import pathlib
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]
SOURCE = """
# Each work-item adds what it sees to a number of its own, and votes and sums over its warp.
#[gpu]
fn ids(groups: &[i32], out: &mut [i64]):
    val item = gpu.local_id(0) + gpu.local_size(0) * (gpu.local_id(1) + gpu.local_size(1) * gpu.local_id(2))
    val at = gpu.group_id() * gpu.local_size(0) * gpu.local_size(1) * gpu.local_size(2) + item
    val row = gpu.global_id() / gpu.warp_size()
    val rest = gpu.global_id() % 64
    var sum = gpu.warp_sum(row * 3 + rest + gpu.local_id(1)) + gpu.shuffle_up(rest, 1) * gpu.warp_id()
    # Quotients that differ between the lanes of a warp, and one that does not.
    sum += gpu.global_id() / 16 * 11 + (gpu.global_id() + 8 >> 5) * 13 + (gpu.local_id() >> 4) * 17 + gpu.global_id() / 64
    if row % 3 != 1:
        sum += gpu.warp_sum(groups[row] as i64)
        for k in 0..row % 4:
            sum += gpu.warp_max(item + k) + (gpu.ballot(item % 3 == k) as i64)
    if gpu.lane_id() % 4 == gpu.local_id(1) % 4:
        sum += gpu.warp_sum(item) * 7
    if gpu.lane_id() == 3:
        sum += 1000
    out[at] = sum
"""
GROUPS, WARP = 3, 32
VALUES = [(n * n) % 17 for n in range(200)]


def expected(width, height, depth):
    size = width * height * depth
    return [number for group in range(GROUPS) for first in range(0, size, WARP)
            for number in of_warp(group, range(first, min(first + WARP, size)), width, height)]


def of_warp(group, items, width, height):
    """The results of the work-items of a warp, whose flat local ids are the items."""
    y = {item: item // width % height for item in items}
    x = {item: group * width + item % width for item in items}
    row = {item: x[item] // WARP for item in items}
    lane = {item: item % WARP for item in items}
    total = sum(row[item] * 3 + x[item] % 64 + y[item] for item in items)
    sums = {item: total + x[max(item - 1, items[0])] % 64 * (item // WARP) for item in items}
    for item in items:
        sums[item] += x[item] // 16 * 11 + (x[item] + 8) // 32 * 13 + (item % width >> 4) * 17 + x[item] // 64
    active = [item for item in items if row[item] % 3 != 1]
    for item in active:
        sums[item] += sum(VALUES[row[other]] for other in active)
    for k in range(3):
        inside = [item for item in active if k < row[item] % 4]
        votes = sum(1 << lane[item] for item in inside if item % 3 == k)
        for item in inside:
            sums[item] += max(inside) + k + votes
    chosen = [item for item in items if lane[item] % 4 == y[item] % 4]
    for item in chosen:
        sums[item] += sum(chosen) * 7
    return [sums[item] + 1000 * (lane[item] == 3) for item in items]


FOLDER.mkdir(parents=True, exist_ok=True)
(FOLDER / "rows.spl").write_text(SOURCE, encoding="utf-8")
SHAPES = [(32, 1, 1), (96, 1, 1), (128, 2, 1), (32, 3, 2), (64, 1, 5), (48, 1, 1), (16, 4, 1), (7, 5, 3), (1, 64, 1),
          (100, 1, 1), (33, 2, 1), (3, 1, 1)]
for width, height, depth in SHAPES:
    count = GROUPS * width * height * depth
    want = expected(width, height, depth)
    for level in ("-O0", "-O2", "-O3"):
        line = [SIMPLE, "run", str(FOLDER / "rows.spl"), "--backend", "cpu", level, "--local", f"{width},{height},{depth}",
                "--global", f"{GROUPS * width},{height},{depth}", "--arg",
                f"groups=i32[{len(VALUES)}]=" + ",".join(map(str, VALUES)), "--arg", f"out=i64[{count}]", "--save",
                f"out={FOLDER / 'out.npy'}"]
        done = subprocess.run(line, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"{' '.join(line)}\n{done.stderr}"
        data = (FOLDER / "out.npy").read_bytes()[-8 * count:]
        found = [int.from_bytes(data[8 * n:8 * n + 8], "little", signed=True) for n in range(count)]
        wrong = next((n for n in range(count) if found[n] != want[n]), None)
        assert wrong is None, f"{width} x {height} x {depth}, {level}: out[{wrong}] is {found[wrong]}, not {want[wrong]}"
