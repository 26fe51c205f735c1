#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Adds two arrays on the best device, with the kernel of vector_add.spl, and prints the sum.

usage: vector_add.py [LIBSPL-JIT.SO [VECTOR_ADD.SPL]]

It compiles and launches the kernel through the C interface, by ctypes and nothing else. Without arguments it
takes the library of this build tree or of this installation, else the one that the loader finds, and the
vector_add.spl beside this file."""
import sys
from pathlib import Path
from ctypes import CDLL, Structure, byref, c_char_p, c_float, c_int32, c_int64, c_size_t, c_uint64
from ctypes import c_void_p, sizeof

if sys.argv[1:] in (["-h"], ["--help"]):
    print(__doc__)
    sys.exit()
if len(sys.argv) > 3:
    sys.exit(__doc__)
here = Path(__file__).resolve().parent
# In the source tree, and in PREFIX/share/doc/simple-gpu/examples.
known = [here / up / "libspl-jit.so" for up in ("../build/release/lib", "../../../../lib", "../../../../lib64",
                                                "../../../../lib/x86_64-linux-gnu")]
library = next((str(path) for path in known if path.exists()), "libspl-jit.so")
library = sys.argv[1] if len(sys.argv) > 1 else library
source = sys.argv[2] if len(sys.argv) > 2 else str(here / "vector_add.spl")
try:
    spl = CDLL(library)  # loads libspl-runtime too
except OSError as error:
    sys.exit(f"vector_add.py: cannot load {library}: {error}\n"
             "Give the path of libspl-jit.so as the first argument. 'ninja -C build/release spl-jit-shared' builds "
             "it in the\nsource tree, and 'cmake --install build/release' installs it; run ldconfig afterwards.")
spl.spl_last_error.restype = c_char_p


class LaunchConfig(Structure):  # spl_launch_config
    _fields_ = [("axes", c_int32), ("work_items", c_int64 * 3), ("local", c_int64 * 3),
                ("shared_bytes", c_int64), ("time_limit_ms", c_int64)]


class Argument(Structure):  # spl_argument
    _fields_ = [("name", c_char_p), ("array", c_uint64), ("read_only", c_int32),
                ("type", c_char_p), ("value", c_void_p)]


def call(name, *arguments):
    """Calls a function that returns a status. Exits on an error."""
    if getattr(spl, name)(*arguments):
        sys.exit(f"vector_add.py: {name} failed: {spl.spl_last_error().decode()}")


def make(name, *arguments):
    """Calls a function that makes an object. Returns its handle."""
    handle = c_uint64()
    call(name, *arguments, byref(handle))
    return handle


ctx = make("spl_context_make_default")  # CUDA, else the CPU
shape = (c_int64 * 1)(4)
x, y, result = (c_float * 4)(1, 2, 3, 4), (c_float * 4)(5, 6, 7, 8), (c_float * 4)()
a = make("spl_array_alloc_upload", ctx, b"f32", 1, shape, x)
b = make("spl_array_alloc_upload", ctx, b"f32", 1, shape, y)
out = make("spl_array_alloc_zeros", ctx, b"f32", 1, shape)
kernels = make("spl_jit_load_file", ctx, source.encode(), None)
vector_add = make("spl_module_kernel", kernels, b"vector_add")

config = LaunchConfig(axes=1, work_items=(4,))
arguments = (Argument * 3)(*[Argument(array=array) for array in (a, b, out)])
call("spl_launch", ctx, vector_add, byref(config), arguments, c_size_t(3))
call("spl_array_download", out, result, c_size_t(sizeof(result)))
print(*map("{:g}".format, result))  # 6 8 10 12

for kind, handle in [("kernel", vector_add), ("module", kernels), ("array", out), ("array", b),
                     ("array", a), ("context", ctx)]:
    call(f"spl_{kind}_free", handle)
