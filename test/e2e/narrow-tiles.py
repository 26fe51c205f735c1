# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tiles of groups with few work-items along x, whose rows have a copy without masks, guards and clamps at -O2: the results
are those of -O0 for images that end anywhere in a tile, and for offsets far outside."""
import itertools
import pathlib
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]
MOST = 2**63 - 1
TILES = (4, 8, 16)

# Each kernel has an image a, an image out of the same size, and an offset d. TILE is the size of its square group.
PROLOGUE = """    val x = gpu.global_id(0)
    val y = gpu.global_id(1)
    val rows = out.dim(0)
    val cols = out.dim(1)
    val lx = gpu.local_id(0)
    val ly = gpu.local_id(1)
"""
BODIES = {
    "halo": """    val tile = gpu.shared[f32](TILE + 2, TILE + 2)
    for k in ly * TILE + lx..(TILE + 2) * (TILE + 2) step TILE * TILE:
        val row = math.clamp(gpu.group_id(1) * TILE - 1 + k / (TILE + 2), 0, rows - 1)
        val col = math.clamp(gpu.group_id(0) * TILE + d + k % (TILE + 2), 0, cols - 1)
        tile[k / (TILE + 2), k % (TILE + 2)] = a[row, col]
    gpu.barrier()
    if y < rows and x < cols:
        out[y, x] = tile[ly, lx + 1] + 2.0 * tile[ly + 2, lx + 1] - tile[ly + 1, lx] * 4.0 + tile[ly + 1, lx + 2]""",
    "inside": """    val tile = gpu.shared[f32](TILE + 2, TILE + 2)
    val top = gpu.group_id(1) * TILE - 1
    val left = gpu.group_id(0) * TILE + d
    for k in ly * TILE + lx..(TILE + 2) * (TILE + 2) step TILE * TILE:
        val i = k / (TILE + 2)
        val j = k % (TILE + 2)
        val within = 0 <= top + i < rows and 0 <= left + j < cols
        tile[i, j] = a[top + i, left + j] if within else -1.0
    gpu.barrier()
    if y < rows and x < cols:
        out[y, x] = tile[ly, lx] - tile[ly + 1, lx + 1] * 0.5 + tile[ly + 2, lx + 2]""",
    "guard": """    val tile = gpu.shared[f32](TILE, TILE)
    tile[ly, lx] = 0.0
    if y < rows and x < cols:
        tile[ly, lx] = a[y, x]
    gpu.barrier()
    var sum = 0.0
    for k in 0..TILE unroll:
        sum += tile[ly, k] * tile[k, lx]
    if y < rows and x < cols:
        out[y, x] = sum""",
    "one_item": """    val total = gpu.group_sum(math.floor(a[y, x] * 64.0) if y < rows and x < cols else 0.0)
    if lx == 0 and ly == 0:
        out[y, x] = total
    if (lx == 1 and ly == 2) and y < rows and x < cols:
        out[y, x] = -total""",
    "offset": """    val tile = gpu.shared[f32](TILE, TILE)
    tile[ly, lx] = a[y, x] if x + d >= 1 and y < rows and x < cols else 2.0
    gpu.barrier()
    if y < rows and (x < cols and x + d < cols):
        out[y, x] = tile[lx, ly]""",
    "either": """    val tile = gpu.shared[f32](TILE, TILE)
    tile[ly, lx] = -3.0 if y >= rows or x >= cols else a[y, x]
    gpu.barrier()
    if y >= rows or x >= cols:
        return
    out[y, x] = tile[TILE - 1 - ly, lx]""",
}


def source():
    text = ""
    for tile in TILES:
        text += f"const SIDE_{tile}: i64 = {tile}\n"
        for name, body in BODIES.items():
            text += (f"#[gpu(block: [{tile}, {tile}])]\nfn {name}_{tile}(d: i64, a: &[f32, 2], out: &mut [f32, 2]):\n"
                     f"{PROLOGUE}{body}\n").replace("TILE", f"SIDE_{tile}")
    return text


def launch(kernel, size, global_size, d, level, saved):
    line = [SIMPLE, "run", str(FOLDER / "tiles.spl"), "--backend", "cpu", "--kernel", kernel, *level, "--global",
            global_size, "--arg", f"d={d}", "--arg", f"a=f32[{size}]=random:3", "--arg", f"out=f32[{size}]=9", "--save",
            f"out={saved}"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(line)}\n{done.stderr}"
    return saved.read_bytes()


def compare(kernel, size, global_size, d):
    expected = launch(kernel, size, global_size, d, ["-O0"], FOLDER / "expected.npy")
    for level in (["-O2"], ["-O3", "--check", "none"]):
        found = launch(kernel, size, global_size, d, level, FOLDER / "found.npy")
        assert found == expected, f"{kernel}, size {size}, d = {d}, {level}"


FOLDER.mkdir(parents=True, exist_ok=True)
(FOLDER / "tiles.spl").write_text(source(), encoding="utf-8")
for tile, name in itertools.product(TILES, BODIES):
    offsets = [-1, 3, MOST, -MOST - 1] if name in ("halo", "inside", "offset") else [0]
    sizes = [(1, 1), (tile, tile * 3), (tile + 1, tile * 2 - 1)]
    for d, (height, width) in itertools.product(offsets, sizes):
        if abs(d) > tile and height <= tile:
            continue
        rounded = [-(-extent // tile) * tile for extent in (width, height)]
        compare(f"{name}_{tile}", f"{height},{width}", f"{rounded[0]},{rounded[1]}", d)
