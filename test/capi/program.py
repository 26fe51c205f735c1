# UNSUPPORTED: asan
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: rm -rf %t && mkdir %t && echo 'backend: cpu' > %t/dl.config.sdn && echo 'dtipe: f32' >> %t/dl.config.sdn
# RUN: cd %t && env SPL_BACKEND=cpu %python %s %build_root/lib/libspl-jit.so %examples
# RUN: cd %t && env SPL_BACKEND=cuda LD_LIBRARY_PATH=%build_root/test/fakecuda %python %s %build_root/lib/libspl-jit.so %examples
"""Uses the C interface from Python through ctypes alone. Does the same as the C++ examples, with Python
functions as stages and producers. Checks its own results."""
import ctypes
import os
import sys
from ctypes import (CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_double, c_float, c_int32, c_int64,
                    c_size_t, c_uint64, c_void_p, sizeof)

library, examples = sys.argv[1:]
spl = ctypes.CDLL(library)
spl.spl_last_error.restype = spl.spl_status_name.restype = spl.spl_gpu_backend_name.restype = c_char_p
spl.spl_gpu_alloc_ones.restype = spl.spl_gpu_stream_create.restype = c_uint64
spl.spl_handle_count.restype = c_size_t

INVALID_ARGUMENT, OVERLAPPING_ARGUMENTS, KERNEL_FAULT, CALLBACK_FAILED, INVALID_HANDLE = 1, 2, 10, 13, 15


class LaunchConfig(Structure):
    _fields_ = [("axes", c_int32), ("work_items", c_int64 * 3), ("local", c_int64 * 3),
                ("shared_bytes", c_int64), ("time_limit_ms", c_int64)]


class Argument(Structure):
    _fields_ = [("name", c_char_p), ("array", c_uint64), ("read_only", c_int32),
                ("type", c_char_p), ("value", c_void_p)]


class Fault(Structure):
    _fields_ = [("kind", c_int32), ("kind_name", c_char_p), ("file", c_char_p), ("line", c_int32),
                ("column", c_int32), ("value", c_int64), ("bound", c_int64), ("subject", c_char_p),
                ("work_item", c_int64 * 3), ("group", c_int64 * 3), ("is_value_unsigned", c_int32)]


class ErrorInfo(Structure):
    _fields_ = [("status", c_int32), ("status_name", c_char_p), ("message", c_char_p),
                ("call", c_char_p), ("native_code", c_int64), ("native_name", c_char_p),
                ("context", c_char_p), ("hint", c_char_p), ("batch", c_int64), ("stage", c_int32),
                ("skipped", c_uint64), ("others", c_uint64)]


class ConfigInfo(Structure):
    _fields_ = [("file", c_char_p), ("backend", c_char_p), ("device", c_int32), ("use_gpu", c_int32),
                ("dtype", c_char_p), ("place", c_char_p), ("warnings", c_size_t),
                ("cpu_threads", c_int32)]


StageFunction = CFUNCTYPE(c_int32, c_void_p, c_size_t, c_size_t, c_uint64)
Producer = CFUNCTYPE(c_int32, c_void_p, c_size_t, POINTER(c_void_p), POINTER(c_int32))
Drop = CFUNCTYPE(None, c_void_p, c_void_p)


class Stages(Structure):
    _fields_ = [("upload", StageFunction), ("compute", StageFunction), ("download", StageFunction),
                ("user", c_void_p)]


class LoaderOptions(Structure):
    _fields_ = [("produce", Producer), ("drop", Drop), ("user", c_void_p), ("prefetch", c_size_t),
                ("workers", c_size_t), ("trace", c_uint64)]


def ok(name, *arguments):
    status = getattr(spl, name)(*arguments)
    assert status == 0, (name, spl.spl_status_name(status), spl.spl_last_error())


def fails(status, name, *arguments):
    assert getattr(spl, name)(*arguments) == status, (name, spl.spl_last_error())
    return spl.spl_last_error().decode()


def make(name, *arguments):
    handle = c_uint64()
    ok(name, *arguments, byref(handle))
    assert handle.value
    return handle


def launch(stream, kernel, size, *arguments):
    """The arguments of a launch in their order: arrays and ctypes values."""
    types = {c_float: b"f32", c_int64: b"i64"}
    listed = (Argument * len(arguments))()
    for target, given in zip(listed, arguments):
        if isinstance(given, c_uint64):
            target.array = given.value
        else:
            target.type, target.value = types[type(given)], ctypes.addressof(given)
    ok("spl_launch_async", ctx, stream, kernel, byref(LaunchConfig(1, (size,))), listed,
       c_size_t(len(arguments)))


