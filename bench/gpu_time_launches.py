# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What scripts/bench gpu-time launches: one launch for each kernel of the examples. gpu_time_programs.py has those of the
programs.

- The arrays of a launch take at most about 100 MB. A kernel takes 50 us or more on an H100, where that is possible.
- Each size has a second, smaller value for the interpreter of PTX (run --quick).
"""
import math
import struct
import types

import program_twins

# By type of elements: its bytes, and for each of its fields the type of number, the offset and the stride. Both count
# numbers of that type.
KINDS = {
    **{kind: (size, [(kind, 0, 1)]) for kind, size in (("u8", 1), ("i16", 2), ("i32", 4), ("u32", 4), ("f32", 4),
                                                       ("i64", 8), ("u64", 8), ("f64", 8))},
    "u8x4": (4, [("u8", 0, 1)]),
    "f32x2": (8, [("f32", 0, 1)]),
    "Body": (32, [("f32", 0, 1)]),
    "Cluster": (24, [("f64", 0, 3), ("f64", 1, 3), ("u32", 4, 6)]),
}
VALUES = {"i32": "i", "u32": "I", "u32x2": "2I", "i64": "q", "u64": "Q", "f32": "f", "f64": "d"}


class Floats:
    """A fill with floats that are uniform in [low, high)."""

    def __init__(self, low=0.0, high=1.0):
        self.low, self.high = low, high

    def row(self):
        return {"low": self.low, "high": self.high}


class Integers:
    """A fill with a ramp, to which a random integer in [0, jitter) is added."""

    def __init__(self, start=0, step=0, jitter=1):
        self.start, self.step, self.jitter = start, step, jitter

    def row(self):
        return {"start": self.start, "step": self.step, "jitter": self.jitter}


class Array:
    """An array of a launch. Without a fill it is zeros. For a struct there is a fill for each field, or one for all."""

    def __init__(self, kind, shape, *fills):
        self.kind, self.shape, self.fills = kind, shape, fills

    def len(self):
        return math.prod(self.shape)

    def dim(self, axis):
        return self.shape[axis]

    def row(self):
        size, numbers = KINDS[self.kind]
        fills = self.fills if len(self.fills) > 1 else self.fills * len(numbers)
        return {"bytes": self.len() * size,
                "numbers": [{"type": kind, "offset": offset, "stride": stride}
                            for kind, offset, stride in numbers],
                "fills": [fill.row() for fill in fills]}


class Value:
    """A scalar or vector. If `checked` is given, results are compared with that value, and times are measured with the
    other. `fields` are the names of the values of a struct."""

    def __init__(self, kind, *values, checked=None, fields=()):
        self.kind, self.values, self.fields = kind, values, fields
        self.checked = values if checked is None else checked

    def named(self):
        """What the value is called in a launch contract: the value of a scalar, or an object with fields."""
        return types.SimpleNamespace(**dict(zip(self.fields, self.values))) if self.fields else self.values[0]

    def bytes(self, is_checked, index="i64"):
        kind = index if self.kind == "Index" else self.kind
        return struct.pack("<" + VALUES[kind], *(self.checked if is_checked else self.values))


class Launch:
    """A launch of a kernel of Simple and of its twin.

    - `arguments` are those of the kernel of Simple by name, in order.
    - `twin` are those of the twin: names of `arguments`, sizes of type Index, or other values.
    - `written` are the arrays that are compared. In those of `sets`, the order of the elements does not matter.
    - `may_differ` is the fraction of the elements that may differ, where a rounding decides.
    - `restored` are the arrays on whose contents the time depends."""

    def __init__(self, kernel, groups, block, arguments, twin, written, *, tolerance=1e-5, may_differ=0.0, sets=(),
                 restored=()):
        self.kernel = kernel
        self.entry = program_twins.symbol(kernel.split("/")[1])
        self.grid, self.block = ([*extents, 1, 1][:3] for extents in (groups, block))
        self.arguments = arguments
        self.twin = [Value("Index", each) if isinstance(each, int) else each for each in twin]
        self.written, self.tolerance, self.may_differ = written, tolerance, may_differ
        self.sets, self.restored = sets, restored

    def global_size(self, axis):
        return self.grid[axis] * self.block[axis]

    def num_groups(self, axis):
        return self.grid[axis]


def groups_of(block, *items):
    return [-(-each // size) for each, size in zip(items, block)]


def element_wise(size):
    n, block = size(8 << 20, 700), [256]
    groups = groups_of(block, n)
    yield Launch("vector_add/vector_add", groups, block,
                 {"a": Array("f32", [n], Floats()), "b": Array("f32", [n], Floats()), "out": Array("f32", [n])},
                 ["a", "b", "out", n], ["out"])
    m = size(12 << 20, 700)
    yield Launch("saxpy/saxpy", groups_of(block, m), block,
                 {"alpha": Value("f32", 2.5), "x": Array("f32", [m], Floats()), "y": Array("f32", [m], Floats())},
                 ["alpha", "x", "y", m], ["y"])
    for kind, options, tolerance in (("f32", size(4 << 20, 300), 1e-4), ("f64", size(2 << 20, 300), 1e-9)):
        arrays = {name: Array(kind, [options], Floats(0.5, 1.5)) for name in ("spot", "strike", "years")}
        arrays |= {name: Array(kind, [options]) for name in ("call", "put")}
        yield Launch(f"black_scholes/black_scholes[{kind}]", groups_of(block, options), block,
                     {**arrays, "rate": Value(kind, 0.02), "volatility": Value(kind, 0.3)},
                     [*arrays, options, "rate", "volatility"], ["call", "put"], tolerance=tolerance)
    # The map is chaotic: after many rounds all digits depend on the roundings.
    yield Launch("logistic/logistic", groups, block,
                 {"rounds": Value("i64", size(256, 7), checked=[7]), "src": Array("f32", [n], Floats(0.1, 0.9)),
                  "dst": Array("f32", [n])}, [Value("Index", size(256, 7), checked=[7]), "src", "dst", n], ["dst"],
                 tolerance=1e-4)
    side, limit = size(4096, 40), size(200, 30)
    yield Launch("mandelbrot/mandelbrot", groups_of([32, 8], side, side), [32, 8],
                 {"width": Value("i64", side), "height": Value("i64", side), "limit": Value("i32", limit),
                  "out": Array("i32", [side * side])}, [side, side, "limit", "out"], ["out"], may_differ=0.01)
    words = size(16 << 20, 700)
    for kernel, kind, each in (("random_words", "u32", 4), ("random_floats", "f32", 1)):
        yield Launch(f"philox/{kernel}", groups_of(block, -(-words // each)), block,
                     {"out": Array(kind, [words]), "seed": Value("u32x2", 12345, 0xdeadbeef)},
                     ["out", words, "seed"], ["out"])
    keys = size(2 << 20, 300)
    yield Launch("murmur3/hash_keys", groups_of(block, keys), block,
                 {"bytes": Array("u8", [32 * keys + 32], Integers(jitter=256)),
                  "starts": Array("i64", [keys + 1], Integers(step=32, jitter=32)), "seed": Value("u32", 7),
                  "out": Array("u32", [keys])}, ["bytes", "starts", "seed", "out", keys], ["out"])


def two_dimensions(size):
    n = size(4096, 50)
    yield Launch("floyd_warshall/relax", groups_of([16, 16], n, n), [16, 16],
                 {"distance": Array("i32", [n, n], Integers(jitter=1000)), "k": Value("i64", n // 2)},
                 ["distance", n, n // 2], ["distance"], restored=["distance"])
    rows, cols = size(3072, 37), size(3104, 45)
    yield Launch("stencil/diffuse", groups_of([16, 16], cols, rows), [16, 16],
                 {"src": Array("f32", [rows, cols], Floats()), "dst": Array("f32", [rows, cols]),
                  "rate": Value("f32", 0.1)}, ["src", "dst", rows, cols, "rate"], ["dst"])
    for kind, factor, fill in (("f32", 1, Floats()), ("u8", size(2, 1), Integers(jitter=256))):
        yield Launch(f"transpose/transpose[{kind}]", groups_of([32, 32], factor * cols, factor * rows), [32, 8],
                     {"src": Array(kind, [factor * rows, factor * cols], fill),
                      "dst": Array(kind, [factor * cols, factor * rows])},
                     ["src", "dst", factor * rows, factor * cols], ["dst"])
    a, b, c = size(1024, 33), size(1024, 21), size(1024, 19)
    yield Launch("matmul/matmul", groups_of([16, 16], c, a), [16, 16],
                 {"a": Array("f32", [a, b], Floats()), "b": Array("f32", [b, c], Floats()), "c": Array("f32", [a, c])},
                 ["a", "b", "c", a, b, c], ["c"])
    src, dst = [size(2000, 9), size(3000, 13)], [size(3072, 27), size(4096, 31)]
    yield Launch("resize/resize", groups_of([32, 8], dst[1], dst[0]), [32, 8],
                 {"src": Array("u8x4", src, Integers(jitter=256)), "dst": Array("u8x4", dst)},
                 ["src", *src, "dst", *dst], ["dst"], may_differ=0.001)
    rows, cols = size(8192, 3), size(1024, 150)
    yield Launch("layer_norm/layer_norm", [rows], [128],
                 {"src": Array("f32", [rows, cols], Floats()), "gain": Array("f32", [cols], Floats()),
                  "bias": Array("f32", [cols], Floats()), "dst": Array("f32", [rows, cols]),
                  "epsilon": Value("f32", 1e-5)},
                 ["src", "gain", "bias", "dst", cols, "epsilon"], ["dst"], tolerance=1e-4)
    yield Launch("softmax/softmax", [rows], [256],
                 {"src": Array("f32", [rows, cols], Floats(-3, 3)), "dst": Array("f32", [rows, cols])},
                 ["src", "dst", cols], ["dst"], tolerance=1e-7)


def sums(size):
    n, groups = size(16 << 20, 1111), [size(1056, 2)]
    for kernel in ("sum_partial", "sum_groups"):
        yield Launch(f"reduction/{kernel}", groups, [256],
                     {"x": Array("f32", [n], Floats()), "partial": Array("f32", groups)},
                     ["x", n, "partial"], ["partial"])
    yield Launch("reduction/sum_atomic", groups_of([256], n), [256],
                 {"x": Array("i32", [n], Integers(-9, jitter=99)), "total": Array("i32", [1])},
                 ["x", n, "total"], ["total"])
    samples = size(8 << 20, 1111)
    yield Launch("linear_regression/gradient", groups_of([256], samples), [256],
                 {"x": Array("f32", [samples], Floats()), "y": Array("f32", [samples], Floats()),
                  "model": Array("f32", [2], Floats()), "sums": Array("f32", [3])},
                 ["x", "y", samples, "model", "sums"], ["sums"], tolerance=1e-3)
    yield Launch("linear_regression/descend", [1], [2],
                 {"rate": Value("f32", 0.1), "count": Value("f32", 100), "sums": Array("f32", [3], Floats()),
                  "model": Array("f32", [2], Floats())}, ["rate", "count", "sums", "model"], ["model"])
    scanned = size(8 << 20, 700)
    tiles = -(-scanned // 256)
    yield Launch("scan/scan_blocks", [tiles], [128],
                 {"x": Array("i32", [scanned], Integers(-9, jitter=99)), "out": Array("i32", [scanned]),
                  "totals": Array("i32", [tiles])}, ["x", "out", scanned, "totals"], ["out", "totals"])
    tiles = -(-n // 256)
    yield Launch("scan/add_offsets", [tiles], [128],
                 {"out": Array("i32", [n], Integers(jitter=99)), "offsets": Array("i32", [tiles], Integers(step=7))},
                 ["out", n, "offsets"], ["out"])
    few, block = size(1 << 18, 700), [size(1024, 96)]
    yield Launch("scan/scan_small", [1], block,
                 {"x": Array("i32", [few], Integers(-9, jitter=99)), "out": Array("i32", [few])},
                 ["x", "out", few], ["out"])
    data = size(64 << 20, 1111)
    yield Launch("histogram/histogram", groups, [256],
                 {"bytes": Array("u8", [data], Integers(jitter=256)), "counts": Array("u32", [256])},
                 ["bytes", data, "counts"], ["counts"])


def sorts(size):
    n = size(16 << 20, 700)
    yield Launch("bitonic_sort/sort_tiles[f32]", groups_of([256], n), [128],
                 {"keys": Array("f32", [n], Floats()), "padding": Value("f32", math.inf)},
                 ["keys", n, "padding"], ["keys"], restored=["keys"])
    step, stride = size(4096, 16), size(1024, 4)
    yield Launch("bitonic_sort/sort_step", groups_of([512], n), [256],
                 {"keys": Array("i32", [n], Integers(jitter=1 << 20)), "size": Value("i64", step),
                  "stride": Value("i64", stride)}, ["keys", n, step, stride], ["keys"], restored=["keys"])


def graphs_and_points(size):
    rows = size(1 << 18, 60)
    yield Launch("spmv/spmv", groups_of([256], 32 * rows), [256],
                 {"starts": Array("i32", [rows + 1], Integers(step=32, jitter=32)),
                  "columns": Array("i32", [32 * rows + 32], Integers(jitter=rows)),
                  "values": Array("f32", [32 * rows + 32], Floats()), "x": Array("f32", [rows], Floats()),
                  "y": Array("f32", [rows])}, ["starts", "columns", "values", "x", "y", rows], ["y"], tolerance=1e-4)
    nodes = size(1 << 20, 60)
    yield Launch("bfs/bfs_level", groups_of([256], nodes // 2), [256],
                 {"starts": Array("i32", [nodes + 1], Integers(step=8, jitter=8)),
                  "neighbours": Array("i32", [8 * nodes + 8], Integers(jitter=nodes)),
                  "frontier": Array("i32", [nodes // 2], Integers(step=2)), "frontier_size": Value("i32", nodes // 2),
                  "level": Value("i32", 2), "depth": Array("i32", [nodes], Integers(-1)),
                  "next": Array("i32", [nodes]), "next_size": Array("i32", [1])},
                 ["starts", "neighbours", "frontier", "frontier_size", "level", "depth", "next", "next_size"],
                 ["depth", "next", "next_size"], sets=["next"], restored=["depth", "next_size"])
    points, centres = size(4 << 20, 300), size(64, 5)
    yield Launch("kmeans/assign", groups_of([256], points), [256],
                 {"points": Array("f32x2", [points], Floats()), "centres": Array("f32x2", [centres], Floats()),
                  "label": Array("i32", [points])},
                 ["points", points, "centres", Value("i32", centres), "label"], ["label"], may_differ=0.001)
    points, centres = size(1 << 20, 300), size(1024, 5)
    yield Launch("kmeans/accumulate", groups_of([256], points), [256],
                 {"points": Array("f32x2", [points], Floats()),
                  "label": Array("i32", [points], Integers(jitter=centres)),
                  "clusters": Array("Cluster", [centres])}, ["points", points, "label", "clusters"], ["clusters"],
                 tolerance=1e-9)
    centres = size(2 << 20, 300)
    yield Launch("kmeans/new_centres", groups_of([256], centres), [256],
                 {"clusters": Array("Cluster", [centres], Floats(), Floats(), Integers(jitter=9)),
                  "centres": Array("f32x2", [centres])}, ["clusters", "centres", centres], ["centres"])
    bodies = size(16384, 200)
    yield Launch("nbody/step", groups_of([128], bodies), [128],
                 {"bodies": Array("Body", [bodies], Floats()), "out": Array("Body", [bodies]),
                  "dt": Value("f32", 0.01)},
                 ["bodies", "out", bodies, "dt"], ["out"], tolerance=1e-4)
    queens = size(12, 6)
    yield Launch("nqueens/count_queens", groups_of([64], queens * queens), [64],
                 {"n": Value("i32", queens), "total": Array("u64", [1])}, ["n", "total"], ["total"])


def examples(size):
    """`size` chooses the first or the second of two sizes."""
    for group in (element_wise, two_dimensions, sums, sorts, graphs_and_points):
        yield from group(size)
