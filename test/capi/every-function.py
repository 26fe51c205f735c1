# RUN: %python %s %src_root %build_root/lib/libspl-runtime.so %build_root/lib/libspl-jit.so
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The shared libraries export exactly the functions that the headers of the C interface declare. A test misuses
each of them, unless no call of it can be wrong."""
import pathlib
import re
import subprocess
import sys

root, libraries = pathlib.Path(sys.argv[1]), sys.argv[2:]

# These functions take no handle, and every argument is valid.
CANNOT_FAIL = {
    "spl_last_error", "spl_last_error_info", "spl_last_fault", "spl_status_name",
    "spl_handle_count", "spl_backend_count", "spl_trace_now", "spl_f16_from", "spl_f16_to_float",
    "spl_bf16_from", "spl_bf16_to_float", "spl_gpu_available", "spl_gpu_backend_name",
    "spl_gpu_device_count", "spl_gpu_context",
}
# Functions that compiled kernels call (cpu_abi.h).
OF_KERNELS = {"spl_cpu_fault", "spl_cpu_grid_barrier", "spl_cpu_print", "spl_cpu_scratch", "spl_cpu_trace"}


def names(pattern, files):
    return {name for file in files for name in re.findall(pattern, file.read_text(), re.MULTILINE)}


headers = [file for part in ["runtime", "jit"] for file in root.glob(f"{part}/include/spl/c/*.h")]
declared = names(r"^\w[\w *]*?\b(spl_\w+)\(", headers)
shown = set()
for library in libraries:
    listing = subprocess.run(["llvm-nm", "-D", "--defined-only", library], check=True, text=True,
                             capture_output=True).stdout
    shown |= set(re.findall(r" T (spl_\w+)$", listing, re.MULTILINE)) - OF_KERNELS
tests = root.glob("test/capi/*.cpp")
misused = names(r'\bmisuse(?:As)?\(\s*"?(spl_\w+)', tests)

wrong = {
    "declared and not shown by a library": declared - shown,
    "shown by a library and not declared": shown - declared,
    "misused by no test": declared - misused - CANNOT_FAIL,
    "said to be unable to fail, and misused": CANNOT_FAIL & misused,
    "said to be unable to fail, and not declared": CANNOT_FAIL - declared,
}
assert len(declared) > 100, declared
for what, functions in wrong.items():
    for function in sorted(functions):
        print(f"{function}: {what}")
sys.exit(any(wrong.values()))
