# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The parts of docs/performance.md that scripts write, each between two comments.

The part "cpu" is written by bench/cpu_docs.py. test/lint/generated-docs.test compares the page with what they print.
"""
import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parent.parent


def results(name):
    """What bench/results/NAME.json stores."""
    return json.loads((ROOT / "bench" / "results" / f"{name}.json").read_text(encoding="utf-8"))


def results_elsewhere(name):
    """What bench/results/NAME-MACHINE.json store: results of the same bench on other machines."""
    return [results(path.stem) for path in sorted((ROOT / "bench" / "results").glob(f"{name}-*.json"))]


def print_page(name, lines):
    """Prints the page with these lines as the part of that name."""
    begin = f"<!-- {name}: written by bench/{name.replace('-', '_')}_docs.py -->"
    end = f"<!-- {name}: end -->"
    before, rest = (ROOT / "docs" / "performance.md").read_text(encoding="utf-8").split(begin)
    print(before + begin, *lines, end + rest.split(end)[1], sep="\n", end="")
