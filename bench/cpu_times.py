# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Kernels on the CPU beside their twins in C++ with OpenMP, and beside the same kernels in OpenCL C with PoCL
(scripts/bench cpu). bench/cpu has the twins and the kernels in OpenCL C. PoCL is optional."""
import math
import os
import statistics
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
PEERS = {"twin": "C++", "pocl": "PoCL"}  # by the names of the versions that bench-cpu prints


def program_of(build):
    return os.path.join(build, "bin", "bench-cpu")


def missing(build):
    """Why the bench cannot run, or None."""
    if not os.path.exists(program_of(build)):
        return "bench-cpu was not built; it needs OpenMP (libomp-22-dev) and a build without sanitizers"
    return None


def pocl(build):
    """The version of PoCL and None, or None and why it is left out."""
    done = subprocess.run([program_of(build), "--pocl"], check=False, capture_output=True, text=True)
    return (done.stdout.strip(), None) if done.returncode == 0 else (None, done.stderr.strip())


def cases(build, only=()):
    """The group, name, size and other algorithm of each case whose name contains one of `only`."""
    text = subprocess.run([program_of(build), "--list"], check=True, capture_output=True, text=True).stdout
    rows = [line.split("\t") for line in text.splitlines()]
    return [row for row in rows if not only or any(part in row[1] for part in only)]


def summary(values):
    return {"median": statistics.median(values), "least": min(values), "largest": max(values), "runs": len(values)}


def measured(build, name, threads, options):
    """The summary of each version, or an error."""
    command = [program_of(build), name, "--threads", str(threads), *options]
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        return {"error": done.stderr.strip() or f"exit status {done.returncode}"}
    times = {}
    for line in done.stdout.splitlines():
        version, *values = line.split()
        times[version] = summary([float(value) for value in values])
    return times


def ratio(row, peer, figure="median"):
    """Of our time to that of a peer."""
    return row["ours"][figure] / row[peer][figure]


def line_of(row):
    if "error" in row:
        return "FAILED: " + row["error"]

    def text(version, summary):
        return f"{version} {summary['median']:.4g} ms ({summary['least']:.4g} to {summary['largest']:.4g})"
    found = [f"{text(version, row[peer])}, ratio {ratio(row, peer):.2f}" for peer, version in PEERS.items() if peer in row]
    return ", ".join([text("ours", row["ours"]), *found])


def measure(build, threads, only=(), quick=False, rounds=15):
    """By name, the group, the size, and what was measured with each number of threads. Prints each as it comes."""
    options = ["--rounds", str(rounds), *(["--quick"] if quick else [])]
    chosen, rows = cases(build, only), {}
    for number, (group, name, size, algorithm) in enumerate(chosen, start=1):
        rows[name] = {"group": group, "size": size, "threads": {}}
        if algorithm:
            rows[name]["other_algorithm"] = algorithm
        for count in threads:
            row = measured(build, name, count, options)
            rows[name]["threads"][str(count)] = row
            print(f"  {number} of {len(chosen)}: {name}, threads: {count}: {line_of(row)}", flush=True)
    return rows


def failed(rows):
    return [name for name, row in rows.items() if any("error" in each for each in row["threads"].values())]


def with_same_algorithm(rows):
    """Those whose twin has the algorithm of the kernel."""
    return {name: row for name, row in rows.items() if "other_algorithm" not in row}


def means(rows, figure="median", peer="twin"):
    """By group and number of threads, the geometric mean of the ratios to a peer, and the least and the largest one."""
    ratios = {}
    for row in rows.values():
        for count, each in row["threads"].items():
            if peer in each:
                ratios.setdefault(row["group"], {}).setdefault(count, []).append(ratio(each, peer, figure))
    return {group: {count: {"mean": math.exp(statistics.fmean(map(math.log, values))), "least": min(values),
                            "largest": max(values), "kernels": len(values)} for count, values in counts.items()}
            for group, counts in sorted(ratios.items())}


def of_two_threads(rows, group):
    """The geometric mean of the ratios of our time with two threads to that with one."""
    return statistics.geometric_mean(row["threads"]["2"]["ours"]["median"] / row["threads"]["1"]["ours"]["median"]
                                     for row in rows.values() if row["group"] == group)


def show_means(found, peer="twin"):
    for group, counts in found.items():
        for count, mean in counts.items():
            print(f"  {group}, threads: {count}: ours / {PEERS[peer]} {mean['mean']:.2f} ({mean['least']:.2f} to "
                  f"{mean['largest']:.2f}, geometric mean of {mean['kernels']})")
