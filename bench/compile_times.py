# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Time and memory to compile 1 to 1,000 kernels of mixed size to PTX, by `simple compile` and nvcc in new processes, and
by the compiler and NVRTC in processes that have compiled before. The kernels are copies of the examples and of their
twins in bench/cuda/, under names of their own. Used by scripts/bench."""
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

import gpu_code

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Examples without generic kernels, whose twins have as many kernels.
FILES = ["vector_add", "stencil", "saxpy", "matmul", "histogram", "layer_norm", "mandelbrot", "philox", "spmv", "nbody",
         "kmeans", "softmax", "reduction", "bfs", "murmur3", "resize", "floyd_warshall", "linear_regression", "nqueens",
         "logistic", "scan"]
KERNEL = re.compile(r"^#\[gpu", re.MULTILINE)
DOCSTRING = re.compile(r'^""".*?"""\n', re.DOTALL | re.MULTILINE)  # it must come first in a file
DECLARED = re.compile(r"^(?:fn|const|struct|enum)\s+(\w+)", re.MULTILINE)
COUNTS = (1, 10, 100, 1000)
NO_NVRTC = 3  # how bench-nvrtc exits
OURS, WITHOUT, NVCC = "simple", "simple --no-contracts", "nvcc"
LOADED, NVRTC = "simple, in process", "NVRTC"
BASELINES = (NVCC, NVRTC)


def copy_of(text, number):
    """The text with other names for all that it declares: a suffix with the number."""
    # step is also a word of ranges, as in "0..n step 2".
    names = "|".join(name + (r"(?=\()" if name == "step" else "") for name in sorted(DECLARED.findall(text)))
    # Not members such as a.TILE, but the end of a range, 0..TILE.
    return re.sub(rf"(?<!\w)(?<!(?<!\.)\.)({names})\b", rf"\1_{number}", DOCSTRING.sub("", text, count=1))


def twin_of(text, number):
    """The twin in a namespace of its own. extern "C" would make its names those of the other copies."""
    body = text.replace('#include "Common.cuh"', "").replace('extern "C" ', "")
    includes = re.findall(r"^#include .*$", body, re.MULTILINE)
    body = re.sub(r"^#(include|pragma once).*$", "", body, flags=re.MULTILINE)
    return "\n".join(includes) + f"\nnamespace copy{number} {{\n{body}\n}}\n"


def sources(count):
    """Texts in both languages with `count` kernels or a few more, and their number."""
    ours, theirs, kernels, number = [], ['#include "Common.cuh"'], 0, 0
    while kernels < count:
        name = FILES[number % len(FILES)]
        text = (ROOT / "examples" / f"{name}.spl").read_text(encoding="utf-8")
        ours.append(copy_of(text, number))
        theirs.append(twin_of((ROOT / "bench" / "cuda" / f"{name}.cu").read_text(encoding="utf-8"), number))
        kernels += len(KERNEL.findall(text))
        number += 1
    return "\n".join(ours), "\n".join(theirs), kernels


def spent(command):
    """Seconds from start to end, seconds of all processors, and the most megabytes of one process."""
    start = time.perf_counter()
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "SPL_CACHE": "off"}, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    if status != 0:
        raise SystemExit(f"{' '.join(command)} failed")
    return seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def write_sources(folder, count):
    """Writes files in both languages with `count` kernels or a few more. Returns their paths and that number."""
    ours, theirs, kernels = sources(count)
    own, twin = pathlib.Path(folder, "many.spl"), pathlib.Path(folder, "many.cu")
    own.write_text(ours, encoding="utf-8")
    twin.write_text(theirs, encoding="utf-8")
    return own, twin, kernels


def commands_for(build, folder, own, twin):
    """By compiler: the command that compiles a file."""
    simple = [os.path.join(build, "bin", "simple"), "compile", str(own), "--target", "sm_80", "-o",
              os.path.join(folder, "many.ptx")]
    commands = {OURS: simple, WITHOUT: [*simple, "--no-contracts"]}
    if nvcc := gpu_code.tools()[0]["nvcc"]:
        commands[NVCC] = [nvcc, "-O3", "-arch=sm_80", "-std=c++17", "-I", str(ROOT / "bench" / "cuda"), "-ptx", str(twin),
                          "-o", os.path.join(folder, "twin.ptx")]
    return commands


# Loads a file for a GPU or the CPU without the cache, and prints seconds and seconds of all processors. What is loaded
# for a GPU is compiled after a small kernel that warms the process up.
LOAD = """
import ctypes, sys, time
library, backend, file = sys.argv[1:]
jit = ctypes.CDLL(library)
context, module = ctypes.c_uint64(), ctypes.c_uint64()
assert jit.spl_context_make(backend.encode(), 0, ctypes.byref(context)) == 0
if backend == "cuda":
    warm = b"#[gpu]\\nfn warm(out: &mut [f32]):\\n    out[0] = 1.0\\n"
    assert jit.spl_jit_load_source(context, warm, b"warm.spl", None, ctypes.byref(module)) == 0
