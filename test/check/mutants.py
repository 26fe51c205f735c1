# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s %build_root/test/unit/spl-e2e-tests %examples %src_root/test/e2e --every 12
"""Plants errors in the kernels of examples/, and counts those that checked launches find.

usage: mutants.py SPL-E2E-TESTS EXAMPLES TESTS [--every N] [--file NAME] [--verbose]

Each mutant differs from its example in one place: a barrier is dropped or moved, a guard is dropped or
loosened, an atomic becomes a load and a store, or a term of an index is dropped or one is added. The tests of
the example run on it, once as checked launches on the CPU, and on ten schedules in an interpreter of PTX.

A mutant counts if its results differ between schedules, or if it faults. It is found if a checked launch has a
finding. docs/check.md explains the columns of the table. If one is missed, the test fails: mend the detector, or
explain the mutant there.
"""
import argparse
import collections
import concurrent.futures
import os
import re
import shutil
import subprocess
import sys
import tempfile

OPEN, CLOSE = "([{", ")]}"


def parts(text, separators):
    """The parts of the text between separators outside of brackets, and the separator before each."""
    result, depth, start, before, at = [], 0, 0, "", 0
    while at < len(text):
        depth += (text[at] in OPEN) - (text[at] in CLOSE)
        found = next((s for s in separators if depth == 0 and text.startswith(s, at)), None)
        if found and text[start:at].strip():
            result.append((before, text[start:at]))
            before, start = found, at + len(found)
            at = start
        else:
            at += 1
    result.append((before, text[start:]))
    return result


def without(split, dropped):
    """The parts again, without one of them."""
    text = "".join(s + part for i, (s, part) in enumerate(split) if i != dropped)
    return text if dropped != 0 else text[len(split[1][0]):] if split[1][0].strip() != "-" else text


def indent(line):
    return len(line) - len(line.lstrip())


