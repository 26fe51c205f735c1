# UNSUPPORTED: asan
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: env SPL_BACKEND=cpu %python %s %build_root/lib/libspl-jit.so
"""Python exits while threads of the runtime run its functions. Python then ends these threads by force. The
process must neither crash nor hang. The program runs itself several times."""
import ctypes
import subprocess
import sys
import time
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_int32, c_size_t, c_uint64, c_void_p

Producer = CFUNCTYPE(c_int32, c_void_p, c_size_t, POINTER(c_void_p), POINTER(c_int32))
Function = CFUNCTYPE(c_int32, c_void_p)


class LoaderOptions(Structure):
    _fields_ = [("produce", Producer), ("drop", c_void_p), ("user", c_void_p), ("prefetch", c_size_t),
                ("workers", c_size_t), ("trace", c_uint64)]


@Producer
def produce(_, index, batch, there):
    time.sleep(0.002)
    return 0


@Function
def function(_):
    time.sleep(0.002)
    return 0


def leave(library):
    spl = ctypes.CDLL(library)
    loader, context, stream = c_uint64(), c_uint64(), c_uint64()
    assert spl.spl_loader_make(byref(LoaderOptions(produce, None, None, 5000, 3, 0)), byref(loader)) == 0
    assert spl.spl_context_make_default(byref(context)) == 0
    assert spl.spl_stream_make(context, 0, byref(stream)) == 0
    for _ in range(2000):
        assert spl.spl_stream_call(stream, function, None) == 0
    time.sleep(0.01)


if sys.argv[2:] == ["leave"]:
    leave(sys.argv[1])
else:
    for _ in range(5):
        subprocess.run([sys.executable, *sys.argv, "leave"], check=True, timeout=60)
