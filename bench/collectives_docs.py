#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what docs/performance.md says about bench/results/collectives.json.

usage: bench/collectives_docs.py

Prints docs/performance.md with the part between its two comments written again. ninja docs stores it.
test/lint/generated-docs.test fails if the page is not up to date.
"""
import collectives
import docs_part


def part(rows):
    yield "| kernel | ms | ratio | to |"
    yield "| --- | --- | --- | --- |"
    for name, (_, _, peer) in collectives.ROWS.items():
        row = rows[name]
        ratio = row.get("ratio")
        of = f"{ratio['median']:.2f} ({ratio['least']:.2f} to {ratio['largest']:.2f})" if ratio else ""
        yield f"| {name} | {row['median']:.3g} | {of} | {peer or ''} |"


def main():
    docs_part.print_page("collectives", part(docs_part.results("collectives")["milliseconds"]))


if __name__ == "__main__":
    main()