class File:
    """The mutants of one file."""

    def __init__(self, name, text):
        self.name, self.lines = name, text.split("\n")
        self.mutants = []  # (kind, what, line number, text)
        code = [not re.match(r'\s*(#|""")|\s*$', line) for line in self.lines]
        inside = False  # of a docstring of several lines
        for number, line in enumerate(self.lines):
            if line.count('"""') % 2:
                inside, code[number] = not inside, False
            elif inside:
                code[number] = False
        self.code = code
        self.body = [is_code and not re.match(r"\s*(fn|const|struct|enum|use)\b|#\[", line) and
                     line.startswith("    ") for is_code, line in zip(code, self.lines)]
        for number, line in enumerate(self.lines):
            if not self.body[number]:
                continue
            self.barrier(number, line)
            self.guards(number, line)
            self.atomic(number, line)
            self.indices(number, line)

    def add(self, kind, what, number, line):
        if line == self.lines[number]:
            return
        lines = list(self.lines)
        lines[number] = line
        self.mutants.append((kind, what, number + 1, "\n".join(lines)))

    # A barrier is dropped, or moved over the statement before or behind it, or out of its block.

    def barrier(self, number, line):
        if line.strip() != "gpu.barrier()":
            return
        self.add("barrier", "dropped", number, " " * indent(line) + "pass")
        code = [n for n, is_code in enumerate(self.code) if is_code]
        rest = self.lines[:number] + self.lines[number + 1:]
        depth = indent(line)
        before = [n for n in code if n < number]
        start = before[-1]
        while indent(self.lines[start]) > depth:
            start = before[before.index(start) - 1]
        self.move(rest, start, indent(self.lines[start]), number, "moved up")
        behind = [n for n in code if n > number]
        if not behind:
            return
        end = behind[0]
        if indent(self.lines[end]) < depth:
            return self.move(rest, end - 1, indent(self.lines[end]), number, "moved out")
        last = end
        for n in behind[1:]:
            if indent(self.lines[n]) <= depth:
                break
            last = n
        self.move(rest, last, depth, number, "moved down")

    def move(self, rest, to, depth, number, what):
        if depth == 0:
            return
        lines = rest[:to] + [" " * depth + "gpu.barrier()"] + rest[to:]
        self.mutants.append(("barrier", what, number + 1, "\n".join(lines)))

    # A guard is dropped, or one of its terms, or its comparison is loosened.

    def guards(self, number, line):
        found = re.match(r"(\s*if )(.+?)(:.*)$", line)
        if found:
            head, condition, tail = found.groups()
            body = tail[1:].strip() or next(
                text.strip() for n, text in enumerate(self.lines) if n > number and self.code[n])
            leaves = re.match(r"(return|continue|break)\b", body) is not None
            return self.guard(number, head, condition, tail, "false" if leaves else "true")
        found = re.match(r"(.* if )(.+?)( else .*)$", line)
        if found:
            self.guard(number, *found.groups(), "true")
        return None

    def guard(self, number, head, condition, tail, dropped):
        self.add("guard", "dropped", number, head + dropped + tail)
        for separator in (" and ", " or "):
            split = parts(condition, [separator])
            for i in range(len(split) if len(split) > 1 else 0):
                self.add("guard", f"without '{split[i][1].strip()}'", number,
                         head + without(split, i) + tail)
        looser = {" < ": " <= ", " >= ": " > "}
        for at in range(len(condition)):
            for old, new in looser.items():
                if condition.startswith(old, at):
                    self.add("guard", "loosened", number,
                             head + condition[:at] + new + condition[at + len(old):] + tail)

    # An atomic becomes a load and a store.

    def atomic(self, number, line):
        found = re.search(r"gpu\.atomic_(add|cas)\(&mut ", line)
        if not found:
            return
        depth, end = 1, found.end()
        while depth:
            depth += (line[end] in OPEN) - (line[end] in CLOSE)
            end += 1
        place, *values = [part.strip() for _, part in parts(line[found.end():end - 1], [","])]
        if line.strip().startswith("gpu.atomic_add") and line.endswith(")"):
            return self.add("atomic", "plain", number, f"{line[:found.start()]}{place} += {values[0]}")
        slice_, index = re.match(r"(\w+)\[(.*)\]$", place).groups()
        call = f"plain_{found[1]}({slice_}, ({index}) as i64, {', '.join(values)})"
        self.add("atomic", "plain", number, line[:found.start()] + call + line[end:])
        kind, what, at, text = self.mutants[-1]
        self.mutants[-1] = (kind, what, at, text + PLAIN)
        return None

    # A term of an index is dropped, or 1 is added to it.

    def indices(self, number, line):
        for found in re.finditer(r"(?<![.\w&])[a-z_]\w*\[", line):
            depth, end = 1, found.end()
            while depth:
                depth += (line[end] in OPEN) - (line[end] in CLOSE)
                end += 1
            axes = parts(line[found.end():end - 1], [","])
            for axis, (_, text) in enumerate(axes):
                for ends, (_, one) in enumerate(bounds := parts(text, [".."])):
                    for what, new in self.changed(one.strip()):
                        other = "..".join(new if k == ends else b.strip() for k, (_, b) in enumerate(bounds))
                        whole = ", ".join(other if k == axis else a.strip() for k, (_, a) in enumerate(axes))
                        self.add("index", what, number,
                                 line[:found.end()] + whole + line[end - 1:])
        found = re.match(r"(\s*val (\w+) = )(.*)$", line)
        if found and any(re.search(rf"\[[^\]]*\b{found[2]}\b", text) for text in self.lines):
            for what, new in self.changed(found[3], adds=False):
                self.add("index", what, number, found[1] + new)
        found = re.match(r"(\s*for \w+ in )gpu\.grid_stride\((.*)\)(.*:)$", line)
        if found:
            self.add("index", "every element", number, f"{found[1]}0..{found[2]}{found[3]}")
        found = re.match(r"(\s*for \w+ in )([^.\d].*?)\.\.(.*:)$", line)
        if found and not found[2].startswith("gpu.grid"):
            self.add("index", f"from 0, not {found[2]}", number, f"{found[1]}0..{found[3]}")

    @staticmethod
    def changed(expression, adds=True):
        if " if " in expression:
            return
        terms = parts(expression, [" + ", " - "])
        for i in range(len(terms) if len(terms) > 1 else 0):
            yield f"without '{terms[i][1].strip()}'", without(terms, i).strip()
        if adds:
            yield "+ 1", f"{expression} + 1"


PLAIN = """
fn plain_add[T: Num](a: &mut [T], i: i64, v: T) -> T:
    val old = a[i]
    a[i] = old + v
    return old

fn plain_cas[T: Num](a: &mut [T], i: i64, expected: T, new: T) -> T:
    val old = a[i]
    if old == expected:
        a[i] = new
    return old
"""


def tests_of(folder):
    """The tests that use each example."""
    tests = collections.defaultdict(list)
    for name in sorted(os.listdir(folder)):
        if not name.endswith("Test.cpp"):
            continue
        test = None
        for line in open(os.path.join(folder, name), encoding="utf-8"):
            test = (m := re.match(r"TEST\((\w+), (\w+)\)", line)) and f"{m[1]}.{m[2]}" or test
            for example in re.findall(r'\bexample\("([\w.]+)"\)', line):
                tests[example].append(test)
    return tests


