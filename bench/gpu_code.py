# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The machine code of the examples and of the programs for NVIDIA GPUs beside that of their twins in CUDA C++
(bench/cuda), which nvcc compiles: instructions, registers, spills, and the instructions of a round of the hot loop.
The same ptxas assembles both. Used by scripts/bench."""
import concurrent.futures
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import sass

ROOT = pathlib.Path(__file__).resolve().parent.parent
TWINS = ROOT / "bench" / "cuda"
EXAMPLES = sorted((ROOT / "examples").glob("*.spl"))
PROGRAMS = sorted((ROOT / "programs").glob("*/*.spl"))
TARGETS = ("sm_90", "sm_80")
OURS = {"none": ["--check=none"], "held": [], "all": ["--no-contracts"]}
CHECKED = "checked"  # the version with all checks that a file has: "unmet", or the only one of a kernel without contract
INDICES = {"nvcc64": "std::int64_t", "nvcc32": "int"}
PROPERTIES = re.compile(r"Compiling entry function '([\w$]+)'.*?(\d+) bytes spill stores.*?Used (\d+) registers",
                        re.DOTALL)

# Instances that neither the head of a file nor bench/launches.json names.
INSTANCES = {"fft": {"fft[64]", "fft[1024]"}}

# exp of f32 has one of these: libdevice's has an approximate instruction, the own one subtracts multiples of ln 2.
EXP = r"(MUFU\.EX2|FFMA.* -0\.69314718)"

# The hot loop of a kernel is the innermost one with the most instructions of this kind. A round has this number of
# them. Kernels that are not here have no loop, or one of so few rounds that it may be unrolled as a whole.
ROUNDS = {
    "aes/encrypt": (r"LDS", 144),
    "aes/expand_key": (r"STG", 1),
    "bfs/bfs_level": (r"ATOM.*CAS", 1),
    "bfs/expand": (r"LDG?\.", 2),
    "bilateral/bilateral": (EXP, 1),
    "binomial/price": (r"BAR", 2),
    "btree/find": (r"BAR", 2),
    "btree/sum_ranges": (r"LDG", 5),
    "canny/hysteresis": (r"BAR", 2),
    "fft/fft__1024": (r"BAR", 2),
    "histogram/histogram": (r"ATOMS", 1),
    "histogram256/add_counts": (r"LDG", 1),
    "histogram256/count_bytes": (r"ATOMS", 1),
    "hotspot3d/step": (r"STG", 1),
    "kmeans/accumulate": (r"(ATOM|RED)", 3),
    "kmeans/assign": (r"FSETP", 1),
    "kmeanscluster/accumulate": (r"(ATOM|RED)", 1),
    "kmeanscluster/assign": (r"FFMA", 1),
    "kmeanscluster/update": (r"LDG", 1),
    "knn/distances": (r"FFMA", 16),
    "knn/nearest": (r"LDG", 1),
    "lavamd/forces": (EXP, 1),
    "layer_norm/layer_norm": (r"MUFU\.RCP", 1),
    "logistic/logistic": (r"(FMUL|FADD|FFMA)", 3),
    "mandelbrot/mandelbrot": (r"FSETP", 1),
    "matmul/matmul": (r"FFMA", 16),
    "md5/search": (r"(ATOM|RED)", 2),
    "mergepath/split": (r"LDG", 2),
    "mersenne/generate": (r"STG", 2),
    "mersenne/seed": (r"STG", 1),
    "murmur3/hash_keys": (r".* (0xcc9e2d51|-0x3361d2af)", 1),
    "nbody/step": (r"MUFU\.RSQ", 1),
    "nqueens/count_queens": (r"STL", 5),
    "nw/fill_diagonal": (r"BAR", 1),
    "pagerank/gather": (r"LDG", 2),
    "pagerank/share": (r"STG", 1),
    "pathfinder/descend": (r"BAR", 2),
    "prefixsum/scan_totals": (r"STG", 1),
    "quicksort/divide": (r"LDG", 1),
    "radixsort/scan_counts": (r"STG", 1),
    "reduction/sum_groups": (r"LDG", 1),
    "reduction/sum_partial": (r"LDG", 1),
    "scan/scan_small": (r"LDG", 1),
    "smithwaterman/align": (r"LDG", 2),
    "sobol/sobol": (r"STG", 1),
    "softmax/softmax": (EXP, 1),
    "spmv/spmv": (r"FFMA", 1),
    "srad/add_region": (r"LDG", 1),
    "tridiagonal/solve": (r"BAR", 2),
    "xsbench/look_up": (r"MUFU\.RCP64H", 1),
}


def tools():
    """The programs of the CUDA toolkit, or why the bench cannot run."""
    path = os.pathsep.join([os.environ["PATH"], "/usr/local/cuda/bin"])
    found = {name: shutil.which(name, path=path) for name in ("nvcc", "ptxas", "nvdisasm")}
    missing = [name for name, file in found.items() if not file]
    hint = " (also in the package nvidia-cuda-nvdisasm of PyPI)" if "nvdisasm" in missing else ""
    return found, f"needs {', '.join(missing)} of the CUDA toolkit{hint}" if missing else None


def versions():
    """The versions of the programs. nvdisasm of a newer toolkit reads the code of an older ptxas."""
    return {name: re.search(r"V(\d+\.\d+)", run(file, "--version").stdout).group(1)
            for name, file in tools()[0].items()}


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))} failed:\n{done.stderr}")
    return done


def twin_of(source):
    return TWINS / ("programs" if source in PROGRAMS else "") / f"{source.stem}.cu"


def instances(source):
    """The instances of generic kernels of a file."""
    names = {name for line in re.findall("^# Instances: (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE)
             for name in line.split()}
    launches = json.loads((ROOT / "bench" / "launches.json").read_text(encoding="utf-8"))
    launched = {name.split("/")[1] for name in launches if name.startswith(f"{source.stem}/")}
    return sorted(names | {name for name in launched if "[" in name} | INSTANCES.get(source.stem, set()))


def ptx_of_source(build, source, target, options):
    """The PTX of the kernels that are not generic, and that of the instances of the others."""
    simple = os.path.join(build, "bin", "simple")
    command = [simple, "compile", source, "--target", target, "-o", "-", *options]
    chosen = [f"--kernel={name}" for name in instances(source)]
    texts = [run(*command, *chosen).stdout] if chosen else []
    generic = re.findall(r"^#\[gpu.*\]\nfn \w+(\[)?", source.read_text(encoding="utf-8"), re.MULTILINE)
    return texts + ([run(*command).stdout] if "" in generic else [])


def ptx_of_twin(nvcc, source, target, index, output):
    run(nvcc, "-O3", "-std=c++17", f"-arch={target.replace('sm', 'compute')}", "-Wno-deprecated-gpu-targets",
        f"-DINDEX={index}", "-ptx", source, "-o", output)
    return output.read_text(encoding="utf-8")


def assembled(programs, text, target, folder):
    """By kernel: its function in SASS, its registers and the bytes of spills that it stores."""
    ptx, cubin = folder / "kernel.ptx", folder / "kernel.cubin"
    ptx.write_text(text, encoding="utf-8")
    said = run(programs["ptxas"], f"-arch={target}", "-O3", "-v", ptx, "-o", cubin).stderr
    properties = {name: (int(spilled), int(registers)) for name, spilled, registers in PROPERTIES.findall(said)}
    listing = run(programs["nvdisasm"], "-c", cubin).stdout
    return {function.name: (function, *properties[function.name]) for function in sass.functions(listing)
            if function.name in properties}


def figures(assembly, kernel):
    function, spilled, registers = assembly
    row = {"instructions": function.count(), "loops": len(function.loops()), "registers": registers, "spilled": spilled}
    if kernel in ROUNDS:
        row["round"] = function.round(*ROUNDS[kernel])
    return row


def measure_file(build, source):
    """By kernel and target: the figures of the versions in OURS and INDICES, and those of "unmet", the version for
    launches that do not meet the contract."""
    programs, rows = tools()[0], {}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for target in TARGETS:
            versions = {}
            for version, options in OURS.items():
                versions[version] = {}
                for text in ptx_of_source(build, source, target, options):
                    versions[version].update(assembled(programs, text, target, folder))
            for version, index in INDICES.items():
                text = ptx_of_twin(programs["nvcc"], twin_of(source), target, index, folder / "twin.ptx")
                versions[version] = assembled(programs, text, target, folder)
            for entry in versions["all"]:
                kernel = f"{source.stem}/{entry}"
                of = {version: found.get(entry) for version, found in versions.items()}
                for version in ("none", "held"):  # launches that meet the contract
                    of[version] = versions[version].get(entry + "$unchecked", of[version])
                if entry + "$unchecked" in versions["held"]:
                    of["unmet"] = versions["held"][entry]
                if not of["nvcc64"]:
                    sys.exit(f"{twin_of(source)} has no twin of {entry}")
                rows.setdefault(kernel, {})[target] = {
                    version: figures(assembly, kernel) for version, assembly in of.items()}
    return rows


def measure(build, sources):
    """The figures of all kernels of these files."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return {kernel: row for rows in pool.map(lambda source: measure_file(build, source), sources)
                for kernel, row in rows.items()}


