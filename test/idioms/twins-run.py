# REQUIRES: nvcc
# RUN: rm -rf %t && mkdir %t && env LD_LIBRARY_PATH=%fake-cuda %python %s %nvcc %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The twins of the examples in CUDA C++ (bench/cuda) compile without warnings, with 64-bit indices and with int, and
compute what the Simple code computes. The twins run as PTX in the interpreter, the Simple code on the CPU."""
import ctypes
import math
import pathlib
import random
import re
import struct
import subprocess
import sys

from simple_tool import EXAMPLES, read_npy, simple

NVCC, FOLDER = sys.argv[1], pathlib.Path(sys.argv[2])
TWINS = EXAMPLES.parent / "bench" / "cuda"
INDICES = {"std::int64_t": "q", "int": "i"}
# Elements of arrays, and scalars, in the notation of Python's struct.
FORMATS = {"u8": "B", "u8x4": "4B", "i32": "i", "u32": "I", "u32x2": "2I", "i64": "q", "u64": "Q",
           "f32": "f", "f32x2": "2f", "f64": "d", "Body": "8f", "Cluster": "ddI4x"}
random.seed(1)


def floats(count, low=0.0, high=1.0):
    return [struct.unpack("f", struct.pack("f", random.uniform(low, high)))[0] for _ in range(count)]


def integers(count, low, high):
    return [random.randrange(low, high) for _ in range(count)]


class Scalar:
    def __init__(self, kind, *values):
        self.kind, self.values = kind, values

    def text(self):
        return ",".join(map(str, self.values))

    def bytes(self, index):
        return struct.pack("<" + (index if self.kind == "Index" else FORMATS[self.kind]), *self.values)


class Array:
    def __init__(self, kind, shape, values=None):
        self.kind, self.shape = kind, shape
        self.format = "<" + FORMATS[kind] * math.prod(shape)
        size = len(struct.unpack(self.format, bytes(struct.calcsize(self.format))))
        self.values = values if values is not None else [0] * size
        assert len(self.values) == size, (kind, shape)

    def text(self):
        return f"{self.kind}[{','.join(map(str, self.shape))}]=" + ",".join(map(repr, self.values))

    def bytes(self):
        return struct.pack(self.format, *self.values)


class Driver:
    """The driver of test/fakecuda, which interprets PTX."""

    def __init__(self):
        self.library = ctypes.CDLL("libcuda.so.1")
        self("cuInit", 0)
        device, context = ctypes.c_int(), ctypes.c_void_p()
        self("cuDeviceGet", ctypes.byref(device), 0)
        self("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
        self("cuCtxPushCurrent", context)

    def __call__(self, name, *arguments, what=""):
        """Calls an entry. If that fails, the error says what was done."""
        status = self.status(name, *arguments)
        if status != 0:
            text = ctypes.c_char_p()
            self.status("cuGetErrorString", status, ctypes.byref(text))
            raise AssertionError(f"{name}: {text.value.decode()} {what}")

    def status(self, name, *arguments):
        entry, found = ctypes.c_void_p(), ctypes.c_int()
        assert self.library.cuGetProcAddress_v2(name.encode(), ctypes.byref(entry), 12000, ctypes.c_uint64(0),
                                                ctypes.byref(found)) == 0, name
        return ctypes.CFUNCTYPE(ctypes.c_int)(entry.value)(*arguments)

    def module(self, ptx):
        module = ctypes.c_void_p()
        self("cuModuleLoadDataEx", ctypes.byref(module), ptx + b"\0", 0, None, None)
        return module

    def launch(self, module, name, grid, block, parameters, index):
        """What the arrays among the parameters contain after the launch."""
        function, buffers, storage = ctypes.c_void_p(), {}, []
        self("cuModuleGetFunction", ctypes.byref(function), module, name.encode())
        for parameter in parameters:
            if isinstance(parameter, Array):
                data, address = parameter.bytes(), ctypes.c_uint64()
                self("cuMemAlloc", ctypes.byref(address), ctypes.c_size_t(len(data)))
                self("cuMemcpyHtoD", address, data, ctypes.c_size_t(len(data)))
                buffers[parameter] = address
                storage.append(address)
            else:
                data = parameter.bytes(index)
                storage.append((ctypes.c_char * len(data)).from_buffer_copy(data))
        pointers = (ctypes.c_void_p * len(storage))(*[ctypes.addressof(each) for each in storage])
        self("cuLaunchKernel", function, *grid, *block, 0, None, pointers, None)
        self("cuCtxSynchronize", what=f"{name} with {index}")
        results = {}
        for array, address in buffers.items():
            data = ctypes.create_string_buffer(len(array.bytes()))
            self("cuMemcpyDtoH", data, address, ctypes.c_size_t(len(data)))
            results[array] = struct.unpack(array.format, data.raw)
            self("cuMemFree", address)
        return results


class Case:
    """A launch. `arguments` are those of the example by name. `twin` are those of the twin, in order: names, or
    sizes. `written` are the arrays to compare; the order of elements does not matter in those of `is_set`."""

    def __init__(self, kernel, items, block, arguments, twin, written, tolerance=1e-5, is_set=()):
        self.file, self.kernel = kernel.split("/")
        self.entry = self.kernel.replace("[", "__").replace("]", "")
        self.items, self.block = items, block
        self.arguments, self.written = arguments, written
        self.twin = [arguments[each] if isinstance(each, str) else each if isinstance(each, Scalar) else
                     Scalar("Index", each) for each in twin]
        self.tolerance, self.is_set = tolerance, is_set

    def expected(self):
        line = ["run", EXAMPLES / f"{self.file}.spl", "--kernel", self.kernel]
        for option, value in (("--global", self.items), ("--local", self.block)):
            line += [option, ",".join(map(str, value))]
        for name, value in self.arguments.items():
            line += ["--arg", f"{name}={value.text()}"]
        for name in self.written:
            line += ["--save", f"{name}={FOLDER / name}.npy"]
        done = simple(*line)
        assert done.status == 0, done
        return {name: struct.unpack(self.arguments[name].format, read_npy(FOLDER / f"{name}.npy")[2])
                for name in self.written}

    def found(self, driver, module, index):
        extents = [[*each, 1, 1][:3] for each in (self.items, self.block)]
        grid = [-(-items // block) for items, block in zip(*extents)]
        results = driver.launch(module, self.entry, grid, extents[1], self.twin, index)
        return {name: results[self.arguments[name]] for name in self.written}

    def compare(self, found, expected):
        for name in self.written:
            ours, theirs = expected[name], found[name]
            if name in self.is_set:
                ours, theirs = sorted(ours), sorted(theirs)
            bad = [(at, a, b) for at, (a, b) in enumerate(zip(ours, theirs))
                   if not (a == b or abs(a - b) <= self.tolerance * max(1, abs(a)))]
            assert not bad, f"{self.kernel}, {name}: {len(bad)} of {len(ours)} differ: {bad[:5]}"
            assert len(set(theirs)) > 1 or len(theirs) == 1, f"{self.kernel}, {name}: all are {theirs[0]}"


def element_wise(count=777):
    call, put = Array("f32", [count]), Array("f32", [count])
    options = {"spot": Array("f32", [count], floats(count, 0.5, 1.5)),
               "strike": Array("f32", [count], floats(count, 0.5, 1.5)),
               "years": Array("f32", [count], floats(count, 0.1, 2)), "call": call, "put": put,
               "rate": Scalar("f32", 0.02), "volatility": Scalar("f32", 0.3)}
    wide = {name: Array("f64", [count], value.values) if isinstance(value, Array) else Scalar("f64", *value.values)
            for name, value in options.items()}
    order = ["spot", "strike", "years", "call", "put", count, "rate", "volatility"]
    yield Case("vector_add/vector_add", [count], [128],
               {"a": Array("f32", [count], floats(count)), "b": Array("f32", [count], floats(count)),
                "out": Array("f32", [count])}, ["a", "b", "out", count], ["out"])
    yield Case("saxpy/saxpy", [count], [64],
               {"alpha": Scalar("f32", 2.5), "x": Array("f32", [count], floats(count)),
                "y": Array("f32", [count], floats(count))}, ["alpha", "x", "y", count], ["y"])
    yield Case("black_scholes/black_scholes[f32]", [count], [256], options, order, ["call", "put"])
    yield Case("black_scholes/black_scholes[f64]", [count], [256], wide, order, ["call", "put"], 1e-9)
    yield Case("logistic/logistic", [count], [64],
               {"rounds": Scalar("Index", 7), "src": Array("f32", [count], floats(count, 0.1, 0.9)),
                "dst": Array("f32", [count])}, ["rounds", "src", "dst", count], ["dst"], 1e-4)
    yield Case("mandelbrot/mandelbrot", [50, 33], [16, 16],
               {"width": Scalar("Index", 47), "height": Scalar("Index", 31), "limit": Scalar("i32", 30),
                "out": Array("i32", [47 * 31])}, ["width", "height", "limit", "out"], ["out"])
    for kernel, kind in (("random_words", "u32"), ("random_floats", "f32")):
        yield Case(f"philox/{kernel}", [count], [128],
                   {"out": Array(kind, [count - 2]), "seed": Scalar("u32x2", 12345, 0xdeadbeef)},
                   ["out", count - 2, "seed"], ["out"])
    lengths = integers(99, 0, 14)
    starts = [sum(lengths[:at]) for at in range(100)]
    yield Case("murmur3/hash_keys", [99], [32],
               {"bytes": Array("u8", [starts[-1]], integers(starts[-1], 0, 256)), "starts": Array("i64", [100], starts),
                "seed": Scalar("u32", 7), "out": Array("u32", [99])}, ["bytes", "starts", "seed", "out", 99], ["out"])


def two_dimensions():
    rows, cols = 37, 45
    yield Case("floyd_warshall/relax", [37, 37], [16, 16],
               {"distance": Array("i32", [37, 37], integers(37 * 37, 0, 100)), "k": Scalar("Index", 5)},
               ["distance", 37, "k"], ["distance"])
    yield Case("stencil/diffuse", [48, 48], [16, 16],
               {"src": Array("f32", [rows, cols], floats(rows * cols)), "dst": Array("f32", [rows, cols]),
                "rate": Scalar("f32", 0.1)}, ["src", "dst", rows, cols, "rate"], ["dst"])
    for kind, values in (("f32", floats(rows * cols)), ("u8", integers(rows * cols, 0, 256))):
        yield Case(f"transpose/transpose[{kind}]", [64, 16], [32, 8],
                   {"src": Array(kind, [rows, cols], values), "dst": Array(kind, [cols, rows])},
                   ["src", "dst", rows, cols], ["dst"])
    yield Case("matmul/matmul", [32, 48], [16, 16],
               {"a": Array("f32", [33, 21], floats(33 * 21)), "b": Array("f32", [21, 19], floats(21 * 19)),
                "c": Array("f32", [33, 19])}, ["a", "b", "c", 33, 21, 19], ["c"])
    yield Case("resize/resize", [32, 32], [32, 8],
               {"src": Array("u8x4", [9, 13], integers(4 * 9 * 13, 0, 256)), "dst": Array("u8x4", [27, 31])},
               ["src", 9, 13, "dst", 27, 31], ["dst"], 0)
    yield Case("layer_norm/layer_norm", [3 * 128], [128],
               {"src": Array("f32", [3, 300], floats(900)), "gain": Array("f32", [300], floats(300)),
                "bias": Array("f32", [300], floats(300)), "dst": Array("f32", [3, 300]),
                "epsilon": Scalar("f32", 1e-5)},
               ["src", "gain", "bias", "dst", 300, "epsilon"], ["dst"], 1e-4)
    yield Case("softmax/softmax", [3 * 64], [64],
               {"src": Array("f32", [3, 150], floats(450, -3, 3)), "dst": Array("f32", [3, 150])},
               ["src", "dst", 150], ["dst"])


def sums_and_sorts():
    count = 1111
    x, y = floats(count), floats(count)
    yield Case("reduction/sum_partial", [512], [256],
               {"x": Array("f32", [count], x), "partial": Array("f32", [2])}, ["x", count, "partial"], ["partial"])
    yield Case("reduction/sum_groups", [384], [96],
               {"x": Array("f32", [count], x), "partial": Array("f32", [4])}, ["x", count, "partial"], ["partial"])
    yield Case("reduction/sum_atomic", [count], [64],
               {"x": Array("i32", [count], integers(count, -9, 99)), "total": Array("i32", [1])},
               ["x", count, "total"], ["total"])
    yield Case("linear_regression/gradient", [count], [256],
               {"x": Array("f32", [count], x), "y": Array("f32", [count], y), "model": Array("f32", [2], [0.5, 0.25]),
                "sums": Array("f32", [3])}, ["x", "y", count, "model", "sums"], ["sums"], 1e-4)
    yield Case("linear_regression/descend", [2], [2],
               {"rate": Scalar("f32", 0.1), "count": Scalar("f32", 100), "sums": Array("f32", [3], floats(3)),
                "model": Array("f32", [2], [1, 2])}, ["rate", "count", "sums", "model"], ["model"])
    yield Case("scan/scan_blocks", [384], [128],
               {"x": Array("i32", [700], integers(700, -9, 99)), "out": Array("i32", [700]),
                "totals": Array("i32", [3])},
               ["x", "out", 700, "totals"], ["out", "totals"])
    yield Case("scan/add_offsets", [384], [128],
               {"out": Array("i32", [700], integers(700, 0, 99)), "offsets": Array("i32", [3], [7, 50, 200])},
               ["out", 700, "offsets"], ["out"])
    yield Case("scan/scan_small", [96], [96],
               {"x": Array("i32", [700], integers(700, -9, 99)), "out": Array("i32", [700])},
               ["x", "out", 700], ["out"])
    yield Case("bitonic_sort/sort_tiles[f32]", [384], [128],
               {"keys": Array("f32", [700], floats(700)), "padding": Scalar("f32", math.inf)},
               ["keys", 700, "padding"], ["keys"])
    for stride in (8, 4):
        yield Case("bitonic_sort/sort_step", [350], [64],
                   {"keys": Array("i32", [700], integers(700, 0, 99)), "size": Scalar("Index", 16),
                    "stride": Scalar("Index", stride)}, ["keys", 700, "size", "stride"], ["keys"])
    yield Case("histogram/histogram", [512], [128],
               {"bytes": Array("u8", [count], integers(count, 0, 256)), "counts": Array("u32", [256])},
               ["bytes", count, "counts"], ["counts"])


def graphs_and_points():
    lengths = integers(60, 0, 70)
    starts = [sum(lengths[:at]) for at in range(61)]
    edges = starts[-1]
    yield Case("spmv/spmv", [64 * 32], [64],
               {"starts": Array("i32", [61], starts), "columns": Array("i32", [edges], integers(edges, 0, 60)),
                "values": Array("f32", [edges], floats(edges)), "x": Array("f32", [60], floats(60)),
                "y": Array("f32", [60])}, ["starts", "columns", "values", "x", "y", 60], ["y"], 1e-4)
    yield Case("bfs/bfs_level", [20], [32],
               {"starts": Array("i32", [61], starts), "neighbours": Array("i32", [edges], integers(edges, 0, 60)),
                "frontier": Array("i32", [20], list(range(0, 60, 3))), "frontier_size": Scalar("i32", 17),
                "level": Scalar("i32", 2), "depth": Array("i32", [60], [1 if at % 3 == 0 else -1 for at in range(60)]),
                "next": Array("i32", [60]), "next_size": Array("i32", [1])},
               ["starts", "neighbours", "frontier", "frontier_size", "level", "depth", "next", "next_size"],
               ["depth", "next", "next_size"], is_set=("next",))
    points = Array("f32x2", [333], floats(666))
    label = integers(333, 0, 7)
    yield Case("kmeans/assign", [333], [64],
               {"points": points, "centres": Array("f32x2", [7], floats(14)), "label": Array("i32", [333])},
               ["points", 333, "centres", Scalar("i32", 7), "label"], ["label"])
    yield Case("kmeans/accumulate", [128], [64],
               {"points": points, "label": Array("i32", [333], label), "clusters": Array("Cluster", [7])},
               ["points", 333, "label", "clusters"], ["clusters"])
    clusters = Array("Cluster", [7], [value for at in range(7) for value in (at * 1.5, at + 2.25, at)])
    yield Case("kmeans/new_centres", [7], [32], {"clusters": clusters, "centres": Array("f32x2", [7])},
               ["clusters", "centres", 7], ["centres"])
    yield Case("nbody/step", [256], [128],
               {"bodies": Array("Body", [150], floats(8 * 150)), "out": Array("Body", [150]),
                "dt": Scalar("f32", 0.01)},
               ["bodies", "out", 150, "dt"], ["out"], 1e-3)
    yield Case("nqueens/count_queens", [64], [32], {"n": Scalar("i32", 6), "total": Array("u64", [1])},
               ["n", "total"], ["total"])


def main():
    cases, driver = [], Driver()
    for family in (element_wise, two_dimensions, sums_and_sorts, graphs_and_points):
        cases += family()
    expected = [case.expected() for case in cases]
    for type_, index in INDICES.items():
        for source in sorted(TWINS.glob("*.cu")):
            ptx = FOLDER / "twin.ptx"
            subprocess.run([NVCC, "-O3", "-std=c++17", "-arch=compute_80", "-Werror", "all-warnings",
                            "-Wno-deprecated-gpu-targets", f"-DINDEX={type_}", "-ptx", source, "-o", ptx], check=True)
            module = driver.module(ptx.read_bytes())
            launched = [case for case in cases if case.file == source.stem]
            assert launched, source
            for case in launched:
                case.compare(case.found(driver, module, index), expected[cases.index(case)])
            kernels = {case.entry for case in launched}
            entries = set(re.findall(r"\.visible \.entry (\w+)", ptx.read_text(encoding="utf-8")))
            assert kernels == entries, f"{source}: {sorted(entries)}, of which {sorted(kernels)} are launched"


main()