Record = collections.namedtuple("Record", "findings hashes outcomes")


def run(program, tests, folder):
    """What the tests record: for each build of theirs the findings, and of each schedule the hash of the
    results and the outcome. Nothing if the kernel does not compile."""
    log = os.path.join(folder, "log")
    environment = {**os.environ, "SPL_E2E_EXAMPLES": folder, "SPL_E2E_SCHEDULES": log, "SPL_CACHE": "off"}
    command = [program, f"--gtest_filter={':'.join(tests)}"]
    try:
        subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                       timeout=60, check=False)
    except subprocess.TimeoutExpired:
        pass
    records = []
    for line in open(log, encoding="utf-8") if os.path.exists(log) else []:
        what, *words = line.split()
        if what == "check":
            records.append(Record(words[0], [], []))
        else:
            records[-1].hashes.append(words[0])
            records[-1].outcomes.append(words[1])
    return records


RESULTS = {"passed", "failed"}


def judge(records, original):
    """The column of a mutant."""
    if not records:
        return "refused"
    found = any(record.findings not in RESULTS for record in records)
    differs = wrong = False
    for record, true in zip(records, original):
        faults = any(outcome not in RESULTS for outcome in record.outcomes)
        same = record.outcomes if len(set(true.hashes)) > 1 else record.hashes
        differs = differs or faults or len(set(same)) > 1
        wrong = wrong or same != (true.outcomes if same is record.outcomes else true.hashes)
    if differs:
        return "found" if found else "missed"
    return "found too" if found else "always wrong" if wrong else "equal"


COLUMNS = ["found", "missed", "found too", "always wrong", "equal", "refused"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("examples")
    parser.add_argument("tests")
    parser.add_argument("--every", type=int, default=1, help="only every Nth mutant")
    parser.add_argument("--file", help="only of this file")
    parser.add_argument("--verbose", action="store_true", help="print each mutant")
    options = parser.parse_args()

    tests = tests_of(options.tests)
    names = [name for name in sorted(os.listdir(options.examples))
             if name.endswith(".spl") and options.file in (None, name)]
    missing = [name for name in names if name not in tests]
    if missing:
        sys.exit(f"no test of test/e2e runs {', '.join(missing)}")
    table = {name: collections.Counter() for name in names}
    kinds = collections.defaultdict(collections.Counter)
    failures = 0
    with tempfile.TemporaryDirectory() as top, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        def folder_with(name, text):
            folder = tempfile.mkdtemp(dir=top)
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
            return folder

        def record(name, text):
            folder = folder_with(name, text)
            records = run(options.program, tests[name], folder)
            shutil.rmtree(folder)
            return records

        files = {}
        for name in names:
            with open(os.path.join(options.examples, name), encoding="utf-8") as file:
                files[name] = File(name, file.read())
        mutants = [(name, *mutant) for name in names for mutant in files[name].mutants][::options.every]
        used = sorted({mutant[0] for mutant in mutants})
        originals = dict(zip(used, pool.map(
            lambda name: record(name, "\n".join(files[name].lines)), used)))
        for name, records in originals.items():
            if not records or any(r.findings != "passed" or set(r.outcomes) != {"passed"} for r in records):
                failures += 1
                print(f"{name}: the original has {records}")
        for (name, kind, what, line, _), records in zip(
                mutants, pool.map(lambda mutant: record(mutant[0], mutant[-1]), mutants)):
            column = judge(records, originals[name])
            table[name][column] += 1
            kinds[kind][column] += 1
            text = files[name].lines[line - 1].strip()
            if options.verbose:
                print(f"{column:12} {name}:{line}: {kind} {what}: {text}"
                      f"  [{' '.join(r.findings for r in records)}]", flush=True)
            if column == "missed":
                print(f"{name}:{line}: missed: {kind} {what}: {text}", flush=True)

    print(f"{'':24}" + "".join(f"{column:>14}" for column in COLUMNS))
    total = collections.Counter()
    for name, counts in [*table.items(), *kinds.items()]:
        print(f"{name:24}" + "".join(f"{counts[column]:14}" for column in COLUMNS))
    for counts in kinds.values():
        total += counts
    print(f"{'all':24}" + "".join(f"{total[column]:14}" for column in COLUMNS))
    count = total["found"] + total["missed"]
    print(f"{total['found']} of {count} mutants whose results differ between schedules are found")
    sys.exit(1 if failures or total["missed"] else 0)


main()