def figure_of(row, figure):
    """A figure of a version. 'straight' is the number of instructions, if there is no loop."""
    if figure == "straight":
        return row["instructions"] if row["loops"] == 0 else None
    return row.get(figure)


def ratios(rows, target, figure, ours, theirs):
    """By kernel: the ratio of a figure to that of a twin, where all versions have it, so that all means are of the same
    kernels."""
    found = {}
    for kernel, row in rows.items():
        versions = {**row[target], CHECKED: row[target].get("unmet", row[target]["all"])}
        of = {version: figure_of(versions[version], figure) for version in {*OURS, *INDICES, ours}}
        if all(of.values()):
            found[kernel] = of[ours] / of[theirs]
    return found


def unmet_ratios(rows, target, figure):
    """By kernel with a contract: the ratio of a figure for launches that do not meet it, to that of --no-contracts."""
    found = {}
    for kernel, row in rows.items():
        of = [figure_of(row[target].get(version, {}), figure) for version in ("unmet", "all")]
        if all(of):
            found[kernel] = of[0] / of[1]
    return found


def mean(values):
    return math.exp(sum(map(math.log, values)) / len(values))


def worst(rows, figure, count=5, target="sm_90", ours="held", theirs="nvcc64"):
    """The kernels with the largest ratios, and these."""
    found = ratios(rows, target, figure, ours, theirs)
    return sorted(found.items(), key=lambda each: -each[1])[:count]