SIZE, BATCHES, BUFFERS = 1025, 5, 3
Batch = c_float * SIZE
shape = (c_int64 * 1)(SIZE)
ctx = make("spl_context_make_default")


def read(array):
    result = Batch()
    ok("spl_array_download", array, result, c_size_t(sizeof(result)))
    return list(result)


# A stream that waits for another one.
module = make("spl_jit_load_file", ctx, f"{examples}/saxpy.spl".encode(), None)
saxpy = make("spl_module_kernel", module, b"saxpy")
x = make("spl_array_alloc_upload", ctx, b"f32", 1, shape, Batch(*range(SIZE)))
y = make("spl_array_alloc_zeros", ctx, b"f32", 1, shape)
first, second = make("spl_stream_make", ctx, 0), make("spl_stream_make", ctx, 1)
event = make("spl_event_make", ctx)
launch(first, saxpy, SIZE, c_float(2), x, y)
ok("spl_stream_record", first, event)
ok("spl_stream_wait", second, event)
launch(second, saxpy, SIZE, c_float(0.5), x, y)
ok("spl_stream_sync", second)
assert read(y) == [2.5 * i for i in range(SIZE)]

# A pipeline whose batches come from a loader.
logistic_module = make("spl_jit_load_file", ctx, f"{examples}/logistic.spl".encode(), None)
logistic = make("spl_module_kernel", logistic_module, b"logistic")
alive, dropped, inputs, results = {}, [], {}, [Batch() for _ in range(BATCHES)]


@Producer
def produce(_, index, batch, there):
    if index >= BATCHES + 2:
        there[0] = 0
        return 0
    alive[index] = Batch(*((i + index) % 64 / 64 for i in range(SIZE)))
    batch[0] = index + 1  # Python owns the batch itself
    return 0


@Drop
def drop(_, batch):
    dropped.append(batch - 1)


loader = make("spl_loader_make", byref(LoaderOptions(produce, drop, None, 2, 2, 0)))
source = [make("spl_array_alloc", ctx, b"f32", 1, shape, 0) for _ in range(BUFFERS)]
target = [make("spl_array_alloc", ctx, b"f32", 1, shape, 0) for _ in range(BUFFERS)]


@StageFunction
def upload(_, batch, buffer, stream):
    taken, there = c_void_p(), c_int32()
    ok("spl_loader_next", loader, byref(taken), byref(there))
    assert there.value and taken.value == batch + 1
    inputs[batch] = alive[batch]
    return spl.spl_array_upload_async(source[buffer], inputs[batch], c_size_t(sizeof(Batch)),
                                      c_uint64(stream))


@StageFunction
def compute(_, batch, buffer, stream):
    launch(c_uint64(stream), logistic, SIZE, c_int64(2), source[buffer], target[buffer])
    return 0


@StageFunction
def download(_, batch, buffer, stream):
    return spl.spl_array_download_async(target[buffer], results[batch], c_size_t(sizeof(Batch)),
                                        c_uint64(stream))


pipeline = make("spl_pipeline_make", ctx, byref(Stages(upload, compute, download, None)),
                c_size_t(BUFFERS), c_uint64(0))
ok("spl_pipeline_run", pipeline, c_size_t(BATCHES))
for batch, result in enumerate(results):
    for i, value in enumerate(result):
        expected = inputs[batch][i]
        for _ in range(2):
            expected = 3.7 * expected * (1 - expected)
        assert abs(value - expected) < 1e-5, (batch, i, value, expected)
ok("spl_loader_free", loader)
assert sorted(dropped) in ([], [5], [5, 6]), dropped


# A stage that fails. The error has its status, its batch and its stage.
@StageFunction
def failing(_, batch, buffer, stream):
    return 4711 if batch == 1 else 0


broken = make("spl_pipeline_make", ctx, byref(Stages(download=failing)), c_size_t(1), c_uint64(0))
text = fails(CALLBACK_FAILED, "spl_pipeline_run", broken, c_size_t(3))
assert text.startswith("batch 1, download: the download stage returned status 4711"), text
info = ErrorInfo()
spl.spl_last_error_info(byref(info))
assert (info.batch, info.stage, info.status_name) == (1, 2, b"callback-failed")

# The settings of dl.config.sdn.
config, config_info, warning = make("spl_config_find"), ConfigInfo(), c_char_p()
ok("spl_config_get", config, byref(config_info))
assert config_info.backend == b"cpu" and config_info.warnings == 1 and config_info.use_gpu == -1
ok("spl_config_warning", config, c_size_t(0), byref(warning))
assert b"dl.config.sdn:2: unknown key 'dtipe'" in warning.value, warning.value
followed = make("spl_context_make_with", config)

