#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what docs/performance.md says about bench/results/gpu-time.json and gpu-launch.json.

usage: bench/gpu_time_docs.py

Prints docs/performance.md with the part between its two comments written again. ninja docs stores it.
test/lint/generated-docs.test fails if the page is not up to date.
"""
import docs_part

VERSIONS = {"none": "no checks", "held": "the launch contract holds", "all": "all checks"}


def microseconds(value):
    return f"{value:.{1 if value < 1000 else 0}f}"


def title(kernel):
    file, entry = kernel.split("/")
    return f"`{entry}`" + (f" of `{file}`" if entry.split("[")[0] != file else "")


def part():
    times, launch = docs_part.results("gpu-time"), docs_part.results("gpu-launch")
    rows = times["kernels"]
    good = {name: row for name, row in rows.items() if "ratios" in row and not row.get("mismatches")}
    device = times["device"]
    yield (f"The times of Simple divided by those of nvcc, for {len(good)} kernels on {device['name']} with driver "
           f"{device['driver']}:")
    yield ""
    yield "| geometric mean (least to largest) | 64-bit indices | `int` |"
    yield "| --- | --- | --- |"
    for version, what in VERSIONS.items():
        means = [times["means"][f"{version}/{twin}"] for twin in ("nvcc64", "nvcc32")]
        yield f"| {what} | " + " | ".join(f"{mean['mean']:.2f} ({mean['least']:.2f} to {mean['largest']:.2f})"
                                           for mean in means) + " |"
    yield ""
    yield "Medians in microseconds. The ratio is the median of the ratios in each round:"
    yield ""
    yield "| kernel | no checks | contract holds | all checks | nvcc | nvcc, `int` | ratio of contract holds to nvcc |"
    yield "| --- | --- | --- | --- | --- | --- | --- |"
    for name, row in sorted(good.items(), key=lambda entry: -entry[1]["ratios"]["held/nvcc64"]):
        medians = [microseconds(row["microseconds"][version]["median"])
                   for version in ("none", "held", "all", "nvcc64", "nvcc32")]
        yield f"| {title(name)} | " + " | ".join(medians) + f" | {row['ratios']['held/nvcc64']:.2f} |"
    yield ""
    yield "A launch of a kernel with four arguments on the same device, medians in microseconds:"
    yield ""
    yield "| | the runtime | `cuLaunchKernel` |"
    yield "| --- | --- | --- |"
    median = {name: row["median"] * 1000 for name, row in launch["milliseconds"].items()}
    for what, ours, theirs in (("a launch", "launchSpl", "launchDriver"),
                               ("a launch, and waiting for it", "launchAndWaitSpl", "launchAndWaitDriver")):
        yield f"| {what} | {median[ours]:.2f} | {median[theirs]:.2f} |"
    yield f"| ten launches | {median['tenLaunchesSpl']:.2f} | |"
    yield f"| ten launches as a graph | {median['graphOfTenSpl']:.2f} | |"


def main():
    docs_part.print_page("gpu-time", part())


if __name__ == "__main__":
    main()
