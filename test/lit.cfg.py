# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The configuration of lit. The part that CMake generates is in lit.site.cfg.py.in."""
import os
import pathlib
import subprocess
import sys

import lit.formats

config.name = "spl"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".spl", ".mlir", ".test", ".py"]
config.excludes = ["Inputs", "lib", "corpus", "lit.cfg.py", "lit.site.cfg.py", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.spl_build_root, "test")

# The project's own tools come first, then FileCheck, not, count and split-file of LLVM.
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.spl_build_root, "bin"), config.spl_llvm_bin, config.environment["PATH"]]
)
if "CUDA_VISIBLE_DEVICES" in os.environ:
    config.environment["CUDA_VISIBLE_DEVICES"] = os.environ["CUDA_VISIBLE_DEVICES"]

# The cache is off, so that tests run the compiler. Tests of the cache turn it on in their own
# folders. No test changes the cache of the user.
config.environment["SPL_CACHE"] = "off"
config.environment["XDG_CACHE_HOME"] = os.path.join(config.test_exec_root, "cache")

config.substitutions += [
    ("%python", config.spl_python),
    ("%src_root", config.spl_source_root),
    ("%build_root", config.spl_build_root),
    ("%lit_package", os.path.dirname(os.path.dirname(lit.__file__))),
    # `simple run` with the CUDA backend on a driver that interprets PTX, and the folder of that
    # driver.
    ("%fake-cuda", f"{config.spl_build_root}/test/fakecuda"),
    ("%run-ptx", f"env LD_LIBRARY_PATH={config.spl_build_root}/test/fakecuda simple run --backend cuda"),
    ("%examples", os.path.join(config.spl_source_root, "examples")),
    # A factor for limits of time: code with sanitizers is slower.
    ("%slowdown", "5" if config.spl_sanitize else "1"),
]

# Features. A test names the features that it needs (REQUIRES: ptxas). If one is missing the test is
# skipped, and scripts/test prints the reason.


def has_cuda_device():
    """Whether there is a CUDA device. A separate process asks, so that lit does not load the driver."""
    probe = (
        "import ctypes; cuda = ctypes.CDLL('libcuda.so.1'); count = ctypes.c_int();"
        "assert cuda.cuInit(0) == 0 and cuda.cuDeviceGetCount(ctypes.byref(count)) == 0;"
        "assert count.value > 0"
    )
    command = [sys.executable, "-c", probe]
    return subprocess.run(command, stderr=subprocess.DEVNULL, check=False).returncode == 0


def host_has(flag):
    with open("/proc/cpuinfo", encoding="utf-8") as cpuinfo:
        return any(line.startswith("flags") and flag in line.split() for line in cpuinfo)


def on_path(program):
    return lit.util.which(program, config.environment["PATH"]) is not None


if config.spl_ptxas and not config.spl_ptxas.endswith("-NOTFOUND"):
    config.available_features.add("ptxas")
    config.substitutions.append(("%ptxas", config.spl_ptxas))
    toolkit = pathlib.Path(config.spl_ptxas).resolve().parent.parent
    if (toolkit / "nvvm/libdevice/libdevice.10.bc").exists():
        config.available_features.add("libdevice")
    nvdisasm = toolkit / "bin/nvdisasm" if (toolkit / "bin/nvdisasm").exists() else lit.util.which(
        "nvdisasm", config.environment["PATH"])
    if nvdisasm:
        config.available_features.add("nvdisasm")
        config.substitutions.append(("%nvdisasm", str(nvdisasm)))
nvcc = lit.util.which("nvcc", os.pathsep.join([config.environment["PATH"], "/usr/local/cuda/bin"]))
if nvcc:
    config.available_features.add("nvcc")
    config.substitutions.append(("%nvcc", nvcc))
if host_has("avx512f"):
    config.available_features.add("avx512")
if host_has("avx2"):
    config.available_features.add("avx2")
if has_cuda_device():
    config.available_features.add("gpu")
if on_path("doxygen"):
    config.available_features.add("doxygen")
if on_path("mkdocs"):
    config.available_features.add("mkdocs")
if on_path("shellcheck"):
    config.available_features.add("shellcheck")
for program in ["g++", "pkg-config", "bench-cpu", "sollya", "valgrind"]:
    if on_path(program):
        config.available_features.add(program)
if on_path("bench-cpu") and subprocess.run(
        [lit.util.which("bench-cpu", config.environment["PATH"]), "--pocl"], stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL, check=False).returncode == 0:
    config.available_features.add("pocl")
# Debian's package is for Debian's Python, whichever runs lit.
if subprocess.run(["/usr/bin/python3", "-c", "import clang.cindex"], stderr=subprocess.DEVNULL, check=False).returncode == 0:
    config.available_features.add("libclang")
if config.spl_bolt:
    config.available_features.add("bolt")
if config.spl_sanitize:
    config.available_features.add("asan")
if lit_config.params.get("slow"):
    config.available_features.add("slow")  # scripts/test --slow

fuzz_seconds = lit_config.params.get("fuzz_seconds")
if fuzz_seconds:
    config.available_features.add("fuzz")
    config.substitutions.append(("%fuzz_seconds", fuzz_seconds))

# Helper modules of tests in Python.
config.environment["PYTHONPATH"] = os.path.join(config.test_source_root, "lib")
config.environment["PYTHONDONTWRITEBYTECODE"] = "1"
