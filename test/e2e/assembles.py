# RUN: rm -rf %t && mkdir %t && %python %s %src_root %t
# REQUIRES: ptxas
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ptxas assembles every valid kernel of examples/ and of the tests for GPUs of every generation. For generic
kernels it assembles the instances that a comment "# Instances: f[i32] g[f32,4]" names. Of the kernels in test/ outside
of e2e/Inputs each is assembled for the oldest generation and for one of the others in turn; with "all", for each."""
import concurrent.futures
import pathlib
import re
import subprocess
import sys

ROOT, FOLDER = map(pathlib.Path, sys.argv[1:3])
ALL = "all" in sys.argv[3:]
TARGETS = ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"]
# The first target with the lowest and the highest optimisation, with and without checks. The others
# with the defaults.
VARIANTS = [(target, "2", "all") for target in TARGETS[1:]]
VARIANTS += [(TARGETS[0], level, checks) for level in "03" for checks in ("all", "none")]


def kernel_sets(source):
    """The separate compilations of a file: all kernels that are not generic, and each named instance."""
    text = source.read_text(encoding="utf-8")
    lines = re.findall("^# Instances: (.*)$", text, re.MULTILINE)
    sets = [line.split() for line in lines]
    if re.search(r"^#\[gpu.*\n(#.*\n)*fn \w+\(", text, re.MULTILINE) or "#[gpu" not in text:
        sets.append([])
    assert sets, f"{source} is generic and names no instances"
    return sets


def assemble(source, target, level, checks, kernels=()):
    name = f"{source.name} {' '.join(kernels)} for {target} at -O{level} --check={checks}"
    output = FOLDER / f"{abs(hash(name))}.cubin"
    command = ["simple", "compile", source, "--emit", "cubin", "--target", target, f"-O{level}",
               "--check", checks, "-o", output, *(f"--kernel={kernel}" for kernel in kernels)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        return f"{name}: ended with {done.returncode}\n{done.stdout}{done.stderr}"
    if output.read_bytes()[:4] != b"\x7fELF":
        return f"{name}: what was written is no cubin"
    return None


def is_rejected(source):
    """Whether a test expects that the file does not compile."""
    # Split, so that lit does not take it for a RUN line.
    return "RUN" ": not simple" in source.read_text(encoding="utf-8")


inputs = [source for source in sorted((ROOT / "test/e2e/Inputs").glob("*.spl"))
          if "#[gpu" in source.read_text(encoding="utf-8")]  # others are imported
sources = [*sorted((ROOT / "examples").glob("*.spl")), *inputs]
assert len(sources) > 10, sources
float16_sources = sorted((ROOT / "test/e2e/Inputs").glob("float16*.spl"))
assert float16_sources
for source in float16_sources:  # the tests of these files also replace f16 by bf16
    sources.append(FOLDER / f"b{source.name}")
    sources[-1].write_text(re.sub(r"\bf16", "bf16", source.read_text(encoding="utf-8")), encoding="utf-8")
others = [source for source in sorted((ROOT / "test").glob("**/*.spl"))
          if source not in sources and not is_rejected(source)
          and "#[gpu]" in source.read_text(encoding="utf-8")]
assert len(others) > 10, others
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    jobs = [pool.submit(assemble, source, *variant, kernels)
            for source in sources for kernels in kernel_sets(source) for variant in VARIANTS]
    jobs += [pool.submit(assemble, source, target, "2", "all", kernels)
             for number, source in enumerate(others) for kernels in kernel_sets(source)
             for target in (TARGETS if ALL else {TARGETS[0], TARGETS[1 + number % (len(TARGETS) - 1)]})]
    problems = [job.result() for job in jobs if job.result()]
for problem in problems:
    print(problem)
sys.exit(1 if problems else 0)
