# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs vector_add of a bundle on the default device: load-bundle.py LIBSPL-RUNTIME.SO BUNDLE."""
import sys
from ctypes import CDLL, Structure, byref, c_char_p, c_float, c_int32, c_int64, c_size_t, c_uint64
from ctypes import c_void_p, sizeof
from pathlib import Path

spl = CDLL(sys.argv[1])
spl.spl_last_error.restype = c_char_p
image = Path(sys.argv[2]).read_bytes()


class LaunchConfig(Structure):  # spl_launch_config
    _fields_ = [("axes", c_int32), ("work_items", c_int64 * 3), ("local", c_int64 * 3),
                ("shared_bytes", c_int64)]


class Argument(Structure):  # spl_argument
    _fields_ = [("name", c_char_p), ("array", c_uint64), ("read_only", c_int32),
                ("type", c_char_p), ("value", c_void_p)]


def call(name, *arguments):
    if getattr(spl, name)(*arguments):
        sys.exit(spl.spl_last_error().decode())


def make(name, *arguments):
    handle = c_uint64()
    call(name, *arguments, byref(handle))
    return handle


ctx = make("spl_context_make_default")
module = make("spl_module_load", ctx, image, c_size_t(len(image)), None, c_size_t(0))
kernel = make("spl_module_kernel", module, b"vector_add")
shape = (c_int64 * 1)(4)
arrays = [make("spl_array_alloc_upload", ctx, b"f32", 1, shape, (c_float * 4)(*values))
          for values in [(1, 2, 3, 4), (5, 6, 7, 8), (0, 0, 0, 0)]]
config = LaunchConfig(axes=1, work_items=(4,), local=(1,))
call("spl_launch", ctx, kernel, byref(config),
     (Argument * 3)(*[Argument(array=array) for array in arrays]), c_size_t(3))
result = (c_float * 4)()
call("spl_array_download", arrays[2], result, c_size_t(sizeof(result)))
print(*map("{:g}".format, result))