def show(rows):
    versions = [*OURS, *INDICES]
    for target in TARGETS:
        print(f"  {target + ':':24} instructions/registers/spilled bytes/instructions of a round")
        print(f"  {'':24} {' '.join(f'{version:>18}' for version in versions)}")
        for kernel, row in rows.items():
            cells = []
            for version in versions:
                of = row[target][version]
                round_ = "" if of.get("round") is None else f"/{of['round']:.1f}"
                cells.append(f"{of['instructions']}/{of['registers']}/{of['spilled']}{round_}")
            print(f"  {kernel.split('/')[1]:24} {' '.join(f'{cell:>18}' for cell in cells)}")
    for target in TARGETS:
        for figure in ("straight", "round", "instructions", "registers"):
            for ours in OURS:
                for theirs in INDICES:
                    found = ratios(rows, target, figure, ours, theirs).values()
                    print(f"  {target}, {figure}, {ours} to {theirs}: {mean(found):.3f} "
                          f"({min(found):.2f} to {max(found):.2f}, {len(found)} kernels)")
    for figure in ("instructions", "registers", "round"):
        if found := unmet_ratios(rows, "sm_90", figure).values():
            print(f"  sm_90, {figure}, unmet contract to --no-contracts: {mean(found):.3f} "
                  f"({min(found):.2f} to {max(found):.2f})")
    for figure in ("straight", "round"):
        print(f"  largest ratios of {figure}, held to nvcc64, sm_90: "
              + ", ".join(f"{kernel} {ratio:.2f}" for kernel, ratio in worst(rows, figure)))
