# UNSUPPORTED: asan
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: env SPL_BACKEND=cpu %python %s %build_root/lib/libspl-runtime.so
# RUN: env SPL_BACKEND=cpu %python %s %build_root/lib/libspl-jit.so
"""A program closes the library while its streams and loaders still work. Their threads continue. When the program
opens the library again, its state is unchanged."""
import _ctypes
import ctypes
import sys
import time
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_int32, c_size_t, c_uint64, c_void_p

Producer = CFUNCTYPE(c_int32, c_void_p, c_size_t, POINTER(c_void_p), POINTER(c_int32))


class LoaderOptions(Structure):
    _fields_ = [("produce", Producer), ("drop", c_void_p), ("user", c_void_p), ("prefetch", c_size_t),
                ("workers", c_size_t), ("trace", c_uint64)]


made = []


@Producer
def produce(_, index, batch, there):
    time.sleep(0.001)
    made.append(index)
    return 0


def sleep(milliseconds):
    return ctypes.cast(ctypes.CDLL(None).usleep, c_void_p), c_void_p(1000 * milliseconds)


for _ in range(3):
    spl = ctypes.CDLL(sys.argv[1])
    loader, context, stream = c_uint64(), c_uint64(), c_uint64()
    assert spl.spl_loader_make(byref(LoaderOptions(produce, None, None, 300, 2, 0)), byref(loader)) == 0
    assert spl.spl_context_make_default(byref(context)) == 0
    assert spl.spl_stream_make(context, 0, byref(stream)) == 0
    for _ in range(20):
        assert spl.spl_stream_call(stream, *sleep(2)) == 0
    before = len(made)
    _ctypes.dlclose(spl._handle)
    end = time.monotonic() + 60
    while len(made) < before + 20:  # the threads still work
        assert time.monotonic() < end
        time.sleep(0.001)
    spl = ctypes.CDLL(sys.argv[1])
    assert spl.spl_stream_sync(stream) == 0  # objects from before the reopening still work
    assert spl.spl_loader_free(loader) == 0
