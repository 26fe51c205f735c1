#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what docs/performance.md says about bench/results/gpu-code.json, and docs/gpu-code.svg.

usage: bench/gpu_code_docs.py page | chart

- page prints docs/performance.md with the part between its two comments written again.
- chart prints the SVG.

ninja docs writes both again. test/lint/generated-docs.test fails if they are not up to date.
"""
import sys

import docs_part
import gpu_code
import ratio_chart

FIGURES = {
    "straight": "instructions of the kernels without a loop",
    "round": "instructions of a round of the hot loop",
    "instructions": "instructions of all kernels",
    "registers": "registers of all kernels",
}
SETS = {"kernels": "examples", "programs": "programs"}  # by key of the results
NOTABLE = 1.1  # ratios above are explained in the table of the programs
COLUMNS = [("none", "nvcc64"), ("held", "nvcc64"), ("all", "nvcc64"), ("none", "nvcc32")]
# What the SASS shows where Simple needs more than nvcc. Kernels of the table of the largest ratios must be here, and
# those of the programs with a notable ratio.
CAUSES = {
    "bfs/bfs_level":
        "a check of the place in `next`, which an atomic returns: four instructions; the address of `next` is "
        "loaded in each round",
    "bfs/expand":
        "two checks of indices from memory; four iterations share a branch",
    "binomial/price":
        "the own `exp` has nine instructions more than libdevice's",
    "bitonic_sort/sort_step":
        "`i / size * size` and `i % size` are a division and products; nvcc takes both from one remainder",
    "bitonic_sort/sort_tiles__f32":
        "eight more loads and stores of shared memory, of values that nvcc keeps in registers",
    "black_scholes/black_scholes__f32":
        "the own `exp` and `erfc` use no approximate instructions; those of libdevice do",
    "btree/find":
        "a check of the number of the node, which is from memory",
    "btree/sum_ranges":
        "three checks of indices from memory: the node, the key in it, and the value; the key's index has 64 "
        "bits",
    "canny/gradient":
        "each slice has its own pitch; the twin has one for all",
    "fft/fft__64":
        "the path of the sine for large angles, which these angles do not take, nine times, in 64 bits; that of "
        "libdevice is shorter, in 32 bits",
    "kmeans/accumulate":
        "a check of an index from memory; four iterations share a branch",
    "knn/nearest":
        "the condition is four selections for each point, where nvcc combines predicates and has two",
    "lavamd/forces":
        "the own `exp` has nine instructions more than libdevice's",
    "lbm/step":
        "each slice has its own pitches, so that the place of a neighbour is computed for `wall` and for `src`",
    "lud/internal":
        "the bounds are compared for the load and for the store of the tile; the twin compares them once",
    "lud/perimeter":
        "the loops are unrolled as a whole, with 16 divisions; nvcc keeps four loops",
    "murmur3/hash_keys":
        "LLVM makes the rotated product two products; nvcc rotates one",
    "nbody/step":
        "`acc += d * f` is three products and three sums, each rounded; nvcc fuses them",
    "nw/fill_diagonal":
        "the loop of 31 steps is unrolled as a whole; nvcc unrolls it four times. Two checks of indices from "
        "memory in each step",
    "pagerank/gather":
        "a check of an index from memory; eight iterations share a branch. nvcc unrolls 16 times",
    "philox/random_floats":
        "the key is added in each work-item; nvcc adds it in uniform registers",
    "philox/random_words":
        "as `random_floats`",
    "quicksort/sort_short":
        "the index of a key and its bits are computed in 64 bits; checks of the segment, which is from memory",
    "resize/resize":
        "an address of two axes takes two additions in 64 bits, where nvcc has one; indices from floats are "
        "checked",
    "smithwaterman/align":
        "a check of the letter of the target, which prevents that the loop is unrolled; nvcc unrolls it. Two "
        "counters in 64 bits",
    "softmax/softmax":
        "the own `exp` has nine instructions more than libdevice's",
    "spmv/spmv":
        "a check of an index from memory; eight iterations share a branch. nvcc unrolls 16 times",
    "xsbench/look_up":
        "five checks of indices from memory for each nuclide",
}


def cell(found):
    return f"{gpu_code.mean(found.values()):.2f} ({min(found.values()):.2f} to {max(found.values()):.2f})"


def names(kernel):
    file, entry = kernel.split("/")
    name, _, instance = entry.partition("__")
    return f"`{name}" + (f"[{instance}]`" if instance else "`") + (f" of `{file}`" if file != name else "")


def cause(kernel):
    if kernel not in CAUSES:
        sys.exit(f"bench/gpu_code_docs.py: CAUSES must say why {kernel} is behind")
    return CAUSES[kernel]


def means(record):
    yield "| ratio to nvcc | of | kernels | no checks | the launch contract holds | all checks | no checks, `int` |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for target in gpu_code.TARGETS:
        for figure, what in FIGURES.items():
            for key, of in SETS.items():
                columns = [gpu_code.ratios(record[key], target, figure, ours, theirs) for ours, theirs in COLUMNS]
                yield f"| `{target}`: {what} | {of} | {len(columns[0])} | " + " | ".join(map(cell, columns)) + " |"


def unmet(record):
    rows = record["kernels"] | record["programs"]
    yield "The version for launches that do not meet the contract, to the code with `--no-contracts`, for `sm_90`:"
    yield ""
    yield "| figure | kernels | ratio |"
    yield "| --- | --- | --- |"
    for figure in ("instructions", "registers", "round"):
        found = gpu_code.unmet_ratios(rows, "sm_90", figure)
        what = "instructions of a round of the hot loop" if figure == "round" else figure
        yield f"| {what} | {len(found)} | {cell(found)} |"


def largest(rows):
    yield "| largest ratios | Simple | nvcc | ratio | what the SASS shows |"
    yield "| --- | --- | --- | --- | --- |"
    for figure in ("straight", "round"):
        for kernel, ratio in gpu_code.worst(rows, figure):
            if ratio > 1:
                row = rows[kernel]["sm_90"]
                figures = [f"{round(gpu_code.figure_of(row[version], figure), 1):g}" for version in ("held", "nvcc64")]
                what = "a round" if figure == "round" else "instructions"
                yield f"| {names(kernel)}, {what} | {' | '.join(figures)} | {ratio:.2f} | {cause(kernel)} |"


def program_rows(rows):
    yield "| kernel of a program, `sm_90` | contract holds | all checks | nvcc | nvcc, `int` | what the SASS shows |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for kernel, row in rows.items():
        # nvcc may unroll a loop as a whole that Simple does not, and the other way round.
        has_round = all(row["sm_90"][version].get("round") for version in ("held", "nvcc64"))
        cells, compared = [], {}
        for version in ("held", "all", *gpu_code.INDICES):
            of = row["sm_90"][version]
            compared[version] = of["round" if has_round else "instructions"]
            cells.append(str(of["instructions"]) + (f", a round {round(of['round'], 1):g}" if of.get("round") else ""))
        why = cause(kernel) if compared["held"] > NOTABLE * compared["nvcc64"] else ""
        yield f"| {names(kernel)} | {' | '.join(cells)} | {why} |"


def section(record):
    rows = record["kernels"]
    yield f"Geometric means, and the least and the largest ratio, with nvcc and ptxas {record['tools']['ptxas']}. The"
    yield "last column compares with `int`, the others with 64-bit indices:"
    yield ""
    yield from means(record)
    yield ""
    yield from unmet(record)
    yield ""
    yield "The kernels of the examples that are most behind on `sm_90`, where the launch contract holds, to nvcc with"
    yield "64-bit indices:"
    yield ""
    yield from largest(rows)
    yield ""
    yield f"All {len(record['programs'])} kernels of the programs. The last column explains ratios above {NOTABLE:g} to nvcc with"
    yield "64-bit indices: of the rounds of the hot loop if there is one, else of the instructions:"
    yield ""
    yield from program_rows(record["programs"])


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
    record = docs_part.results("gpu-code")
    if sys.argv[1] == "page":
        docs_part.print_page("gpu-code", section(record))
    else:
        print("\n".join(chart(record["kernels"])))


if __name__ == "__main__":
    main()
