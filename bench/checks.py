# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What checks cost the examples on NVIDIA GPUs, in instructions of PTX and, where ptxas is found, registers:
with all checks, where the launch contract holds, and with --check=none. Used by scripts/bench."""
import math
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT / "test" / "lib"))
import ptx  # noqa: E402

TARGET = "sm_90"
REGISTERS = re.compile(r"^(.+): (\d+) registers,", re.MULTILINE)
TEST = re.compile(r"setp\.|@!?%p\d+ bra")  # a comparison or a branch that depends on one


def symbol(name):
    """The entry of a kernel as --stats names it: 'scale__f32$unchecked' of 'scale[f32]$unchecked'."""
    instance = re.fullmatch(r"(\w+)\[(.*)\](.*)", name)
    if not instance:
        return name
    kernel, arguments, version = instance.groups()
    words = re.sub(r"\W", "_", arguments.replace(" ", "").replace("-", "m"))
    return f"{kernel}__{words}{version}"


def compiled(build, source, *options):
    """By entry: instructions that a work-item without a fault may run, how many of them compare or branch, and
    registers."""
    instances = re.findall("^# Instances: (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE)
    kernels = [f"--kernel={name}" for line in instances for name in line.split()]
    done = subprocess.run([os.path.join(build, "bin", "simple"), "compile", source, "--target", TARGET,
                           "--stats", "-o", "-", *options, *kernels], capture_output=True, text=True, check=True)
    registers = {symbol(name): count for name, count in REGISTERS.findall(done.stderr)}
    rows = {}
    for function in ptx.functions(done.stdout):
        if function.is_entry:
            code = [function.code[at] for at in function.before_return()]
            rows[function.name] = {"instructions": len(code), "tests": sum(map(bool, map(TEST.match, code))),
                                   "registers": int(registers.get(function.name, 0))}
    return rows


def measure(build):
    """By kernel: its figures with all checks, with those that are left where the contract holds, and none. `bare` is
    without checks as well, with indices as wide as where the contract holds."""
    rows = {}
    for source in sorted((ROOT / "examples").glob("*.spl")):
        both = compiled(build, source)
        checked = compiled(build, source, "--no-contracts")
        none = compiled(build, source, "--check=none")
        for name, figures in checked.items():
            version = name + "$unchecked" if name + "$unchecked" in both else name
            rows[f"{source.stem}/{name}"] = {"all": figures, "held": both[version], "none": none[name],
                                             "bare": none[version]}
    return rows


BASE = {"all": "none", "held": "bare"}  # with indices of the same width


def ratio(rows, kind):
    """The geometric mean over the kernels of the instructions with checks to those without."""
    logs = [math.log(row[kind]["instructions"] / row[BASE[kind]]["instructions"]) for row in rows.values()]
    return math.exp(sum(logs) / len(logs))


def added(rows, kind, figure):
    """What checks add to a figure, summed over the kernels."""
    return sum(row[kind][figure] - row[BASE[kind]][figure] for row in rows.values())


def show(rows):
    print(f"  {'kernel':36} instructions (registers): all checks, contract held, none")
    for name, row in rows.items():
        figures = [f"{row[kind]['instructions']} ({row[kind]['registers'] or '?'})" for kind in ("all", "held", "none")]
        print(f"  {name:36} {figures[0]:>12} {figures[1]:>12} {figures[2]:>12}")
    for kind, what in (("all", "all checks"), ("held", "the launch contract held")):
        print(f"  ratio to none with {what}: {ratio(rows, kind):.3f} (geometric mean)")
        print(f"  more than none, in total: {added(rows, kind, 'instructions')} instructions, "
              f"{added(rows, kind, 'tests')} comparisons and branches")
