# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s %S/Inputs/shared.txt %S/Inputs/global.txt %S/Inputs/others.txt %S/Inputs/clean.txt %S/Inputs/published.txt %S/Inputs/shapes.txt
"""Runs `simple check` on each program of the files, and compares the findings with the marks.

A program begins with a line "#--- NAME OPTIONS" with the options of the command. A mark
"#! KIND LETTER" at the end of a line says that a finding of that kind names the line. Marks with one
letter are one finding. There must be no other finding.
"""
import json
import os
import subprocess
import sys
import tempfile


def programs(path):
    name = None
    for line in open(path, encoding="utf-8"):
        if line.startswith("#--- "):
            if name:
                yield name, options, text
            name, *options = line[5:].split()
            text = []
        elif name:
            text.append(line)
    yield name, options, text


def expected(text):
    findings = {}
    for number, line in enumerate(text, 1):
        _, found, marks = line.partition("#!")
        for mark in marks.split(",") if found else []:
            kind, letter = mark.split()
            findings.setdefault((kind, letter), set()).add(number)
    return sorted((kind, sorted(lines)) for (kind, _), lines in findings.items())


def check(path, options):
    command = ["simple", "check", path, "--diagnostics=json", "-O1", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    findings = []
    for line in done.stderr.splitlines():
        try:
            finding = json.loads(line)
        except ValueError:
            return done.returncode, line
        if finding["severity"] != "error":
            continue
        places = finding.get("places", [finding])
        findings.append((finding.get("name"), sorted({place.get("line", 0) for place in places})))
    return done.returncode, sorted(findings)


def main():
    failures = count = 0
    with tempfile.TemporaryDirectory() as folder:
        for source in sys.argv[1:]:
            for name, options, text in programs(source):
                count += 1
                path = os.path.join(folder, name + ".spl")
                with open(path, "w", encoding="utf-8") as file:
                    file.writelines(text)
                marked = expected(text)
                status, found = check(path, options)
                if found != marked or status != (1 if marked else 0):
                    failures += 1
                    print(f"{os.path.basename(source)}: {name}: expected {marked}, "
                          f"found {found}, exit status {status}")
    print(f"{count} programs, {failures} wrong")
    sys.exit(1 if failures else 0)


main()
