# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks in loops that run in gangs (spl-gang-loops): the fault is one that a work-item has, with its numbers, and no
fault is reported if no work-item that runs the check has one."""
import pathlib
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]
SOURCE = """
#[gpu]
fn walk(starts: &[i32], data: &[f32], out: &mut [f32]):
    val i = gpu.global_id()
    if i + 1 < starts.len():
        var sum = 0.0
        for k in starts[i]..starts[i + 1]:
            sum = sum * 0.5 + data[k]
        out[i] = sum

#[gpu]
fn look(at: &[i32], data: &[f32], out: &mut [f32]):
    val i = gpu.global_id()
    var sum = 0.0
    for k in 0..3:
        if at[i] != 99:
            sum += data[at[i] + k] * math.exp(sum)
    out[i] = sum

#[gpu]
fn divide(at: &[i32], out: &mut [f32]):
    val i = gpu.global_id()
    var sum = 0i32
    for k in 0..10i32:
        sum += 100 / (at[i] - k)
    out[i] = sum as f32

#[gpu]
fn rows(starts: &[i32], data: &[f32], out: &mut [f32]):
    val row = gpu.global_id() / gpu.warp_size()
    var sum = 0.0
    var last = row as i32
    for k in starts[row] + gpu.lane_id() as i32..starts[row + 1] step gpu.warp_size() as i32:
        sum = sum * 0.5 + data[k]
        last = k
    out[gpu.global_id()] = sum + gpu.warp_sum(last as f32)

# An atomic runs lane by lane. It reads a value from outside of the loop.
#[gpu]
fn count(starts: &[i32], data: &[f32], out: &mut [f32]):
    val row = gpu.global_id() / gpu.warp_size()
    val weight = data[gpu.global_id() ^ 1]
    for k in starts[row] + gpu.lane_id() as i32..starts[row + 1] step gpu.warp_size() as i32:
        gpu.atomic_add(&mut out[k / 2], weight)
    gpu.warp_barrier()
"""


def run(kernel, at, data, size, level):
    path = FOLDER / "at.npy"
    values = ",".join(map(str, at))
    line = [SIMPLE, "run", str(FOLDER / "faults.spl"), "--backend", "cpu", "--kernel", kernel, level, "--global", str(size),
            "--local", str(size), "--arg", f"{'starts' if kernel in ('walk', 'rows', 'count') else 'at'}=i32[{len(at)}]={values}",
            "--arg", f"out=f32[{size}]=0", "--save", f"out={path}"]
    if kernel != "divide":
        line += ["--arg", f"data=f32[{data}]=iota"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr, path.read_bytes() if done.returncode == 0 else b""


def expect(kernel, at, data, size, faults):
    """The launch has no fault, or one of these: the work-item, and a text of the message."""
    results = set()
    for level in ("-O0", "-O2", "-O3"):
        code, message, saved = run(kernel, at, data, size, level)
        if not faults:
            assert code == 0, f"{kernel} {level}: {message}"
            results.add(saved)
            continue
        assert code == 1, f"{kernel} {level}: {code} {message}"
        assert any(f"in work-item ({item}, 0, 0) of" in message and text in message for item, text in faults), \
            f"{kernel} {level}: {message} is none of {faults}"
    assert len(results) <= 1, f"{kernel}: the results differ"


FOLDER.mkdir(parents=True, exist_ok=True)
(FOLDER / "faults.spl").write_text(SOURCE, encoding="utf-8")
ROWS = [0, 3, 3, 4, 9, 9, 20, 21, 22, 30, 31, 35, 40, 40, 47, 48, 49, 50, 51]
SIZE = len(ROWS) - 1
expect("walk", ROWS, 51, SIZE, [])
expect("walk", ROWS, 50, SIZE, [(17, "index 50 is out of bounds for 'data' of length 50")])
expect("walk", ROWS, 47, SIZE, [(item, f"index {first} is out of bounds for 'data' of length 47")
                                      for item, first in ((14, 47), (15, 48), (16, 49), (17, 50))])
expect("walk", [5, *ROWS[1:]], 51, SIZE, [])
expect("walk", [-2, *ROWS[1:]], 51, SIZE, [(0, "index -2 is out of bounds for 'data' of length 51")])
AT = [0, 5, 99, 7, 3, 2, 99, 1, 4, 4, 6, 0, 99, 5, 5, 5, 1, 0, 2, 3, 7, 1, 99]
expect("look", AT, 10, len(AT), [])
expect("look", AT, 9, len(AT), [(item, "index 9 is out of bounds for 'data' of length 9") for item in (3, 20)])
expect("look", AT, 8, len(AT), [(item, "index 8 is out of bounds for 'data' of length 8") for item in (3, 10, 20)])
expect("divide", [20, 30, 10, 11, -1, 12], 0, 6, [])
expect("divide", [20, 30, 10, 11, 4, 12], 0, 6, [(4, "division by zero")])
# A warp computes a row. The last iteration of a row runs in 8 lanes, or in 32 if more have one (spl-gang-loops).
LENGTHS = [0, 1, 5, 7, 8, 9, 16, 31, 32, 33, 39, 40, 41, 64, 70, 2, 96, 100, 3, 72]
STARTS = [sum(LENGTHS[:row]) for row in range(len(LENGTHS) + 1)]
expect("rows", STARTS, STARTS[-1], 32 * len(LENGTHS), [])
expect("count", STARTS, 32 * len(LENGTHS), 32 * len(LENGTHS), [])
for first in [-3, -1]:
    expect("rows", [first, 4, *[4] * 18, 4], 4, 32 * 20,
           [(k - first, f"index {k} is out of bounds for 'data' of length 4") for k in range(first, 0)])
for size in [STARTS[-1] - 1, STARTS[-1] - 8, STARTS[-1] - 9, STARTS[-1] - 40, STARTS[3] - 1, STARTS[10] - 1, 0]:
    expect("rows", STARTS, size, 32 * len(LENGTHS),
           [(32 * row + (k - STARTS[row]) % 32, f"index {k} is out of bounds for 'data' of length {size}")
            for row in range(len(LENGTHS)) for k in range(STARTS[row], STARTS[row + 1]) if k >= size])
