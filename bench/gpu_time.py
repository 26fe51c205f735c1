#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The first step of scripts/bench gpu-time: compiles the kernels and their twins in CUDA C++ into a folder.

usage: bench/gpu_time.py [--build FOLDER] [--only FILE,...] FOLDER

The folder then has:

- code/: each version of each file, as PTX and as a cubin; the same ptxas assembles the PTX of Simple and of nvcc
- table.json: by kernel, what is launched with which arguments
- run (gpu_time_run.py) and gpu_time_device.py: the second step, for a machine with a GPU
"""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import sys
import types

import gpu_code
import gpu_time_launches
import gpu_time_programs
import program_twins

TARGET = "sm_90"
TOOLS = gpu_code.ROOT / "bench" / "gpu_time.spl"
ENTRY = re.compile(r"^\.visible \.entry ([\w$]+)\(([^)]*)\)", re.MULTILINE)
PARAMETER = re.compile(r"\.param (?:\.align \d+ )?\.([bus]|f)(\d+)[^,\[]*(?:\[(\d+)\])?")
SIGNATURE = re.compile(r"^// spl\.kernel (.*?)(\w+(?:\[[^\]]*\])?)\(([^()]*)\)(?: unchecked if (.*))?$", re.MULTILINE)


def missing_tools():
    """The reason why the folder cannot be made, or None."""
    missing = [name for name in ("nvcc", "ptxas") if not gpu_code.tools()[0][name]]
    return f"needs {' and '.join(missing)} of the CUDA toolkit" if missing else None


class Code:
    """The code of one version of a file, written into the folder as PTX and as a cubin. `entries` has the bytes of
    the parameters of each entry."""

    def __init__(self, folder, name, text):
        self.name, self.text = name, text
        self.entries = {entry: [int(bits) // 8 * int(count or 1) for _, bits, count in PARAMETER.findall(parameters)]
                        for entry, parameters in ENTRY.findall(text)}
        (folder / f"{name}.ptx").write_text(text, encoding="utf-8")
        gpu_code.run(gpu_code.tools()[0]["ptxas"], f"-arch={TARGET}", "-O3", folder / f"{name}.ptx", "-o",
                     folder / f"{name}.cubin")


def name_of(source):
    """The name of a file in the folder. An example and a program may have the same name."""
    return f"programs.{source.stem}" if source in gpu_code.PROGRAMS else source.stem


def source_of(kernel):
    """The file of a launched kernel."""
    folder = gpu_code.ROOT / ("programs" if kernel in program_twins.PARAMETERS else "examples")
    stem = kernel.split("/")[0]
    return next(path for path in (folder / f"{stem}.spl", folder / stem / f"{stem}.spl") if path.exists())


def versions(build, source, folder):
    """By version: a Code for each PTX text of the file."""
    found = {}
    for version, options in gpu_code.OURS.items():
        texts = gpu_code.ptx_of_source(build, source, TARGET, options)
        found[version] = [Code(folder, f"{name_of(source)}.{version}{number or ''}", text)
                          for number, text in enumerate(texts)]
    for version, index in gpu_code.INDICES.items():
        name = f"{name_of(source)}.{version}"
        text = gpu_code.ptx_of_twin(gpu_code.tools()[0]["nvcc"], gpu_code.twin_of(source), TARGET, index,
                                    folder / f"{name}.ptx")
        found[version] = [Code(folder, name, text)]
    return found


def holds(condition, launch):
    """Whether conditions of a contract, in the syntax of signatures, hold for a launch. The text is an expression of
    Python too, except for the division."""
    names = {}
    for name, argument in launch.arguments.items():
        of = argument if isinstance(argument, gpu_time_launches.Array) else argument.named()
        parameter_, _, field = name.partition(".")
        if field:
            setattr(names.setdefault(parameter_, types.SimpleNamespace()), field, of)
        else:
            names[name] = of
    functions = {"gpu": launch, "min": min, "max": max}
    return eval(condition.replace(" / ", " // "), functions, names)  # pylint: disable=eval-used


def contract(codes, launch):
    """'none', 'holds' or 'does not hold', and the suffix of the entry that the runtime selects."""
    for code in codes:
        for _, entry, _, condition in SIGNATURE.findall(code.text):
            if program_twins.symbol(entry) == launch.entry and condition:
                groups = condition.split(" and if ")
                unmet = [number for number, group in enumerate(groups, 1) if not holds(group, launch)]
                if not unmet:
                    return "holds", "$unchecked"
                return "does not hold", f"$unmet{unmet[0]}" if len(groups) > len(unmet) == 1 else ""
    return "none", ""


def parameter(argument, name, is_checked, index="i64"):
    """The name of an array, whose address is passed, or the bytes of a value."""
    if isinstance(argument, gpu_time_launches.Array):
        return {"array": name}
    return {"bytes": argument.bytes(is_checked, index).hex()}


def our_parameters(launch, is_checked):
    rows = []
    for name, argument in launch.arguments.items():
        rows.append(parameter(argument, name, is_checked))
        if isinstance(argument, gpu_time_launches.Array):
            rows += [{"bytes": gpu_time_launches.Value("i64", extent).bytes(is_checked).hex()}
                     for extent in argument.shape]
    return rows


def twin_parameters(launch, is_checked, index):
    return [parameter(launch.arguments[each], each, is_checked) if isinstance(each, str)
            else parameter(each, "", is_checked, index) for each in launch.twin]


def sizes(parameters):
    return [len(row["bytes"]) // 2 if "bytes" in row else 8 for row in parameters]


def version_of(launch, codes, version):
    """What a version launches: a code, an entry and its parameters for the comparison and for the times."""
    entry = launch.entry + contract(codes, launch)[1]
    code = next(code for code in codes if entry in code.entries)
    if version in gpu_code.INDICES:
        index = {"std::int64_t": "i64", "int": "i32"}[gpu_code.INDICES[version]]
        parameters = [twin_parameters(launch, is_checked, index) for is_checked in (True, False)]
    else:
        parameters = [our_parameters(launch, is_checked) for is_checked in (True, False)]
        if len(code.entries[entry]) == len(parameters[0]) + 1:
            for each in parameters:
                each.append({"faults": True})
    if sizes(parameters[0]) != code.entries[entry]:
        sys.exit(f"{code.name} has the parameters {code.entries[entry]} of {entry}, and the launch "
                 f"{sizes(parameters[0])}")
    return {"code": code.name, "entry": entry, "checked": parameters[0], "timed": parameters[1]}


def row_of(launch, codes):
    return {"grid": launch.grid, "block": launch.block, "shared": 0, "contract": contract(codes["held"], launch)[0],
            "arrays": {name: argument.row() for name, argument in launch.arguments.items()
                       if isinstance(argument, gpu_time_launches.Array)},
            "written": launch.written, "sets": list(launch.sets), "restored": list(launch.restored),
            "tolerance": launch.tolerance, "may_differ": launch.may_differ,
            "versions": {version: version_of(launch, each, version) for version, each in codes.items()}}


def launches(is_quick):
    def size(full, quick):
        return quick if is_quick else full

    return [*gpu_time_launches.examples(size), *gpu_time_programs.programs(size)]


def prepare(build, output, only=()):
    """Fills a folder, which is replaced."""
    output = pathlib.Path(output)
    shutil.rmtree(output, ignore_errors=True)
    folder = output / "code"
    folder.mkdir(parents=True)
    sources = [source for source in gpu_code.EXAMPLES + gpu_code.PROGRAMS if not only or source.stem in only]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        codes = dict(zip(sources, pool.map(lambda source: versions(build, source, folder), sources)))
    Code(folder, "tools", gpu_code.ptx_of_source(build, TOOLS, TARGET, ["--check=none", "--no-contracts"])[0])
    table = {"ours": list(gpu_code.OURS), "theirs": list(gpu_code.INDICES), "target": TARGET}
    for name, is_quick in (("kernels", False), ("quick", True)):
        table[name] = {}
        for launch in launches(is_quick):
            if source_of(launch.kernel) in codes:
                table[name][launch.kernel] = row_of(launch, codes[source_of(launch.kernel)])
    launched = {program_twins.symbol(kernel) for kernel in table["kernels"]}
    expected = {f"{source.stem}/{entry}" for source, each in codes.items() for code in each["all"]
                for entry in code.entries}
    if launched != expected:
        sys.exit(f"bench/gpu_time_launches.py and bench/gpu_time_programs.py launch other kernels than those with twins: "
                 f"{', '.join(sorted(launched ^ expected))}")
    (output / "table.json").write_text(json.dumps(table, indent=1), encoding="utf-8")
    bench = gpu_code.ROOT / "bench"
    shutil.copy2(bench / "gpu_time_run.py", output / "run")
    shutil.copy2(bench / "gpu_time_device.py", output)
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--build", default=gpu_code.ROOT / "build" / "release")
    parser.add_argument("--only", metavar="FILE,...", default="", help="the kernels of these files, such as matmul")
    parser.add_argument("output", metavar="FOLDER", help="is replaced")
    options = parser.parse_args()
    if missing_tools():
        sys.exit(missing_tools())
    prepare(options.build, options.output, list(filter(None, options.only.split(","))))


if __name__ == "__main__":
    main()
