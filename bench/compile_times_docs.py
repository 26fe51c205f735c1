#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what docs/performance.md says about bench/results/compile-times.json.

usage: bench/compile_times_docs.py

Prints docs/performance.md with the part between its two comments written again. ninja docs stores it.
test/lint/generated-docs.test fails if the page is not up to date.
"""
import compile_times
import docs_part


def part(rows, load, ptxas, threads):
    yield "| kernels | compiler | seconds (least to largest) | ratio | processor seconds | ratio | MB |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for of in rows.values():
        for name, values in of["compilers"].items():
            ratios = [compile_times.ratio(of, name, column) for column in ("seconds", "processor_seconds")]
            wall, busy = [f"{found:.2f}" if found else "" for found in ratios]
            yield (f"| {of['kernels']} | {name} | {values['seconds']:.3g} ({values['least']:.3g} to "
                   f"{values['largest']:.3g}) | {wall} | {values['processor_seconds']:.3g} | {busy} | "
                   f"{f'{megabytes:.0f}' if (megabytes := values['megabytes']) else ''} |")
    yield ""
    yield f"The machine has {threads} hardware threads. Loading a module of {load['kernels']}"
    yield f"kernels for the CPU, without the cache, takes {load['seconds']:.3g} s ({load['least']:.3g} to"
    yield f"{load['largest']:.3g}), and {load['processor_seconds']:.3g} s of processor time."
    if ptxas:
        yield ""
        yield "The driver compiles PTX when it loads it. ptxas, which has the same compiler, takes this time for the"
        yield f"PTX of {ptxas['kernels']} kernels:"
        yield ""
        yield "| PTX | seconds (least to largest) | ratio |"
        yield "| --- | --- | --- |"
        files = ptxas["files"]
        for name, values in files.items():
            yield (f"| {name} | {values['seconds']:.3g} ({values['least']:.3g} to {values['largest']:.3g}) | "
                   f"{values['seconds'] / files[compile_times.SINGLE]['seconds']:.2f} |")


def main():
    record = docs_part.results("compile-times")
    lines = part(record["kernels"], record["load"], record.get("ptxas"), record["machine"]["threads"])
    docs_part.print_page("compile-times", lines)


if __name__ == "__main__":
    main()
