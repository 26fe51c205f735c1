# UNSUPPORTED: asan
# RUN: %python %s %fake-cuda %S/Inputs/stopped.spl
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Code that launches PTX through the driver, without the runtime. With a fault record of its own it finds
there what failed, and the context stays usable. With a null record a failed check is a trap. In no case is
memory written out of bounds."""
import ctypes
import struct
import subprocess
import sys

cuda = ctypes.CDLL(sys.argv[1] + "/libcuda.so.1")
SUCCESS, LAUNCH_FAILED = 0, 719
RECORD_BYTES = 320  # docs/cuda.md
SEAL = 0xfa017001
THREADS, VALUES = 3, 2


def entry(name):
    """The function of the driver, in the version of CUDA 12.4."""
    address, status = ctypes.c_void_p(), ctypes.c_int()
    result = cuda.cuGetProcAddress_v2(name.encode(), ctypes.byref(address), 12040, ctypes.c_uint64(0),
                                      ctypes.byref(status))
    assert result == SUCCESS and address.value, name
    return ctypes.CFUNCTYPE(ctypes.c_int)(address.value)


def call(name, *arguments):
    result = entry(name)(*arguments)
    assert result == SUCCESS, (name, result)


def array(numbers):
    """Pinned memory with these i32 or i64 numbers, and what reads it."""
    address = ctypes.c_void_p()
    call("cuMemAllocHost", ctypes.byref(address), ctypes.c_size_t(len(numbers) * ctypes.sizeof(numbers)))
    memory = type(numbers).from_address(address.value)
    memory[:] = numbers[:]
    return memory, ctypes.c_uint64(address.value)


def run(level, at, has_record):
    """The result of a launch in a context of its own, the record, and the output with its surroundings."""
    ptx = subprocess.run(["simple", "compile", sys.argv[2], "--target", "sm_80", level, "--kernel", "called", "-o", "-"],
                         capture_output=True, text=True, check=True).stdout
    assert "// spl.kernel #[faults] called(" in ptx, ptx
    context, module, function = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_void_p()
    device = ctypes.c_int()
    call("cuDeviceGet", ctypes.byref(device), 0)
    call("cuDevicePrimaryCtxRetain", ctypes.byref(context), device)
    call("cuCtxPushCurrent", context)
    call("cuModuleLoadDataEx", ctypes.byref(module), ptx.encode(), 0, None, None)
    call("cuModuleGetFunction", ctypes.byref(function), module, b"called")
    values, values_address = array((ctypes.c_int32 * VALUES)(10, 20))
    ids, ids_address = array((ctypes.c_int64 * THREADS)(*at))
    # An element before the output and one behind it.
    out, out_address = array((ctypes.c_int32 * (THREADS + 2))(*[-1] * (THREADS + 2)))
    record, record_address = array((ctypes.c_uint32 * (RECORD_BYTES // 4))())
    parameters = [values_address, ctypes.c_int64(len(values)), ids_address, ctypes.c_int64(len(ids)),
                  ctypes.c_uint64(out_address.value + 4), ctypes.c_int64(THREADS),
                  record_address if has_record else ctypes.c_uint64(0)]
    pointers = (ctypes.c_void_p * len(parameters))(*[ctypes.addressof(each) for each in parameters])
    call("cuLaunchKernel", function, 1, 1, 1, THREADS, 1, 1, 0, None, pointers, None)
    result = entry("cuCtxSynchronize")()
    found = result, bytes(record), list(out)
    entry("cuCtxPopCurrent")(ctypes.byref(context))
    entry("cuDevicePrimaryCtxRelease")(device)
    return found


call("cuInit", 0)
for level in ["-O0", "-O2"]:
    for has_record in [True, False]:
        result, record, out = run(level, [0, 1, 0], has_record)
        assert (result, out[0], out[-1], set(record)) == (SUCCESS, -1, -1, {0}), (level, result, out)
        assert -1 not in out[1:-1], (level, out)
    result, record, out = run(level, [0, VALUES, 0], True)
    seal, claimed, _, message, value, bound = struct.unpack_from("<IIIIqq", record)
    assert (result, seal, claimed, message, value, bound) == (SUCCESS, SEAL, 1, 0, VALUES, VALUES), (level, result)
    assert struct.unpack_from("<6I", record, 32) == (1, 0, 0, 0, 0, 0), level
    assert out[2] == -1 and -1 not in (out[1], out[3]), (level, out)
    result, record, out = run(level, [0, VALUES, 0], False)
    assert (result, set(record)) == (LAUNCH_FAILED, {0}), (level, result)
    assert (out[0], out[2], out[-1]) == (-1, -1, -1), (level, out)
