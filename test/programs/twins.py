# REQUIRES: nvcc
# RUN: rm -rf %t && mkdir %t && env LD_LIBRARY_PATH=%fake-cuda %python %s %nvcc %build_root %t
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The twins of the programs in CUDA C++ (bench/cuda/programs) compile without warnings, with 64-bit indices and with
int. The programs run with the twins in the place of their kernels, as PTX in the interpreter, and have the results of
their sequential references."""
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

NVCC, BUILD, FOLDER = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "bench"))
import gpu_code  # noqa: E402
import program_twins  # noqa: E402

TARGET = "sm_80"


def write_twin(source, index, folder):
    """Writes the twin of a program with the parameters of its kernels."""
    ptx = folder / f"{source.stem}.twin.ptx"
    subprocess.run([NVCC, "-O3", "-std=c++17", "-arch=compute_80", "-Werror", "all-warnings",
                    "-Wno-deprecated-gpu-targets", f"-DINDEX={index}", "-ptx", gpu_code.twin_of(source), "-o", ptx],
                   check=True)
    ours = "\n".join(gpu_code.ptx_of_source(BUILD, source, TARGET, ["--check=none", "--no-contracts"]))
    text = program_twins.with_our_parameters(ptx.read_text(encoding="utf-8"), ours, source.stem)
    (folder / f"{source.stem}.ptx").write_text(text, encoding="utf-8")


def run(folder, *names):
    return subprocess.run(["programs", "--backend", "cuda", "--report", "--ptx", folder, *names], capture_output=True,
                          text=True, check=False)


def launched(report):
    """The kernels in the report of the programs."""
    program, kernels = None, set()
    for line in report.splitlines():
        passed, kernel = re.match(r"(\w+): passed$", line), re.match(r"(\w+(?:\[\w+\])?): checks: ", line)
        if passed:
            program = passed[1]
        elif kernel:
            kernels.add(f"{program}/{kernel[1]}")
    return kernels


for index in gpu_code.INDICES.values():
    folder = FOLDER / re.sub(r"\W", "", index)
    folder.mkdir()
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(lambda source: write_twin(source, index, folder), gpu_code.PROGRAMS))
    done = run(folder)
    print(done.stdout, done.stderr)
    assert done.returncode == 0, index
    missing = set(program_twins.PARAMETERS) ^ launched(done.stdout)
    assert not missing, f"not launched, or not in PARAMETERS: {sorted(missing)}"

# A wrong twin is found.
twin = (folder / "sobol.ptx").read_text(encoding="utf-8")
(folder / "sobol.ptx").write_text(twin.replace("xor.b32", "or.b32"), encoding="utf-8")
done = run(folder, "sobol")
assert "xor.b32" in twin and done.returncode == 1 and "sobol: FAILED: points" in done.stdout, done
