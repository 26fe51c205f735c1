# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Guards: numbers of compiled code, compared with a stored table. A guard fails if a number is worse than its limit
allows. It never fails because a number is better. The table of test/guards/NAME.py is test/guards/NAME.json."""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "examples"


def at_most(percent=0, more=0):
    """The number may be larger than the stored one by this percentage and this number."""
    return lambda stored, now: now <= stored * (1 + percent / 100) + more


def at_least():
    """The number may not be smaller than the stored one."""
    return lambda stored, now: now >= stored


def worse(stored, measured, limits):
    """What is wrong with the measured rows, as lines. Rows are numbers by column, and limits are by column too."""
    for name in sorted(stored.keys() ^ measured.keys()):
        yield f"{name} is {'missing in' if name in measured else 'only in'} the table"
    for name in sorted(stored.keys() & measured.keys()):
        for column, allows in limits.items():
            before, now = stored[name][column], measured[name][column]
            if not allows(before, now):
                yield f"{name}: {column}: {now} instead of {before}"


def check_limits(stored, limits):
    """Proves on changed copies of the table that the guard can fail."""
    assert stored and not list(worse(stored, stored, limits)), "the table does not meet its own limits"
    name = next(iter(stored))
    assert list(worse(stored, {row: stored[row] for row in stored if row != name}, limits))
    for column in limits:
        name = max(stored, key=lambda row: stored[row][column])
        for factor in (0.5, 2):
            changed = {**stored, name: {**stored[name], column: stored[name][column] * factor}}
            if list(worse(stored, changed, limits)):
                break
        else:
            raise AssertionError(f"no change of {column} fails")


def run(name, measure, limits, tools):
    """The main program of a guard. Tools are the versions with which the table was made, for the message of a failure.
    With --store, it writes the table instead of comparing with it."""
    path = ROOT / "test" / "guards" / f"{name}.json"
    measured = measure()
    if sys.argv[1:] == ["--store"]:
        path.write_text(json.dumps({"tools": tools, "rows": measured}, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        return
    table = json.loads(path.read_text(encoding="utf-8"))
    check_limits(table["rows"], limits)
    lines = list(worse(table["rows"], measured, limits))
    if not lines:
        return
    if table["tools"] != tools:
        lines.append(f"the table was made with {table['tools']}, and this is {tools}")
    lines.append("If this is intended, store the new numbers by scripts/guards, and say why in the message of the commit.")
    sys.exit("\n".join(lines))


def compiled(*arguments):
    """Runs `simple compile`. Returns its output and its messages."""
    done = subprocess.run(["simple", "compile", *map(str, arguments)], capture_output=True, text=True, check=True,
                          env={**os.environ, "SPL_CACHE": "off"})
    return done.stdout, done.stderr


def examples():
    """Each example, with the options that name its instances of generic kernels."""
    for source in sorted(EXAMPLES.glob("*.spl")):
        lines = re.findall("^# Instances: (.*)$", source.read_text(encoding="utf-8"), re.MULTILINE)
        yield source, [f"--kernel={name}" for line in lines for name in line.split()]


def version_of(*command):
    """The last word with a point and digits that the command prints, as a version."""
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return re.findall(r"\d+\.\d[\w.]*", done.stdout)[-1]


def instructions(*command):
    """The instructions that a command executes. valgrind counts them, on one processor and without the environment, so
    that two counts differ by less than 0.001 %. cachegrind without its caches counts what callgrind counts, in two
    thirds of the time."""
    os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})
    done = subprocess.run(["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=" + os.devnull,
                           *map(str, command)], capture_output=True, text=True, check=True,
                          env={"PATH": os.environ["PATH"], "SPL_CACHE": "off"})
    return int(re.search(r"I *refs: *([\d,]+)", done.stderr).group(1).replace(",", ""))
