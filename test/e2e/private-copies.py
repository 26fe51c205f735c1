# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Updates by atomics of slices that a kernel does not read, on the CPU. Small ones are collected in private copies. The
sizes are on both sides of what decides that: 16 KiB, and as many elements as the groups have work-items. The expected
numbers are computed here."""
import pathlib
import struct
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]
SOURCE = """
struct Cell:
    low: u8
    sum: f64
    inner: Inner

struct Inner:
    count: i16
    bits: u64

fn key(i: i64, n: i64) -> i64:
    return (i * 7 + i / 5) % n

#[gpu]
fn updates(items: i64, sums: &mut [f32], most: &mut [u32], bits: &mut [i64, 2], flips: &mut [u8], cells: &mut [Cell]):
    for i in gpu.grid_stride(items):
        gpu.atomic_add(&mut sums[key(i, sums.len())], (i % 8) as f32 - 3.0)
        gpu.atomic_max(&mut most[key(i, most.len())], (i * 3 % 1000) as u32)
        val row = bits[key(i, bits.dim(0))]
        gpu.atomic_or(&mut row[i % row.len()], 1 << (i % 63))
        val half = flips[flips.len() / 2..flips.len()]
        gpu.atomic_xor(&mut half[key(i, half.len())], (i % 251) as u8)
        val k = key(i, cells.len())
        gpu.atomic_sub(&mut cells[k].low, 3)
        gpu.atomic_add(&mut cells[k].sum, 0.5)
        gpu.atomic_add(&mut cells[k].inner.count, (i % 5) as i16)
        gpu.atomic_add(&mut cells[k].inner.bits, 4294967297)
"""
NEGATIVE_ZERO = struct.pack("<f", -0.0)
CELL = struct.Struct("<B7xdh6xQ")


def key(i, n):
    return (i * 7 + i // 5) % n


def expected(items, n):
    sums, most, flips = [0.5] * n, [5] * n, [9] * (2 * n)
    bits = [[1] * 3 for _ in range(n)]
    cells = [[1, 2.0, 3, 4] for _ in range(n)]
    for i in range(items):
        k = key(i, n)
        sums[k] += i % 8 - 3
        most[k] = max(most[k], i * 3 % 1000)
        bits[k][i % 3] |= 1 << i % 63
        flips[n + k] ^= i % 251
        cell = cells[k]
        cells[k] = [(cell[0] - 3) % 256, cell[1] + 0.5, cell[2] + i % 5, (cell[3] + 4294967297) % 2**64]
    return {"sums": struct.pack(f"<{n}f", *sums), "most": struct.pack(f"<{n}I", *most), "flips": bytes(flips),
            "bits": struct.pack(f"<{3 * n}q", *(number for row in bits for number in row)),
            "cells": b"".join(CELL.pack(cell[0], cell[1], (cell[2] + 2**15) % 2**16 - 2**15, cell[3]) for cell in cells)}


def run(items, n, work_items, local, options):
    cell = ",".join(["1,2,3,4"] * n)
    arguments = {"items": str(items), "sums": f"f32[{n}]=0.5", "most": f"u32[{n}]=5", "bits": f"i64[{n},3]=1",
                 "flips": f"u8[{2 * n}]=9", "cells": f"Cell[{n}]={cell}"}
    line = [SIMPLE, "run", str(FOLDER / "updates.spl"), "--backend", "cpu", "--global", str(work_items), "--local",
            str(local), *options, *(f"--arg={name}={value}" for name, value in arguments.items())]
    wanted = expected(items, n)
    for name in wanted:
        line += ["--save", f"{name}={FOLDER / name}.npy"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(line)[:600]}\n{done.stderr}"
    for name, bytes_wanted in wanted.items():
        data = (FOLDER / f"{name}.npy").read_bytes()[-len(bytes_wanted):]
        if name == "cells":  # without the bytes between fields
            data = b"".join(CELL.pack(*cell) for cell in CELL.iter_unpack(data))
        assert data == bytes_wanted, f"{name} is wrong for {items} items, {n} elements, {' '.join(line[4:9])} {options}"


def untouched_zeros(options):
    """An element that no work-item updates keeps its bits, also those of -0."""
    line = [SIMPLE, "run", str(FOLDER / "zeros.spl"), "--backend", "cpu", "--global", "256", *options, "--arg", "sums=f32[8]=-0.0",
            "--save", f"sums={FOLDER / 'sums.npy'}"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    data = (FOLDER / "sums.npy").read_bytes()[-32:]
    assert data[:8] == struct.pack("<2f", 256.0, 0.0) and data[8:] == 6 * NEGATIVE_ZERO, (data, options)


FOLDER.mkdir(parents=True, exist_ok=True)
(FOLDER / "updates.spl").write_text(SOURCE, encoding="utf-8")
(FOLDER / "zeros.spl").write_text("""
#[gpu]
fn zeros(sums: &mut [f32]):
    gpu.atomic_add(&mut sums[0], 1.0)
    gpu.atomic_add(&mut sums[1], 2.0 if gpu.global_id() % 2 == 0 else -2.0)
    gpu.atomic_add(&mut sums[2], -0.0)
""", encoding="utf-8")
untouched_zeros(["-O2"])
for options in (["-O0"], ["-O2"], ["-O2", "--check=none"], ["-O3", "--no-contracts"]):
    for items, n, work_items, local in ((5000, 7, 512, 64), (20000, 300, 512, 64), (3000, 700, 300, 32), (3000, 1, 96, 33),
                                        (9000, 4096, 8192, 128), (2000, 4097, 8192, 256), (0, 3, 64, 32)):
        run(items, n, work_items, local, options)
