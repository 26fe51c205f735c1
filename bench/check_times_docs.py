#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what docs/performance.md says about bench/results/check-times.json.

usage: bench/check_times_docs.py

Prints docs/performance.md with the part between its two comments written again. ninja docs stores it.
test/lint/generated-docs.test fails if the page is not up to date.
"""
import check_times
import docs_part


def part(rows):
    yield "| ratio of the time to that without checks | geometric mean | largest |"
    yield "| --- | --- | --- |"
    for text, key in (("all checks; the launch contract of each kernel holds", "ratio"),
                      ("as if the launch contract did not hold", "unmet_ratio")):
        mean, largest, name = check_times.summary(rows, key)
        file, kernel = name.split("/")
        of = f"`{kernel}`" if kernel == file else f"`{kernel}` of `{file}`"
        yield f"| {text} | {mean:.2f} | {largest:.2f}, {of} |"


def main():
    docs_part.print_page("check-times", part(docs_part.results("check-times")["milliseconds"]))


if __name__ == "__main__":
    main()