# A fault on the CPU. The error has its location.
code = b"#[gpu]\nfn far(y: &mut [f32]):\n    y[gpu.global_id() + 9] = 1.0\n"
far_module = make("spl_jit_load_source", followed, code, b"far.spl", None)
far = make("spl_module_kernel", far_module, b"far")
short = make("spl_array_alloc_zeros", followed, b"f32", 1, (c_int64 * 1)(9))
argument = Argument(array=short.value)
text = fails(KERNEL_FAULT, "spl_launch", followed, far, byref(LaunchConfig(1, (1,), (1,))),
             byref(argument), c_size_t(1))
assert text == ("far.spl:3:5: error: index 9 is out of bounds for 'y' of length 9 [index-out-of-bounds]; "
                "in work-item (0, 0, 0) of group (0, 0, 0)"), text
fault = Fault()
assert spl.spl_last_fault(byref(fault)) == 1
assert (fault.file, fault.line, fault.column, fault.value, fault.bound) == (b"far.spl", 3, 5, 9, 9)

# A struct with slices: its fields are parameters.
code = (b"struct Grid:\n    cells: &[f32]\n    out: &mut [f32]\n"
        b"#[gpu]\nfn copy(grid: Grid):\n    grid.out[gpu.global_id()] = grid.cells[gpu.global_id()]\n")
grid_module = make("spl_jit_load_source", ctx, code, b"grid.spl", None)
grid_kernel = make("spl_module_kernel", grid_module, b"copy")
cells = make("spl_array_alloc_upload", ctx, b"f32", 1, shape, Batch(*range(SIZE)))
out = make("spl_array_alloc_zeros", ctx, b"f32", 1, shape)
fields = (Argument * 2)(Argument(name=b"grid.out", array=out.value), Argument(name=b"grid.cells", array=cells.value))
whole = LaunchConfig(1, (SIZE,), (SIZE // 5,))
ok("spl_launch", ctx, grid_kernel, byref(whole), fields, c_size_t(2))
assert read(out) == list(range(SIZE))
fields[0].array = cells.value
assert "parameters 'grid.cells' and 'grid.out' of copy share memory" in fails(
    OVERLAPPING_ARGUMENTS, "spl_launch", ctx, grid_kernel, byref(whole), fields, c_size_t(2))
ok("spl_kernel_free", grid_kernel)
ok("spl_module_free", grid_module)
for handle in [cells, out]:
    ok("spl_array_free", handle)

# Misuse returns a status.
for handle in [short, far, far_module, followed, config]:
    assert spl.spl_context_sync(handle) == (0 if handle is followed else INVALID_HANDLE)
ok("spl_array_free", short)
assert "was freed" in fails(INVALID_HANDLE, "spl_array_free", short)
fails(INVALID_ARGUMENT, "spl_array_upload", x, None, c_size_t(sizeof(Batch)))

# The functions for interpreters.
assert spl.spl_gpu_backend_name().decode() == os.environ["SPL_BACKEND"]
ones = spl.spl_gpu_alloc_ones(b"f64", c_int64(3))
three = (c_double * 3)()
ok("spl_array_download", c_uint64(ones), three, c_size_t(sizeof(three)))
assert list(three) == [1, 1, 1]
stream = c_uint64(spl.spl_gpu_stream_create())
new = (c_double * 3)(4, 5, 6)
assert spl.spl_gpu_async_upload_batch((c_uint64 * 1)(ones), (c_void_p * 1)(ctypes.addressof(new)),
                                      (c_size_t * 1)(sizeof(new)), c_size_t(1), stream) == 0
assert spl.spl_gpu_stream_sync(stream) == 0 and spl.spl_gpu_stream_query(stream) == 1
ok("spl_array_download", c_uint64(ones), three, c_size_t(sizeof(three)))
assert list(three) == [4, 5, 6]
assert spl.spl_gpu_free(c_uint64(ones)) == 0 and spl.spl_gpu_stream_free(stream) == 0
assert spl.spl_gpu_free(c_uint64(ones)) == -INVALID_HANDLE

for kind, handles in {"pipeline": [pipeline, broken], "stream": [first, second], "event": [event],
                      "kernel": [saxpy, logistic, far], "array": [x, y, *source, *target],
                      "module": [module, logistic_module, far_module], "config": [config],
                      "context": [ctx, followed]}.items():
    for handle in handles:
        ok(f"spl_{kind}_free", handle)
assert spl.spl_handle_count() == 0
