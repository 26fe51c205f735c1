# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on the CPU beside their twins in C++ with OpenMP (scripts/bench cpu). bench/cpu has the twins."""
import math
import os
import statistics
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def program_of(build):
    return os.path.join(build, "bin", "bench-cpu")


def missing(build):
    """Why the bench cannot run, or None."""
    if not os.path.exists(program_of(build)):
        return "bench-cpu was not built; it needs OpenMP (libomp-22-dev) and a build without sanitizers"
    return None


def cases(build, only=()):
    """The group, name and size of each case whose name contains one of `only`."""
    text = subprocess.run([program_of(build), "--list"], check=True, capture_output=True, text=True).stdout
    rows = [line.split("\t") for line in text.splitlines()]
    return [row for row in rows if not only or any(part in row[1] for part in only)]


def summary(values):
    return {"median": statistics.median(values), "least": min(values), "largest": max(values), "runs": len(values)}


def measured(build, name, threads, options):
    """The summaries of both versions and their ratio, or an error."""
    command = [program_of(build), name, "--threads", str(threads), *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        return {"error": done.stderr.strip() or f"exit status {done.returncode}"}
    times = {}
    for line in done.stdout.splitlines():
        version, *values = line.split()
        times[version] = summary([float(value) for value in values])
    return {**times, "ratio": times["ours"]["median"] / times["twin"]["median"]}


def line_of(row):
    if "error" in row:
        return "FAILED: " + row["error"]
    cells = [f"{version} {row[key]['median']:.4g} ms ({row[key]['least']:.4g} to {row[key]['largest']:.4g})"
             for version, key in (("ours", "ours"), ("C++", "twin"))]
    return ", ".join(cells) + f", ratio {row['ratio']:.2f}"


def measure(build, threads, only=(), quick=False, rounds=15):
    """By name, the group, the size, and what was measured with each number of threads. Prints each as it comes."""
    options = ["--rounds", str(rounds), *(["--quick"] if quick else [])]
    chosen, rows = cases(build, only), {}
    for number, (group, name, size) in enumerate(chosen, start=1):
        rows[name] = {"group": group, "size": size, "threads": {}}
        for count in threads:
            row = measured(build, name, count, options)
            rows[name]["threads"][str(count)] = row
            print(f"  {number} of {len(chosen)}: {name}, threads: {count}: {line_of(row)}", flush=True)
    return rows


def failed(rows):
    return [name for name, row in rows.items() if any("error" in each for each in row["threads"].values())]


def means(rows, figure="median"):
    """By group and number of threads, the geometric mean of the ratios, and the least and the largest one."""
    ratios = {}
    for row in rows.values():
        for count, each in row["threads"].items():
            if "ratio" in each:
                ratio = each["ours"][figure] / each["twin"][figure]
                ratios.setdefault(row["group"], {}).setdefault(count, []).append(ratio)
    return {group: {count: {"mean": math.exp(statistics.fmean(map(math.log, values))), "least": min(values),
                            "largest": max(values), "kernels": len(values)} for count, values in counts.items()}
            for group, counts in sorted(ratios.items())}


def show_means(found):
    for group, counts in found.items():
        for count, mean in counts.items():
            print(f"  {group}, threads: {count}: ours / C++ {mean['mean']:.2f} ({mean['least']:.2f} to "
                  f"{mean['largest']:.2f}, geometric mean of {mean['kernels']})")
