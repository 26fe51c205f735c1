# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/bench gpu-time launches of the programs: one launch for each kernel. The data is as large as that of
gpu_time_launches.py, and has no meaning beyond that: a B+ tree, for example, has random children."""
import hashlib
import struct

import program_twins
from gpu_time_launches import KINDS, VALUES, Array, Floats, Integers, Launch, Value, groups_of


def fields(kind, count):
    """Numbers of one type, with a fill for each."""
    return [(kind, at, count) for at in range(count)]


KINDS |= {
    "u32x4": (16, [("u32", 0, 1)]),
    "f32x4": (16, [("f32", 0, 1)]),
    "Axis": (4, [("i32", 0, 1)]),
    "bfs.Node": (8, fields("i32", 2)),
    "btree.Node": (392, fields("i32", 98)),
    "btree.Range": (8, fields("i32", 2)),
    "btree.Sum": (16, [("i32", 0, 4), ("i64", 1, 2)]),
    "binomial.Option": (16, [("f32", 0, 4), ("f32", 1, 4), ("f32", 2, 4), ("i32", 3, 4)]),
    "lavamd.Box": (120, fields("i32", 30)),
    "lavamd.Force": (16, [("f32", 0, 1)]),
    "quicksort.Segment": (8, fields("i32", 2)),
    "radixsort.Pair": (8, fields("u32", 2)),
    "smithwaterman.Pair": (16, fields("i32", 4)),
    "srad.Gradient": (16, [("f32", 0, 1)]),
    "xsbench.Material": (16, [("i32", 0, 4), ("i32", 1, 4), ("f64", 1, 2)]),
    "xsbench.Component": (16, [("i32", 0, 4), ("f64", 1, 2)]),
    "xsbench.Point": (48, [("f64", 0, 1)]),
}
VALUES |= {"u32x4": "4I", "convolution.Filter": "17f", "hotspot3d.Material": "7f", "smithwaterman.Costs": "4i",
           "srad.Region": "4i"}


def extent(arguments, text):
    """An extent of an array, as program_twins.PARAMETERS has it."""
    name, _, which = text.rpartition(".")
    shape = arguments[name].shape
    return arguments[name].len() if which == "len()" else shape[int(which[len("dim("):-1])]


def program(kernel, groups, block, arguments, written, **options):
    twin = [text if text in arguments else extent(arguments, text)
            for text in program_twins.PARAMETERS[kernel].split()]
    return Launch(kernel, groups, block, arguments, twin, written, **options)


def zeros(kind, *shape):
    return Array(kind, shape)


def floats(*shape, low=0.0, high=1.0):
    return Array("f32", shape, Floats(low, high))


def integers(kind, *shape, start=0, step=0, jitter=1):
    return Array(kind, shape, Integers(start, step, jitter))


def i32(value):
    return Value("i32", value)


def f32(value):
    return Value("f32", value)


def cryptography(size):
    yield program("aes/expand_key", [1], [1],
                  {"key": Value("u32x4", 1, 2, 3, 4), "round_keys": zeros("u32x4", 11)}, ["round_keys"])
    n = size(2 << 20, 300)
    yield program("aes/encrypt", groups_of([128], n), [128],
                  {"plain": Array("u32x4", [n], Integers(jitter=1 << 32)),
                   "round_keys": Array("u32x4", [11], Integers(jitter=1 << 32)), "cipher": zeros("u32x4", n)},
                  ["cipher"])
    keys = size(1 << 24, 300)
    number, letters = keys // 2, []
    for _ in range(6):
        letters.append(97 + number % 26)
        number //= 26
    digest = struct.unpack("<4I", hashlib.md5(bytes(letters), usedforsecurity=False).digest())
    yield program("md5/search", groups_of([256], keys), [256],
                  {"keys": Value("u32", keys), "digest": Value("u32x4", *digest),
                   "found": integers("u32", 1, start=0xffffffff)}, ["found"])


def graphs_and_trees(size):
    nodes = size(1 << 20, 300)
    yield program("bfs/expand", groups_of([256], nodes), [256],
                  {"nodes": Array("bfs.Node", [nodes], Integers(step=8), Integers(jitter=9)),
                   "edges": integers("i32", 8 * nodes, jitter=nodes), "level": i32(1),
                   "distance": integers("i32", nodes, start=-1, jitter=3), "reached": zeros("u8", nodes)}, ["reached"])
    n = size(16 << 20, 300)
    yield program("bfs/settle", groups_of([256], n), [256],
                  {"level": i32(1), "reached": integers("u8", n, jitter=2), "distance": zeros("i32", n),
                   "more": zeros("u32", 1)}, ["reached", "distance", "more"], restored=["reached"])

    # Keys that ascend in each node. A child of any node is any node, so that the height is not bounded.
    nodes, queries = size(1 << 17, 30), size(1 << 16, 90)
    node = [Integers(48), Integers(jitter=nodes), *(Integers(10 * k, jitter=10) for k in range(48)),
            *(Integers(jitter=nodes) for _ in range(48))]
    tree = {"nodes": Array("btree.Node", [nodes], *node), "height": i32(4), "values": integers("i32", nodes, jitter=999)}
    yield program("btree/find", [queries], [48],
                  {**tree, "queries": integers("i32", queries, jitter=480),
                   "found": integers("i32", queries, start=-1)}, ["found"])
    queries = size(1 << 18, 200)
    yield program("btree/sum_ranges", groups_of([256], queries), [256],
                  {**tree, "ranges": Array("btree.Range", [queries], Integers(jitter=380), Integers(380, jitter=90)),
                   "sums": zeros("btree.Sum", queries)}, ["sums"])

    n = size(4 << 20, 300)
    yield program("pagerank/share", groups_of([256], n), [256],
                  {"ranks": floats(n), "degrees": integers("i32", n, jitter=9), "shares": zeros("f32", n),
                   "lost": zeros("f32", 1)}, ["shares", "lost"], tolerance=1e-3)
    n = size(1 << 20, 300)
    yield program("pagerank/gather", groups_of([256], n), [256],
                  {"starts": integers("i32", n + 1, step=8, jitter=8),
                   "sources": integers("i32", 8 * n + 8, jitter=n), "shares": floats(n), "lost": floats(1),
                   "damping": f32(0.85), "ranks": floats(n), "change": zeros("f32", 1)},
                  ["ranks", "change"], tolerance=1e-3)


def images(size):
    side = size(1024, 20)
    yield program("bilateral/bilateral", groups_of([16, 16], side, side), [16, 16],
                  {"src": Array("u8x4", [side, side], Integers(jitter=256)), "spatial": floats(6, low=0.1),
                   "sigma": f32(0.2), "dst": zeros("u8x4", side, side)}, ["dst"], may_differ=0.001)

    side = size(4096, 35)
    tiles = groups_of([16, 16], side, side)
    yield program("canny/blur", tiles, [16, 16],
                  {"image": integers("u8", side, side, jitter=256), "blurred": zeros("u8", side, side)}, ["blurred"])
    yield program("canny/hysteresis", tiles, [16, 16],
                  {"src": integers("u8", side, side, jitter=3), "dst": zeros("u8", side, side),
                   "changed": zeros("u32", 1)}, ["dst", "changed"])
    yield program("canny/edges", tiles, [16, 16],
                  {"state": integers("u8", side, side, jitter=3), "image": zeros("u8", side, side)}, ["image"])
    side = size(2560, 35)
    tiles = groups_of([16, 16], side, side)
    yield program("canny/gradient", tiles, [16, 16],
                  {"a": integers("u8", side, side, jitter=256), "magnitude": zeros("i32", side, side),
                   "axis": zeros("Axis", side, side)}, ["magnitude", "axis"])
    yield program("canny/thin", tiles, [16, 16],
                  {"magnitude": integers("i32", side, side, jitter=500),
                   "axis": Array("Axis", [side, side], Integers(jitter=4)), "low": i32(100), "high": i32(300),
                   "state": zeros("u8", side, side)}, ["state"])

    side = size(3072, 70)
    both = {"src": floats(side, side), "filter": Value("convolution.Filter", *((k + 1) / 153 for k in range(17))),
            "dst": zeros("f32", side, side)}
    yield program("convolution/convolve_rows", groups_of([64, 8], side, side), [16, 8], both, ["dst"])
    yield program("convolution/convolve_columns", groups_of([16, 32], side, side), [16, 8], both, ["dst"])

    rows, cols = size(4096, 24), size(4096, 40)
    yield program("dct8x8/forward", groups_of([8, 8], cols, rows), [8, 8],
                  {"image": integers("u8", rows, cols, jitter=256), "coefficients": zeros("i16", rows, cols)},
                  ["coefficients"], may_differ=0.001)
    yield program("dct8x8/inverse", groups_of([8, 8], cols, rows), [8, 8],
                  {"coefficients": integers("i16", rows, cols, start=-2, jitter=5), "image": zeros("u8", rows, cols)},
                  ["image"], may_differ=0.001)

    side = size(4096, 40)
    region = Value("srad.Region", 1, 1, side - 2, side - 2, fields=("top", "left", "rows", "cols"))
    yield program("srad/add_region", [size(1056, 2)], [256],
                  {"image": floats(side, side), "region": region, "sums": zeros("f32", 2)}, ["sums"], tolerance=1e-3)
    side = size(1536, 40)
    tiles = groups_of([16, 16], side, side)
    yield program("srad/find_coefficients", tiles, [16, 16],
                  {"image": floats(side, side, low=0.5, high=1.5), "speckle": f32(0.05),
                   "gradient": zeros("srad.Gradient", side, side), "coefficient": zeros("f32", side, side)},
                  ["gradient", "coefficient"], tolerance=1e-4)
    yield program("srad/diffuse", tiles, [16, 16],
                  {"gradient": Array("srad.Gradient", [side, side], Floats(-0.5, 0.5)), "coefficient": floats(side, side),
                   "rate": f32(0.1), "image": floats(side, side)}, ["image"], tolerance=1e-4)


def systems(size):
    n = size(2048, 50)
    yield program("gaussian/fan1", groups_of([64], n - 1), [64],
                  {"a": floats(n, n, low=0.5), "pivot": i32(0), "factor": zeros("f32", n)}, ["factor"])
    yield program("gaussian/fan2", groups_of([16, 16], n, n - 1), [16, 16],
                  {"factor": floats(n), "pivot": i32(0), "a": floats(n, n), "b": floats(n)}, ["a", "b"])

    n = size(2048, 70)
    tiles = n // 16 - 1
    matrix = {"a": floats(n, n, low=1.0, high=2.0), "first": i32(0)}
    for kernel, groups, block in (("diagonal", [1], [16, 16]), ("perimeter", [tiles], [16, 2]),
                                  ("internal", [tiles, tiles], [16, 16])):
        yield program(f"lud/{kernel}", groups, block, matrix, ["a"], tolerance=1e-3, may_differ=0.01, restored=["a"])

    systems_, equations = size(1 << 15, 5), size(128, 100)
    shape = (systems_, equations)
    yield program("tridiagonal/solve", [systems_], [128],
                  {"lower": floats(*shape, low=-1.0), "diagonal": floats(*shape, low=4.0, high=5.0),
                   "upper": floats(*shape, low=-1.0), "right": floats(*shape), "x": zeros("f32", *shape)}, ["x"])


def grids(size):
    layers, rows, cols = size(8, 3), size(1024, 20), size(1024, 37)
    yield program("hotspot3d/step", groups_of([16, 8], cols, rows), [16, 8],
                  {"power": floats(layers, rows, cols), "src": floats(layers, rows, cols),
                   "m": Value("hotspot3d.Material", 0.3, 0.1, 0.1, 0.1, 0.2, 0.1, 0.5),
                   "dst": zeros("f32", layers, rows, cols)}, ["dst"])
    side = size(2562, 34)
    yield program("jacobi/relax", groups_of([16, 16], side - 2, side - 2), [16, 16],
                  {"charge": floats(side, side), "src": floats(side, side), "dst": zeros("f32", side, side),
                   "change": zeros("f32", 1)}, ["dst", "change"], tolerance=1e-3)
    height, width = size(1024, 15), size(1024, 40)
    yield program("lbm/step", groups_of([32, 4], width, height), [32, 4],
                  {"wall": zeros("u8", height, width), "src": floats(9, height, width, low=0.5), "omega": f32(0.8),
                   "force": f32(0.001), "dst": zeros("f32", 9, height, width)}, ["dst"], tolerance=1e-4)
    rows, cols = 16, size(1 << 20, 300)
    yield program("pathfinder/descend", groups_of([128 - 2 * rows], cols), [128],
                  {"wall": integers("i32", rows + 1, cols, jitter=10), "first": i32(1), "rows": i32(rows),
                   "src": integers("i32", cols, jitter=99), "dst": zeros("i32", cols)}, ["dst"])


def points(size):
    options = size(8192, 3)
    yield program("binomial/price", [options], [128],
                  {"options": Array("binomial.Option", [options], Floats(0.5, 1.5), Floats(0.5, 1.5), Floats(0.5, 2),
                                    Integers(jitter=2)),
                   "rate": f32(0.02), "volatility": f32(0.3), "prices": zeros("f32", options)}, ["prices"],
                  tolerance=1e-4)
    n, features, centres = size(1 << 19, 300), size(16, 5), size(32, 4)
    data = {"points": floats(n, features)}
    yield program("kmeanscluster/assign", groups_of([256], n), [256],
                  {**data, "centres": floats(centres, features), "labels": zeros("i32", n)}, ["labels"],
                  may_differ=0.001)
    yield program("kmeanscluster/accumulate", groups_of([256], n), [256],
                  {**data, "labels": integers("i32", n, jitter=centres), "sums": zeros("f32", centres, features),
                   "counts": zeros("i32", centres)}, ["sums", "counts"], tolerance=1e-2)
    centres = size(1 << 19, 300)
    yield program("kmeanscluster/update", groups_of([256], centres), [256],
                  {"sums": floats(centres, features), "counts": integers("i32", centres, jitter=9),
                   "centres": zeros("f32", centres, features)}, ["sums", "counts", "centres"],
                  restored=["sums", "counts"])
    queries, n, features = size(1024, 20), size(4096, 70), size(64, 20)
    yield program("knn/distances", groups_of([16, 16], n, queries), [16, 16],
                  {"queries": floats(queries, features), "points": floats(n, features),
                   "out": zeros("f32", queries, n)}, ["out"])
    yield program("knn/nearest", [queries], [128],
                  {"distances": floats(queries, n), "indices": zeros("i32", queries, 8),
                   "roots": zeros("f32", queries, 8)}, ["indices", "roots"])
    boxes = size(4096, 4)
    box = [Integers(step=64), Integers(40, jitter=25), Integers(27), *(Integers(jitter=boxes) for _ in range(27))]
    yield program("lavamd/forces", [boxes], [64],
                  {"boxes": Array("lavamd.Box", [boxes], *box), "particles": Array("f32x4", [64 * boxes], Floats()),
                   "alpha": f32(0.5), "out": zeros("lavamd.Force", 64 * boxes)}, ["out"], tolerance=1e-3)


def random_numbers(size):
    n = size(16384, 70)
    states = integers("u32", 624, n, jitter=1 << 32)
    yield program("mersenne/seed", groups_of([32], n), [32],
                  {"seeds": integers("u32", n, jitter=1 << 32), "states": zeros("u32", 624, n)}, ["states"])
    yield program("mersenne/generate", groups_of([32], n), [32],
                  {"states": states, "words": zeros("u32", 624, n)}, ["states", "words"])
    rows = size(624, 20)
    yield program("mersenne/normal", groups_of([32, 8], n, rows // 2), [32, 8],
                  {"words": integers("u32", rows, n, jitter=1 << 32), "numbers": zeros("f32", rows, n)}, ["numbers"])
    dimensions, n = 16, size(1 << 20, 150)
    yield program("sobol/sobol", [size(256, 2), dimensions], [64],
                  {"directions": integers("u32", dimensions, 32, jitter=1 << 32),
                   "points": zeros("f32", dimensions, n)}, ["points"])
    # The energies are not sorted. A search among them takes as many steps.
    nuclides, energies, lookups = size(64, 5), size(1024, 20), size(1 << 19, 70)
    yield program("xsbench/look_up", groups_of([256], lookups), [256],
                  {"data.materials": Array("xsbench.Material", [12], Integers(step=32), Integers(8, jitter=25),
                                           Floats(0, 0.17)),
                   "data.components": Array("xsbench.Component", [12 * 32], Integers(jitter=nuclides), Floats()),
                   "data.points": Array("xsbench.Point", [nuclides, energies], Floats()),
                   "data.grid": Array("f64", [nuclides * energies], Floats()),
                   "data.below": integers("i32", nuclides * energies, nuclides, jitter=energies - 1),
                   "seed": Value("u64", 1), "sections": zeros("f64", lookups, 5)}, ["sections"], tolerance=1e-6)


def sums_and_sorts(size):
    n, groups = size(16 << 20, 1111), size(1056, 2)
    yield program("histogram256/count_bytes", [groups], [192],
                  {"words": integers("u32", n, jitter=1 << 32), "bytes": Value("i64", 4 * n - 1),
                   "partial": zeros("u32", groups, 256)}, ["partial"])
    groups = size(65536, 40)
    yield program("histogram256/add_counts", [256], [256],
                  {"partial": integers("u32", groups, 256, jitter=99), "counts": zeros("u32", 256)}, ["counts"])
    tiles = -(-n // 512)
    yield program("prefixsum/sum_tiles", [tiles], [128],
                  {"x": integers("u32", n, jitter=99), "totals": zeros("u32", tiles)}, ["totals"])
    yield program("prefixsum/scan_totals", [1], [128], {"totals": integers("u32", size(32768, 500), jitter=99)},
                  ["totals"])
    n = size(8 << 20, 1111)
    tiles = -(-n // 512)
    yield program("prefixsum/scan_tiles", [tiles], [128],
                  {"x": integers("u32", n, jitter=99), "before": integers("u32", tiles, step=999),
                   "out": zeros("u32", n)}, ["out"])

    # Each window of 100 numbers has one element of a and one of b, in random order.
    half = 160 * size(32768, 4)
    merged = {"a": integers("i32", half, step=100, jitter=100), "b": integers("i32", half, step=100, jitter=100)}
    tiles = half // 160
    yield program("mergepath/split", groups_of([64], tiles + 1), [64], {**merged, "splits": zeros("i64", tiles + 1)},
                  ["splits"])
    yield program("mergepath/merge_tiles", [tiles], [64],
                  {**merged, "splits": integers("i64", tiles + 1, step=160), "out": zeros("i32", 2 * half)}, ["out"])

    segments, length = size(1024, 2), size(4096, 600)
    keys = integers("i32", segments * length, jitter=1 << 20)
    yield program("quicksort/divide", [segments], [128],
                  {"segments": Array("quicksort.Segment", [segments], Integers(step=length),
                                     Integers(start=length, step=length)),
                   "src": keys, "dst": zeros("i32", segments * length), "sorted": zeros("i32", segments * length),
                   "long": zeros("quicksort.Segment", 2 * segments), "short": zeros("quicksort.Segment", 2 * segments),
                   "counts": zeros("u32", 2)}, ["dst", "sorted", "long", "counts"], sets=["long"],
                  restored=["counts"])
    segments = size(16384, 3)
    yield program("quicksort/sort_short", [segments], [128],
                  {"segments": Array("quicksort.Segment", [segments], Integers(step=256),
                                     Integers(start=200, step=256, jitter=57)),
                   "src": integers("i32", 256 * segments, jitter=1 << 20), "sorted": zeros("i32", 256 * segments)},
                  ["sorted"])

    n = size(8 << 20, 300)
    tiles = -(-n // 128)
    random = (Integers(jitter=1 << 32), Integers(step=1))
    yield program("radixsort/count_digits", [tiles], [128],
                  {"pairs": Array("radixsort.Pair", [n], *random), "shift": i32(8),
                   "counts": zeros("u32", 16, tiles)}, ["counts"])
    yield program("radixsort/scan_counts", [1], [128], {"counts": integers("u32", size(32768, 500), jitter=99)},
                  ["counts"])
    # Each digit of each tile has a range of its own in `sorted`, which is long enough for all pairs of the tile.
    n = size(1 << 19, 300)
    tiles = -(-n // 128)
    yield program("radixsort/move_pairs", [tiles], [128],
                  {"pairs": Array("radixsort.Pair", [n], *random), "shift": i32(8),
                   "offsets": integers("u32", 16, tiles, step=128),
                   "sorted": zeros("radixsort.Pair", 16 * 128 * tiles)}, ["sorted"])


def sequences(size):
    for length, transforms in ((64, size(65536, 3)), (1024, size(4096, 1))):
        yield program(f"fft/fft[{length}]", [transforms], [length // 4],
                      {"src": Array("f32x2", [transforms, length], Floats(-1, 1)),
                       "dst": zeros("f32x2", transforms, length), "direction": f32(-1)}, ["dst"], tolerance=1e-3)
    # The middle diagonal of tiles, which is the longest. All letters are possible, as the contract demands.
    length = size(4096, 32)
    tiles = length // 16
    yield program("nw/fill_diagonal", [tiles], [16],
                  {"a": integers("u8", length, jitter=20), "b": integers("u8", length, jitter=20),
                   "similarity": integers("i32", 256, 256, start=-4, jitter=9), "gap": i32(2),
                   "diagonal": i32(tiles - 1), "first_row": i32(0),
                   "score": integers("i32", length + 1, length + 1, jitter=9)}, ["score"])
    pairs = size(4096, 3)
    yield program("smithwaterman/align", [pairs], [64],
                  {"pairs": Array("smithwaterman.Pair", [pairs], Integers(step=400),
                                  Integers(start=150, step=400, jitter=51), Integers(start=200, step=400),
                                  Integers(start=350, step=400, jitter=51)),
                   "letters": integers("u8", 400 * pairs, jitter=4),
                   "costs": Value("smithwaterman.Costs", 5, -3, 8, 1), "scores": zeros("i32", pairs)}, ["scores"])


def programs(size):
    """`size` chooses the first or the second of two sizes."""
    for group in (cryptography, graphs_and_trees, images, systems, grids, points, random_numbers, sums_and_sorts,
                  sequences):
        yield from group(size)
