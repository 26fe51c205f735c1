#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what docs/performance.md says about bench/results/gpu-code.json, and docs/gpu-code.svg.

usage: bench/gpu_code_docs.py page | chart

- page prints docs/performance.md with the part between its two comments written again.
- chart prints the SVG.

ninja docs writes both again. test/lint/generated-docs.test fails if they are not up to date.
"""
import json
import sys

import gpu_code
import ratio_chart

BEGIN, END = "<!-- gpu-code: written by bench/gpu_code_docs.py -->", "<!-- gpu-code: end -->"
FIGURES = {
    "straight": "instructions of the kernels without a loop",
    "round": "instructions of a round of the hot loop",
    "instructions": "instructions of all kernels",
    "registers": "registers of all kernels",
}
COLUMNS = [("none", "nvcc64"), ("held", "nvcc64"), ("all", "nvcc64"), ("none", "nvcc32")]
# What the SASS shows where Simple needs more than nvcc. Kernels of the table of the largest ratios must be here.
CAUSES = {
    "bfs/bfs_level":
        "checks of indices from memory: each extends an i32 to 64 bits and compares both halves",
    "bitonic_sort/sort_step":
        "`i / size * size` and `i % size` are a division and products; nvcc takes both from one remainder",
    "bitonic_sort/sort_tiles__f32":
        "eight more loads and stores of shared memory, of values that nvcc keeps in registers",
    "fft/fft__1024":
        "ptxas unrolls the path of the sine for large angles, which these angles do not take",
    "histogram/histogram":
        "the counter and the address are two additions in 64 bits; nvcc keeps one",
    "jacobi/relax":
        "each slice has its own pitch; the twin has one for all",
    "kmeans/accumulate":
        "two loads for `.x` and `.y`, where nvcc loads a `float2`; two checks of indices from memory; four "
        "counters in 64 bits, where nvcc has one",
    "layer_norm/layer_norm":
        "the counter, the index and four addresses are six additions in 64 bits",
    "linear_regression/gradient":
        "sums of a group go to all work-items, though one reads them",
    "mergepath/split":
        "a check of an index from the binary search",
    "nw/fill_diagonal":
        "the loop of 16 steps is unrolled as a whole; nvcc unrolls it four times",
    "philox/random_floats":
        "the key is added in each work-item; nvcc adds it in uniform registers",
    "philox/random_words":
        "as `random_floats`",
    "resize/resize":
        "an address of two axes takes two additions in 64 bits, where nvcc has one; indices from floats "
        "are checked",
    "spmv/spmv":
        "three checks of indices from memory, which also prevent that the loop is unrolled; nvcc unrolls it",
}


def cell(found):
    return f"{gpu_code.mean(found.values()):.2f} ({min(found.values()):.2f} to {max(found.values()):.2f})"


def names(kernel):
    file, entry = kernel.split("/")
    name, _, instance = entry.partition("__")
    return f"`{name}" + (f"[{instance}]`" if instance else "`") + (f" of `{file}`" if file != name else "")


def means(rows):
    yield "| ratio to nvcc | kernels | no checks | the launch contract holds | all checks | no checks, `int` |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for target in gpu_code.TARGETS:
        for figure, what in FIGURES.items():
            columns = [gpu_code.ratios(rows, target, figure, ours, theirs) for ours, theirs in COLUMNS]
            yield f"| `{target}`: {what} | {len(columns[0])} | " + " | ".join(map(cell, columns)) + " |"


def largest(rows):
    yield "| largest ratios | Simple | nvcc | ratio | what the SASS shows |"
    yield "| --- | --- | --- | --- | --- |"
    for figure in ("straight", "round"):
        for kernel, ratio in gpu_code.worst(rows, figure):
            if ratio > 1:
                row = rows[kernel]["sm_90"]
                figures = [f"{round(gpu_code.figure_of(row[version], figure), 1):g}" for version in ("held", "nvcc64")]
                what = "a round" if figure == "round" else "instructions"
                yield f"| {names(kernel)}, {what} | {' | '.join(figures)} | {ratio:.2f} | {CAUSES[kernel]} |"


def program_rows(rows):
    yield "| kernel of a program, `sm_90` | contract holds | all checks | nvcc | nvcc, `int` | what the SASS shows |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for kernel, row in rows.items():
        has_round = row["sm_90"]["held"].get("round") is not None
        cells, compared = [], {}
        for version in ("held", "all", *gpu_code.INDICES):
            of = row["sm_90"][version]
            compared[version] = of["round"] if has_round else of["instructions"]
            cells.append(str(of["instructions"]) + (f", a round {round(of['round'], 1):g}" if of.get("round") else ""))
        cause = CAUSES[kernel] if compared["held"] > compared["nvcc64"] else ""
        yield f"| {names(kernel)} | {' | '.join(cells)} | {cause} |"


def section(record):
    rows = record["kernels"]
    yield BEGIN
    yield f"Geometric means, and the least and the largest ratio, with nvcc and ptxas {record['tools']['ptxas']}. The"
    yield "last column compares with `int`, the others with 64-bit indices:"
    yield ""
    yield from means(rows)
    yield ""
    yield "The kernels that are most behind on `sm_90`, where the launch contract holds, to nvcc with 64-bit indices:"
    yield ""
    yield from largest(rows)
    yield ""
    yield "Instructions of some programs:"
    yield ""
    yield from program_rows(record["programs"])
    yield END


def page(record):
    text = (gpu_code.ROOT / "docs" / "performance.md").read_text(encoding="utf-8")
    before, after = text.split(BEGIN)[0], text.split(END)[1]
    return before + "\n".join(section(record)) + after


SERIES = {"none": ("no checks", "#54a24b"), "held": ("the launch contract holds", "#4c78a8"),
          "all": ("all checks", "#f58518")}


def chart(rows):
    """A row of dots for each kernel: of a round of the hot loop if it has one, else of its instructions if it has no
    loop."""
    shown = {}
    for ours in SERIES:
        both = {**gpu_code.ratios(rows, "sm_90", "straight", ours, "nvcc64"),
                **gpu_code.ratios(rows, "sm_90", "round", ours, "nvcc64")}
        for kernel, ratio in both.items():
            shown.setdefault(kernel, {})[ours] = ratio
    drawn = ratio_chart.Chart("instructions of Simple for one of nvcc with 64-bit indices, sm_90 (* a round of the hot "
                              "loop)", SERIES, [0.25, 0.5, 1, 2, 4, 8])
    order = sorted(shown, key=lambda kernel: -shown[kernel]["held"])
    return drawn.lines([(kernel.split("/")[1].replace("__", " ") +
                         (" *" if rows[kernel]["sm_90"]["held"].get("round") else ""), shown[kernel])
                        for kernel in order])


def main():
    if sys.argv[1:] not in (["page"], ["chart"]):
        sys.exit(__doc__)
    results = gpu_code.ROOT / "bench" / "results" / "gpu-code.json"
    record = json.loads(results.read_text(encoding="utf-8"))
    sys.stdout.write(page(record) if sys.argv[1] == "page" else "\n".join(chart(record["kernels"])) + "\n")


if __name__ == "__main__":
    main()
