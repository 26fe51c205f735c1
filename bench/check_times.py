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
CHECKS = re.compile(r"^\S+: checks: (\d+) proved, (\d+) lifted into the launch contract, (\d+) left$", re.MULTILINE)
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


def fates(build, name):
    """The numbers of checks that are proved, lifted and left, and the reasons of those that are left."""
    line = command(build, "compile", name) + ["--target", "cpu", "--stats", "-o", "-"]
    text = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True).stderr
    numbers = dict(zip(("proved", "lifted", "left"), map(int, CHECKS.search(text).groups())))
    return {**numbers, "why": sorted({f"line {number}: {reason}" for number, reason in LEFT.findall(text)})}


def measure(build, rounds=7):
    """By kernel: milliseconds with all checks and with none, the ratio of pairs of runs, and the fates of checks."""
    launches = json.loads((ROOT / "bench" / "launches.json").read_text(encoding="utf-8"))
    rows = {}
    for name, launch in launches.items():
        pairs = []
        for turn in range(rounds):
            options = [(), ("--check=none",)]
            order = options if turn % 2 == 0 else options[::-1]
            times = {option: launched(build, name, launch, *option) for option in order}
            pairs.append((times[()][0], times[("--check=none",)][0]))
            holds = times[()][1]
        ratios = sorted(every / none for every, none in pairs)
        rows[name] = {"all": statistics.median(pair[0] for pair in pairs),
                      "none": statistics.median(pair[1] for pair in pairs),
                      "ratio": {"median": statistics.median(ratios), "least": ratios[0], "largest": ratios[-1]},
                      "contract": "holds" if holds else "does not hold", **fates(build, name)}
    return rows


def show(rows):
    print(f"  {'kernel':30} {'all':>9} {'none':>9}  ratio (spread)          proved lifted left")
    for name, row in rows.items():
        ratio = row["ratio"]
        spread = f"{ratio['median']:.3f} ({ratio['least']:.2f} to {ratio['largest']:.2f})"
        print(f"  {name:30} {row['all']:6.3f} ms {row['none']:6.3f} ms  {spread:23} {row['proved']:6} "
              f"{row['lifted']:6} {row['left']:4}{'' if row['contract'] == 'holds' else ', contract not met'}")
        for why in row["why"]:
            print(f"    {why}")
    mean = math.exp(statistics.fmean(math.log(row["ratio"]["median"]) for row in rows.values()))
    worst = max(rows, key=lambda name: rows[name]["ratio"]["median"])
    print(f"  geometric mean of the ratios: {mean:.3f}; the largest is {rows[worst]['ratio']['median']:.3f}, of {worst}")
