# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The rewritten copy of the tree: every mutant beside the original, chosen by isOn(number) of mutants.h."""
import bisect
import hashlib
import json
import multiprocessing
import pathlib
import re
import shlex
import shutil
import subprocess

from clang.cindex import Diagnostic, Index

from . import rewrites

HEADER = pathlib.Path(__file__).with_name("mutants.h")
# The first number of each file is a multiple, so that one more mutant in a file does not renumber the others.
BLOCK = 100
# Mutants may narrow constants and reach code that is unreachable. A trap then ends the test; undefined behaviour
# could pass it.
SAFE = """#pragma clang diagnostic ignored "-Wc++11-narrowing"
#undef llvm_unreachable
#define llvm_unreachable(text) __builtin_trap()
"""


def copy_tree(root, tree, rewritten):
    """Brings the copy up to date with what git lists, but for the rewritten files.

    Files that are the same keep their time, so that they are not built again.
    """
    listing = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=root,
                             stdout=subprocess.PIPE, check=True).stdout.decode()
    for name in filter(None, listing.split("\0")):
        source, target = root / name, tree / name
        if source.is_file() and name not in rewritten:
            write(target, source.read_bytes(), source)
    write(tree / "mutants.h", HEADER.read_bytes(), HEADER)


def write(target, content, like=None):
    if target.exists() and target.read_bytes() == content:
        return False
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)
    if like:
        shutil.copymode(like, target)
    return True


def compile_arguments(build):
    """{path: arguments for libclang}, from the build's compile_commands.json."""
    result = {}
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        first = next(i for i, word in enumerate(words) if word.startswith("-"))
        words = [word for word in words[first:] if word not in ("-c", entry["file"])]
        if "-o" in words:
            at = words.index("-o")
            del words[at:at + 2]
        result.setdefault(entry["file"], words)
    return result


