#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what docs/performance.md says about bench/results/collectives.json.

usage: bench/collectives_docs.py

Prints docs/performance.md with the part between its two comments written again. ninja docs stores it.
test/lint/generated-docs.test fails if the page is not up to date.
"""
import json
import pathlib

import collectives

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE, RESULTS = ROOT / "docs" / "performance.md", ROOT / "bench" / "results" / "collectives.json"
BEGIN, END = "<!-- collectives: written by bench/collectives_docs.py -->", "<!-- collectives: end -->"


def part(rows):
    yield "| kernel | ms | ratio | to |"
    yield "| --- | --- | --- | --- |"
    for name, (_, _, peer) in collectives.ROWS.items():
        row = rows[name]
        ratio = row.get("ratio")
        of = f"{ratio['median']:.2f} ({ratio['least']:.2f} to {ratio['largest']:.2f})" if ratio else ""
        yield f"| {name} | {row['median']:.3g} | {of} | {peer or ''} |"


def main():
    record = json.loads(RESULTS.read_text(encoding="utf-8"))
    before, rest = PAGE.read_text(encoding="utf-8").split(BEGIN)
    print(before + BEGIN, *part(record["milliseconds"]), END + rest.split(END)[1], sep="\n", end="")


if __name__ == "__main__":
    main()