wall, busy = time.perf_counter(), time.process_time()
assert jit.spl_jit_load_file(context, file.encode(), None, ctypes.byref(module)) == 0
print(time.perf_counter() - wall, time.process_time() - busy)
"""


def spent_in_process(command, folder):
    """What a compilation in a process took, as of spent(). None without NVRTC. The runtime finds the CUDA driver in the
    folder."""
    folders = os.pathsep.join(filter(None, [folder, os.environ.get("LD_LIBRARY_PATH")]))
    done = subprocess.run(command, env={**os.environ, "SPL_CACHE": "off", "LD_LIBRARY_PATH": folders},
                          stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode == NO_NVRTC:
        return None
    if done.returncode != 0:
        raise SystemExit(f"{' '.join(command)} failed")
    return (*map(float, done.stdout.split()), 0)


def commands_in_process(build, folder, own, twin):
    """By compiler: the command that compiles a file in a process that has compiled before. What is loaded for a GPU goes
    to a driver that does nothing."""
    driver = pathlib.Path(folder, "libcuda.so.1")
    if not driver.exists():
        driver.symlink_to(pathlib.Path(build, "lib", "libspl-empty-cuda.so").resolve())
    return {NVRTC: [os.path.join(build, "bin", "bench-nvrtc"), str(ROOT / "bench" / "cuda"), str(twin)],
            LOADED: [sys.executable, "-c", LOAD, os.path.join(build, "lib", "libspl-jit.so"), "cuda", str(own)]}


def measure(build, counts=COUNTS, rounds=5):
    """By number of kernels and compiler: seconds, processor seconds and megabytes. The compilers run in turn."""
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            own, twin, kernels = write_sources(folder, count)
            commands, warm = commands_for(build, folder, own, twin), commands_in_process(build, folder, own, twin)
            values = {name: [] for name in [*commands, *warm]}
            for _ in range(3 if count >= 1000 else rounds):
                for name, command in commands.items():
                    values[name].append(spent(command))
                for name, command in warm.items():
                    if run := spent_in_process(command, folder):
                        values[name].append(run)
            rows[str(count)] = {"kernels": kernels,
                                "compilers": {name: row(runs) for name, runs in values.items() if runs}}
            show_row(rows[str(count)])
    return rows


def load_cold(build, count=7, rounds=9):
    """Seconds and processor seconds to load a module of `count` kernels for the CPU, in a process that has compiled
    nothing before."""
    ours, _, kernels = sources(count)
    with tempfile.NamedTemporaryFile("w", suffix=".spl", encoding="utf-8") as file:
        file.write(ours)
        file.flush()
        command = [sys.executable, "-c", LOAD, os.path.join(build, "lib", "libspl-jit.so"), "cpu", file.name]
        runs = [spent_in_process(command, "") for _ in range(rounds)]
    values = {name: value for name, value in row(runs).items() if name != "megabytes"}
    print(f"  cold load of {kernels} kernels for the CPU: median {values['seconds']:.3g} s ({values['least']:.3g} to "
          f"{values['largest']:.3g}), {values['processor_seconds']:.3g} s of processors")
    return {"kernels": kernels, **values}


LATER_LINE = "// spl.later "  # abi::laterLine
WHOLE, AT_FIRST, SINGLE = "all versions", "what is loaded with the module", "--no-contracts"


def assemble(build, count=100, rounds=5):
    """The seconds that ptxas takes for the PTX of a file, and for parts of it. The driver has the same compiler, which
    runs when PTX is loaded. None without ptxas."""
    ptxas = gpu_code.tools()[0]["ptxas"]
    if not ptxas:
        return None
    runs = {}
    with tempfile.TemporaryDirectory() as folder:
        own, twin, kernels = write_sources(folder, count)
        commands = commands_for(build, folder, own, twin)
        files = {}
        for name, compiler in ((WHOLE, OURS), (SINGLE, WITHOUT)):
            spent(commands[compiler])
            files[name] = pathlib.Path(folder, "many.ptx").rename(pathlib.Path(folder, f"{compiler}.ptx"))
        files[AT_FIRST] = pathlib.Path(folder, "first.ptx")
        text = files[WHOLE].read_text(encoding="utf-8")
        files[AT_FIRST].write_text(text.partition("\n" + LATER_LINE)[0] + "\n", encoding="utf-8")
        for _ in range(rounds):
            for name, file in files.items():
                runs.setdefault(name, []).append(
                    spent([ptxas, "-arch=sm_80", str(file), "-o", os.path.join(folder, "many.cubin")]))
    rows = {name: row(values) for name, values in runs.items()}
    for name, values in rows.items():
        print(f"  ptxas, {kernels} kernels, {name}: median {values['seconds']:.3g} s ({values['least']:.3g} to "
              f"{values['largest']:.3g}); {values['seconds'] / rows[SINGLE]['seconds']:.2f} of {SINGLE}")
    return {"kernels": kernels, "files": rows}


def row(runs):
    walls = sorted(wall for wall, _, _ in runs)
    return {"seconds": statistics.median(walls), "least": walls[0], "largest": walls[-1], "runs": len(runs),
            "processor_seconds": statistics.median(busy for _, busy, _ in runs),
            "megabytes": max(megabytes for _, _, megabytes in runs)}


def ratio(of, name, column="processor_seconds"):
    """The ratio to nvcc, or to NVRTC in process; None without that. The load of the machine changes processor times less
    than the time from start to end."""
    baseline = of["compilers"].get(NVRTC if name in (LOADED, NVRTC) else NVCC)
    return of["compilers"][name][column] / baseline[column] if baseline else None


def growth(rows, name, column="processor_seconds", few="100", many="1000"):
    """By how much the time for a kernel grows from few kernels to many: 1.1 if it takes 10 % longer."""
    each = [rows[count]["compilers"][name][column] / rows[count]["kernels"] for count in (few, many)]
    return each[1] / each[0]


def show_row(of):
    print(f"  {of['kernels']} kernels")
    for name, values in of["compilers"].items():
        line = (f"    {name}: median {values['seconds']:.3g} s ({values['least']:.3g} to {values['largest']:.3g}, "
                f"{values['runs']} runs), {values['processor_seconds']:.3g} s of processors, "
                f"{values['megabytes']:.0f} MB")
        if name not in BASELINES and (found := ratio(of, name)):
            line += f"; {found:.2f} of {NVRTC if name == LOADED else NVCC}'s processor time"
        print(line)
