# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ranges of a warp that begin at a value for all lanes plus the number of the lane (spl-gang-loops) have the rounds that
they have without gangs: of all types, with each number of rounds, where values wrap at the limits of the type, with steps of
other sizes than the warp's, and if only some lanes run the loop."""
import itertools
import pathlib
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]
TYPES = ["i8", "u16", "i32", "u64"]
# An index of memory in the loop needs a mask.
SOURCE = """
#[gpu]
fn {name}(first: &[{type}], last: &[{type}], steps: &[{type}], data: &[i32], out: &mut [i32]):
    val row = gpu.global_id() / gpu.warp_size()
    val lane = gpu.lane_id() as {type}
    var sum = 0i32
    var seen = 100{type}
    if {condition}:
        for k in first[row] + lane{dots}last[row] step {step}:
            sum = sum * 31 + data[(k as i64) & 63] + (k as i32)
            seen = k
    out[gpu.global_id()] = sum * 17 + (seen as i32) + gpu.warp_sum(sum)
"""
VARIANTS = list(itertools.product(["..", "..="], ["gpu.warp_size() as {type}", "steps[row]"], ["row >= 0", "data[lane] % 3 != 0"]))


def limits(name):
    bits = int(name[1:])
    return (0, 2**bits - 1) if name[0] == "u" else (-2**(bits - 1), 2**(bits - 1) - 1)


def rows_of(name):
    """The first value, the last one and the step of each row."""
    least, most = limits(name)
    steps = [32, 64, 8, 7, most] + ([most - 3] if name[0] == "u" else [])
    rows = [(10, 10 + length, step) for length in [*range(0, 12), 31, 32, 33, 39, 40, 41, 64, 73, 100] for step in (32, 7)]
    rows += [(10, 5, 32), (40, 0, 32), (5, 14, 9), (5, 14, 64), (0, 100, 8)]
    if int(name[1:]) <= 16:  # in wider types, lanes that wrap would have too many rounds
        rows += [(most - off, most - end, step) for off in (0, 3, 7, 8, 30, 31, 32, 38, 40, 60) for end in (0, 1, 5) for step in steps]
        rows += [(least + off, least + off + length, step) for off in (0, 3) for length in (0, 2, 8, 40) for step in steps]
    else:
        rows += [(most - off - length, most - off, 32) for off in (0, 31, 70) for length in (64, 65, 72, 80) if name[0] != "u"]
    return [row for row in rows if all(least <= value <= most for value in row)]


def run(number, name, rows, level):
    path = FOLDER / "out.npy"
    columns = [",".join(map(str, column)) for column in zip(*rows)]
    size = 32 * len(rows)
    line = [SIMPLE, "run", str(FOLDER / f"{name}-{number}.spl"), "--backend", "cpu", level, "--global", str(size),
            "--local", "32", "--arg", "data=i32[64]=iota", "--arg", f"out=i32[{size}]=0", "--save", f"out={path}"]
    for argument, values in zip(("first", "last", "steps"), columns):
        line += ["--arg", f"{argument}={name}[{len(rows)}]={values}"]
    subprocess.run(line, check=True, stdout=subprocess.DEVNULL)
    return path.read_bytes()


FOLDER.mkdir(parents=True, exist_ok=True)
for name in TYPES:
    ranges = rows_of(name)
    for number, (dots, step, condition) in enumerate(VARIANTS):
        text = SOURCE.format(name=f"rows{number}", type=name, dots=dots, step=step.format(type=name), condition=condition)
        (FOLDER / f"{name}-{number}.spl").write_text(text, encoding="utf-8")
        assert run(number, name, ranges, "-O0") == run(number, name, ranges, "-O2"), text
