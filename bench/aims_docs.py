#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes the aims in docs/performance.md, with what the stored results of the benches say about each.

usage: bench/aims_docs.py

Prints docs/performance.md with the part between its two comments written again. ninja docs stores it.
test/lint/generated-docs.test fails if the page is not up to date.
"""
import compile_times
import cpu_times
import gpu_code
from docs_part import print_page, results, results_elsewhere

TARGET = "sm_90"


def gpu_rows():
    record = results("gpu-code")
    limits = {"round": "checks of indices from memory; the own `exp`",
              "instructions": "copies of unrolled loops count; batches of iterations with checks are longer",
              "nvcc32": "arguments of 64 bits and their arithmetic; the own `exp`",
              "registers": "addresses of unrolled loops, and the record of a fault"}
    aims = [("a round of the hot loop, no checks", "round", "none", "nvcc64", 0.95),
            ("a round of the hot loop, the contract holds", "round", "held", "nvcc64", 1.0),
            ("a round of the hot loop, no checks, `int` twins", "round", "none", "nvcc32", 1.0),
            ("instructions, no checks", "instructions", "none", "nvcc64", 0.95),
            ("instructions, the contract holds", "instructions", "held", "nvcc64", 0.97),
            ("instructions, the version of a file with all checks", "instructions", gpu_code.CHECKED, "nvcc64", 1.05),
            ("instructions, all checks, `--no-contracts`", "instructions", "all", "nvcc64", 1.05),
            ("instructions, no checks, `int` twins", "instructions", "none", "nvcc32", 1.0),
            ("registers, no checks", "registers", "none", "nvcc64", 0.95)]
    for text, figure, ours, theirs, aim in aims:
        means = [gpu_code.mean(gpu_code.ratios(record[of], TARGET, figure, ours, theirs).values())
                 for of in ("kernels", "programs")]
        yield f"GPU code for `{TARGET}` to nvcc's: {text}", aim, means, limits["nvcc32" if theirs == "nvcc32" else figure]
    means = results("gpu-time")["means"]["held/nvcc64"]
    yield "time on a GPU to nvcc's, the contract holds", 1.0, [means["mean"]], "see the largest ratios below"


def cpu_rows():
    yield from cpu_rows_of(results("cpu"), "")
    for record in results_elsewhere("cpu"):
        yield from cpu_rows_of(record, f", on {record['machine']['processor']}")


def cpu_rows_of(record, where):
    limit = "see the causes below"
    same = cpu_times.means(cpu_times.with_same_algorithm(record["kernels"]))
    for found, which in ((record["means"], ""), (same, " with the same algorithm")):
        means = [found[of]["1"]["mean"] for of in ("examples", "programs")]
        yield f"time on the CPU to C++'s{which}, 1 thread{where}", 1.0, means, limit
    for of, aim in (("examples", 2.0), ("programs", 3.0)):
        yield (f"largest time on the CPU to C++'s with the same algorithm, {of}, 1 thread{where}", aim,
               [same[of]["1"]["largest"]], limit)
    yield (f"time on the CPU with 2 threads to that with 1{where}", 1 / 1.9,
           [cpu_times.of_two_threads(record["kernels"], of) for of in ("examples", "programs")],
           "the threads share the memory")
    if "means_pocl" in record:
        yield (f"time on the CPU to PoCL's, 1 thread{where}", 0.15, [record["means_pocl"]["examples"]["1"]["mean"]],
               "see the largest ratios below")


def compile_rows():
    rows = results("compile-times")["kernels"]
    for count, of in rows.items():
        limit = "a version without lifted checks is compiled too; LLVM's passes and code generator" if int(count) > 1 else ""
        yield (f"time to compile {of['kernels']} kernel{'s' if of['kernels'] > 1 else ''} to nvcc's", 0.5,
               [compile_times.ratio(of, compile_times.OURS, "seconds")], limit)
    for of in rows.values():
        if compile_times.LOADED in of["compilers"]:
            yield (f"time to compile {of['kernels']} kernel{'s' if of['kernels'] > 1 else ''} in process to NVRTC's", 0.5,
                   [compile_times.ratio(of, compile_times.LOADED, "seconds")],
                   "LLVM's passes and code generator")
    for name in (compile_times.OURS, compile_times.LOADED):
        if name in rows["1000"]["compilers"]:
            yield (f"processor time for a kernel of {rows['1000']['kernels']} to that for one of "
                   f"{rows['100']['kernels']}, {name}", 1.1, [compile_times.growth(rows, name)],
                   "malloc, in a larger heap")


def part():
    yield "| ratio | aim, at most | examples, or one number | programs | what limits it |"
    yield "| --- | --- | --- | --- | --- |"
    for text, aim, found, limit in [*gpu_rows(), *cpu_rows(), *compile_rows()]:
        cells = [f"{value:.2f}" for value in found] + [""] * (2 - len(found))
        is_met = all(value <= aim for value in found)
        yield f"| {text} | {aim:.2f} | " + " | ".join(cells) + f" | {'reached' if is_met else limit} |"


def main():
    print_page("aims", part())


if __name__ == "__main__":
    main()