class Sources:
    """The mutants of files, each with its number, in build/mutate/mutants.json."""

    def __init__(self, root, tree, build, table):
        self.root, self.tree, self.build, self.table = root, tree, build, table
        self.files = json.loads(table.read_text(encoding="utf-8")) if table.exists() else {}

    def update(self, names, jobs, report):
        """Writes the rewritten form of these files into the copy."""
        arguments = compile_arguments(self.build)
        names = [name for name in names if str(self.tree / name) in arguments]
        stale = self.stale(names)
        work = [(self.root / name, self.tree / name, arguments[str(self.tree / name)]) for name in stale]
        with multiprocessing.Pool(jobs) as pool:
            for index, (name, (mutants, text)) in enumerate(zip(stale, pool.imap(rewrite, work))):
                report(f"rewriting {index + 1} of {len(stale)}: {name}, {len(mutants)} mutants")
                self.store(name, mutants, text)
        for name in names:
            write(self.tree / name, numbered(self.files[name]).encode())

    def stale(self, names):
        """The files that have changed since they were rewritten."""
        return [name for name in names
                if self.files.get(name, {}).get("digest") != digest((self.root / name).read_bytes())]

    def store(self, name, mutants, text):
        source = (self.root / name).read_bytes()
        known = self.files.get(name)
        room = (len(mutants) // BLOCK + 1) * BLOCK
        first = known["first"] if known and known["room"] == room else self.next_number()
        self.files[name] = {
            "digest": digest(source), "first": first, "room": room, "text": text,
            "mutants": [describe(source, mutant) for mutant in mutants]}
        self.save()

    def next_number(self):
        return max((file["first"] + file["room"] for file in self.files.values()), default=BLOCK)

    def save(self):
        partial = self.table.with_suffix(".partial")
        partial.write_text(json.dumps(self.files), encoding="utf-8")
        partial.replace(self.table)


def rewrite(work):
    """The mutants of one file that compile, and its text with @k@ for the number of the k-th."""
    original, path, arguments = work
    source, path = original.read_bytes(), str(path)
    unit = Index.create(excludeDecls=True).parse(path, arguments, [(path, source.decode())], 0)
    mutants = rewrites.Finder(unit, path, source).find()
    for _ in range(MAX_ROUNDS):
        text = render(source, mutants)
        plain = NUMBER.sub(r"\1", text)
        unit.reparse([(path, plain)], 0)
        errors = [d for d in unit.diagnostics if d.severity >= Diagnostic.Error]
        if not errors:
            return mutants, text
        wrong = culprits(plain, path, errors)
        kept = [mutant for mutant in mutants if region_of(mutant) not in wrong]
        if len(kept) == len(mutants):
            break
        mutants = kept
    return [], source.decode()


def digest(source):
    return hashlib.sha256(source + pathlib.Path(rewrites.__file__).read_bytes()).hexdigest()


def describe(source, mutant):
    start = source.rfind(b"\n", 0, mutant.start) + 1
    end = source.find(b"\n", mutant.start)
    return {
        "rewrite": mutant.rewrite, "line": source.count(b"\n", 0, mutant.start) + 1,
        "column": mutant.start - start + 1, "source": source[start:end].decode().strip(),
        "from": source[mutant.start:mutant.end].decode(), "to": mutant.text,
    }


NUMBER = re.compile(r"@(\d+)@")
MAX_ROUNDS = 60  # an error that is in no region costs one round for each region that is dropped


def numbered(file):
    return NUMBER.sub(lambda match: str(file["first"] + int(match[1])), file["text"])


# Rendering. A region is marked by comments, so that an error of the compiler leads to the mutants of one place.

OPEN, CLOSE = "/*[{}:{}:{}*/", "/*]*/"
CHOSEN = r"if \([\w:]+\(@?\d+@?\)\) "
BREAK = re.compile(r"/\*\[(\d+):(\d+):(insertion)\*/(?:" + CHOSEN + r"return [^;]*; )*" + CHOSEN + "break;")
MARK = re.compile(r"/\*\[(\d+):(\d+):(\w+)\*/|/\*\]\*/")


def culprits(text, path, errors):
    """The regions whose mutants do not compile."""
    found = set()
    for error in errors:
        # An error in a header is about a template, which notes say that this file uses.
        at = [place.location.offset for place in [error, *error.children]
              if place.location.file and place.location.file.name == path]
        if "return-type" in error.option:
            found |= open_ends(text, at[0])
        else:
            found |= places(text, at)
    if not found:  # nothing encloses the errors: the region before one is at fault, or one further back
        found = regions_before(text, min(error.location.offset for error in errors))[-1:]
    return set(found)


def places(text, errors):
    """The innermost regions around the errors."""
    events = [(match.start(), match) for match in MARK.finditer(text)]
    starts = [start for start, _ in events]
    found = set()
    for error in errors:
        depth = 0
        for _, match in reversed(events[:bisect.bisect_right(starts, error)]):
            if match[1] is None:
                depth += 1
            elif depth:
                depth -= 1
            else:
                found.add(region_at(match))
                break
    return found


def regions_before(text, at, since=0):
    return [region_at(match) for match in MARK.finditer(text, since, at) if match[1]]


def region_at(mark):
    return int(mark[1]), int(mark[2]), mark[3]


def open_ends(text, end):
    """The regions of a function that ends at `end` without a return: a dropped `throw`, or a `break` in a `switch`."""
    since = text.rfind("\n}", 0, end) + 1
    found = {region_at(match) for match in BREAK.finditer(text, since, end)}
    last = re.search(r"/\*\]\*/[;\s}]*\Z", text[since:end])
    statements = [region for region in regions_before(text, end, since) if region[2] == "statement"]
    if last and statements:
        found.add(statements[-1])
    return found


def region_of(mutant):
    """Mutants of one expression are compiled in together, those of a condition among them."""
    return mutant.start, mutant.end, "expression" if mutant.kind == "condition" else mutant.kind


def render(source, mutants):
    groups = {}
    for number, mutant in enumerate(mutants):
        groups.setdefault(region_of(mutant), []).append((number, mutant))
    # What is inserted in front of a statement is no part of it.
    order = {"statement": 1, "expression": 2}
    regions = sorted(groups, key=lambda region: (
        region[0], region[2] != "insertion", -region[1], order.get(region[2], 0)))
    body = render_range(source, 0, len(source), regions, groups)
    first = min((mutant.start for mutant in mutants), default=0)
    return '#include "mutants.h"\n' + insert_after_includes(body, source, first)


def insert_after_includes(text, source, first):
    """Adds SAFE in front of the first function, after what is included."""
    head = source[:first].decode()
    includes = list(re.finditer(r"^#include .*\n", head, re.M))
    at = includes[-1].end() if includes else 0
    return text[:at] + SAFE + text[at:]


def render_range(source, start, end, regions, groups):
    """The text from start to end. `regions` are those in it, sorted, the outer ones first."""
    out, at, index = [], start, 0
    while index < len(regions):
        region = regions[index]
        inner = index + 1
        while inner < len(regions) and regions[inner][1] <= region[1] and regions[inner][0] < region[1]:
            inner += 1
        if region[0] == region[1]:
            inner = index + 1
        out.append(source[at:region[0]].decode())
        content = render_range(source, region[0], region[1], regions[index + 1:inner], groups)
        out.append(render_region(region, groups[region], content))
        at, index = region[1], inner
    out.append(source[at:end].decode())
    return "".join(out)


def render_region(region, group, content):
    parts = [OPEN.format(*region)]
    kind = region[2]
    boolean = any(mutant.kind == "condition" for _, mutant in group)
    for number, mutant in group:
        test = f"spl_mutants::isOn(@{number}@)"
        if kind == "statement":
            parts.append(f"if ({test}) {{}} else ")
        elif kind == "insertion":
            parts.append(f"if ({test}) {mutant.text} ")
        elif boolean:
            parts.append(f"{test} ? static_cast<bool>({mutant.text}) : ")
        else:
            parts.append(f"{test} ? ({mutant.text}) : ")
    if kind == "expression":
        parts.insert(1, "(")
        content = f"static_cast<bool>({content}))" if boolean else f"({content}))"
    parts.append(content)
    parts.append(CLOSE)
    return "".join(parts)
