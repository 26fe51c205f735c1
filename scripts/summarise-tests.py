#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Turns lit's JSON report into one line, 'N passed, N failed, N skipped'.

usage: summarise-tests.py RESULTS.json

Before that line it prints the reasons of skips, each once with the number of its tests and the name of the
first, and the names of the failed tests, with the end of what each printed. A unit test binary counts as its
cases. It counts as one more failure if it failed outside of them, as by a crash or a leak at its end. The exit
status is 0 if a test ran and none failed, otherwise 1.
"""
import json
import re
import sys

LINES_OF_FAILURE = 30
COLUMNS = 200

PASSED = {"PASS", "FLAKYPASS", "XFAIL"}
SKIPPED = {"UNSUPPORTED", "SKIPPED"}


def outcomes(tests):
    """The (name, code, output) of each test. A unit test binary is replaced by its cases."""
    names = {test["name"] for test in tests}
    case_codes = {}  # by binary; lit names a case 'suite :: path-of-binary:case'
    for test in tests:
        binary = test["name"].rpartition(":")[0]
        if binary in names:
            case_codes.setdefault(binary, set()).add(test["code"])
    for test in tests:
        codes = case_codes.get(test["name"], set())
        explained_by_cases = codes and (test["code"] in PASSED or "FAIL" in codes)
        if not explained_by_cases:
            yield test["name"], test["code"], test["output"]


def reason(output):
    """The reason of a skip, in a few words."""
    features = re.search(r"unavailable features: (.*)", output)
    if features:
        return "needs " + features.group(1)
    return " ".join(output.split()) or "NO REASON GIVEN"


def skipped(why, names):
    """The line for one reason."""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f"skipped {len(names)}, {why}: {names[0]}{more}"


def failed(name, code, output):
    """The lines for one failure."""
    lines = [line.rstrip() for line in output.splitlines() if line.strip()]
    shown = lines[-LINES_OF_FAILURE:]
    if len(lines) > len(shown):
        shown.insert(0, f"({len(lines) - len(shown)} lines before these)")
    return "\n".join([f"failed: {name} ({code})"] + ["  " + line[:COLUMNS] for line in shown])


def summarise(report):
    """The lines to print, and the exit status."""
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    skips, failures = {}, []  # the names of the skipped tests, by reason
    for name, code, output in outcomes(report["tests"]):
        if code in PASSED:
            counts["passed"] += 1
        elif code in SKIPPED:
            counts["skipped"] += 1
            skips.setdefault(reason(output), []).append(name)
        else:  # FAIL, UNRESOLVED, TIMEOUT, XPASS, and any new code of lit
            counts["failed"] += 1
            failures.append(failed(name, code, output))
    lines = [skipped(why, sorted(names)) for why, names in sorted(skips.items())]
    lines += sorted(failures)
    ran = counts["passed"] + counts["failed"]
    if not ran:
        lines.append("no test ran")
    lines.append(", ".join(f"{count} {what}" for what, count in counts.items()))
    return lines, 0 if ran and not counts["failed"] else 1


def main(path):
    try:
        with open(path, encoding="utf-8") as file:
            report = json.load(file)
    except (OSError, ValueError) as error:
        print(f"no test results: {error}")
        report = {"tests": []}
    lines, status = summarise(report)
    print("\n".join(lines))
    return status


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
