# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Which mutants are tried, which tests reach them, and what became of each."""
import collections
import json
import random

from . import rewrites


def all_mutants(files, folders):
    """Every mutant of the table as a dictionary with its folder, file, number and key.

    The key says what the mutant is without its number or its line, so that results outlive other changes.
    """
    for name in sorted(files):
        folder = next((folder for folder in folders if name.startswith(folder + "/")), None)
        if folder is None:
            continue
        times = collections.Counter()
        for index, mutant in enumerate(files[name]["mutants"]):
            what = "|".join([name, mutant["rewrite"], mutant["source"], mutant["from"], mutant["to"]])
            times[what] += 1
            yield {**mutant, "folder": folder, "file": name, "number": files[name]["first"] + index,
                   "key": f"{what}|{times[what]}"}


def draw(mutants, count, seed):
    """A sample, even over folders and rewrites as far as there are enough of each."""
    cells = {}
    for mutant in mutants:
        cells.setdefault((mutant["folder"], mutant["rewrite"]), []).append(mutant)
    folders = sorted({folder for folder, _ in cells})
    for cell in sorted(cells):
        random.Random(f"{seed} {cell}").shuffle(cells[cell])
    chosen = []
    while len(chosen) < count and any(cells.values()):
        for rewrite in rewrites.NAMES:
            for folder in folders:
                if cells.get((folder, rewrite)) and len(chosen) < count:
                    chosen.append(cells[folder, rewrite].pop())
    return chosen


class Results:
    """One line a mutant in build/mutate/results.jsonl: what is there is not tried again."""

    def __init__(self, path):
        self.path = path
        self.by_key = {}
        if path.exists():
            for line in path.read_text(encoding="utf-8").splitlines():
                try:
                    result = json.loads(line)
                except ValueError:  # the run was killed while it wrote this
                    continue
                self.by_key[result["key"]] = result

    def add(self, result):
        self.by_key[result["key"]] = result
        with open(self.path, "a", encoding="utf-8") as file:
            file.write(json.dumps(result) + "\n")

    def forget(self, keep):
        self.by_key = {key: result for key, result in self.by_key.items() if keep(result)}
        lines = [json.dumps(result) + "\n" for result in self.by_key.values()]
        self.path.write_text("".join(lines), encoding="utf-8")


def place(mutant):
    return f"{mutant['file']}:{mutant['line']}:{mutant['column']}"


def change(mutant):
    """The rewrite in one line."""
    if not mutant["from"]:
        return f"{mutant['rewrite']}: adds `{mutant['to'].strip()}`"
    before, after = (" ".join(mutant[side].split()) for side in ("from", "to"))
    short = before if len(before) <= 60 else before[:57] + "..."
    return f"{mutant['rewrite']}: `{short}`" + (f" -> `{after}`" if after and len(after) <= 60 else "")


def summary(mutants, results):
    """Markdown: the score by folder, and by rewrite."""
    lines = []
    for title, column in (("folder", "folder"), ("rewrite", "rewrite")):
        lines += [f"| {title} | mutants | caught | score |", "| --- | ---: | ---: | ---: |"]
        groups = sorted({mutant[column] for mutant in mutants})
        for group in [*groups, "all"]:
            tried = [results[m["key"]] for m in mutants if group in ("all", m[column]) and m["key"] in results]
            caught = sum(result["caught"] for result in tried)
            if tried:
                lines.append(f"| {group} | {len(tried)} | {caught} | {100 * caught / len(tried):.1f} % |")
        lines.append("")
    return "\n".join(lines)
