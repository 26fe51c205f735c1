# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What checks cost the examples on the CPU, at the launches of launches.json, and what became of the checks:
proved by the compiler, lifted into the launch contract, left, and why. Used by scripts/bench."""
import json
import math
import os
import pathlib
import re
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEDIAN = re.compile(r": median ([\d.e+-]+) ms")
CHECKS = re.compile(r"^.+: checks: (\d+) proved, (\d+) lifted into the launch contract, (\d+) left$", re.MULTILINE)
LEFT = re.compile(r"^  \S+?:(\d+):\d+: (.*)$", re.MULTILINE)


def command(build, verb, name):
    file, kernel = name.split("/")
    return [os.path.join(build, "bin", "simple"), verb, f"examples/{file}.spl", "--kernel", kernel]


def launched(build, name, launch, *options):
    """The median of the milliseconds of the launches of one process, on one thread, and what it says of the contract."""
    line = command(build, "run", name) + ["--backend", "cpu", "--repeat", "15", "--time", *options]
    for key in ("global", "local"):
        if key in launch:
            line += ["--" + key, ",".join(str(extent) for extent in launch[key])]
    for argument, value in launch["args"].items():
        line += ["--arg", f"{argument}={value}"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True,
                          env={**os.environ, "SPL_CPU_THREADS": "1"})
    text = done.stdout + done.stderr
    return float(MEDIAN.search(text)[1]), "does not hold" not in text


def check_counts(build, name):
    """The numbers of checks that are proved, lifted and left, and the reasons of those that are left."""
    line = command(build, "compile", name) + ["--target", "cpu", "--stats", "-o", "-"]
    text = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True).stderr
    numbers = dict(zip(("proved", "lifted", "left"), map(int, CHECKS.search(text).groups())))
    return {**numbers, "why": sorted({f"line {number}: {reason}" for number, reason in LEFT.findall(text)})}


VERSIONS = {"all": (), "unmet": ("--no-contracts",), "none": ("--check=none",)}


def ratio(times, version):
    """The median of the ratios to the times without checks, of runs of the same round, and their spread."""
    ratios = sorted(checked / none for checked, none in zip(times[version], times["none"]))
    return {"median": statistics.median(ratios), "least": ratios[0], "largest": ratios[-1]}


def measure(build, rounds=7):
    """By kernel: milliseconds with all checks, as if the launch contract did not hold, and without checks; the ratios
    of the first two to the last; and the numbers of checks. The versions run in turn."""
    launches = json.loads((ROOT / "bench" / "launches.json").read_text(encoding="utf-8"))
    rows = {}
    for name, launch in launches.items():
        times, holds = {version: [] for version in VERSIONS}, True
        for turn in range(rounds):
            for version in list(VERSIONS)[::1 if turn % 2 == 0 else -1]:
                milliseconds, is_met = launched(build, name, launch, *VERSIONS[version])
                times[version].append(milliseconds)
                holds &= is_met
        rows[name] = {**{version: statistics.median(times[version]) for version in VERSIONS},
                      "ratio": ratio(times, "all"), "unmet_ratio": ratio(times, "unmet"),
                      "contract": "holds" if holds else "does not hold", **check_counts(build, name)}
    return rows


def summary(rows, key):
    """The geometric mean of the ratios, the largest, and its kernel."""
    name = max(rows, key=lambda name: rows[name][key]["median"])
    mean = math.exp(statistics.fmean(math.log(row[key]["median"]) for row in rows.values()))
    return mean, rows[name][key]["median"], name


def show(rows):
    print(f"  {'kernel':32} {'none':>9}  ratio of all (spread)  contract unmet         proved lifted left")
    for name, row in rows.items():
        ratios = [f"{value['median']:.3f} ({value['least']:.2f} to {value['largest']:.2f})"
                  for value in (row["ratio"], row["unmet_ratio"])]
        print(f"  {name:32} {row['none']:6.3f} ms  {ratios[0]:22} {ratios[1]:22} {row['proved']:6} "
              f"{row['lifted']:6} {row['left']:4}{'' if row['contract'] == 'holds' else ', contract not met'}")
        for why in row["why"]:
            print(f"    {why}")
    for text, key in (("with all checks", "ratio"), ("if the contract does not hold", "unmet_ratio")):
        mean, largest, name = summary(rows, key)
        print(f"  geometric mean {text}: {mean:.3f}; the largest is {largest:.2f}, of {name}")
