# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What operations of groups and warps cost on the CPU, beside a copy. Used by scripts/bench."""
import os
import pathlib
import re
import statistics
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent
TIMES = re.compile(r": median ([\d.e+-]+) ms, least ([\d.e+-]+) ms")
ITEMS = 1 << 20  # the slices then fit in the caches

# By name: the kernel of collectives.spl, the size of a group, and the row that it is compared with.
ROWS = {
    "a copy": ("copy", 256, None),
    "`barrier`": ("barrier", 256, "a copy"),
    "`group_sum`": ("group_sum", 256, "a copy"),
    "`group_scan`": ("group_scan", 256, "a copy"),
    "`warp_barrier`": ("warp_barrier", 256, "a copy"),
    "`ballot`": ("ballot", 256, "a copy"),
    "`warp_sum`": ("warp_sum", 256, "a copy"),
    "`warp_max`": ("warp_max", 256, "a copy"),
    "`warp_scan`": ("warp_scan", 256, "a copy"),
    "`shuffle_xor` by a constant": ("shuffle_xor", 256, "a copy"),
    "five `shuffle_xor` in a loop": ("five_shuffles", 256, "a copy"),
    "`shuffle` from a lane that each lane computes": ("shuffle", 256, "a copy"),
    "`match_any`": ("match_any", 256, "a copy"),
    "40 barriers in groups of 256": ("forty_barriers", 256, None),
    "40 barriers in groups of 16": ("forty_barriers", 16, "40 barriers in groups of 256"),
    "40 barriers in groups of 4": ("forty_barriers", 4, "40 barriers in groups of 256"),
    "20 sums in groups of 256": ("twenty_sums", 256, None),
    "20 sums in groups of 16": ("twenty_sums", 16, "20 sums in groups of 256"),
    "20 sums in groups of 4": ("twenty_sums", 4, "20 sums in groups of 256"),
}


def launched(build, kernel, local):
    """The median and the least of the milliseconds of the launches of one process, on one thread."""
    out = "u32" if kernel in ("ballot", "match_any") else "i32"
    line = [os.path.join(build, "bin", "simple"), "run", "bench/collectives.spl", "--kernel", kernel, "--backend", "cpu",
            "--global", str(ITEMS), "--local", str(local), "--arg", f"a=i32[{ITEMS}]", "--arg", f"out={out}[{ITEMS}]",
            "--repeat", "15", "--time"]
    done = subprocess.run(line, cwd=ROOT, capture_output=True, text=True, check=True,
                          env={**os.environ, "SPL_CPU_THREADS": "1"})
    return tuple(map(float, TIMES.search(done.stdout + done.stderr).groups()))


def measure(build, rounds=7):
    """By row: the median and the least of the milliseconds, and the median of the ratios to the row that it is compared
    with, of processes of the same round."""
    times = {name: [] for name in ROWS}
    for turn in range(rounds):
        for name in list(ROWS)[::1 if turn % 2 == 0 else -1]:
            kernel, local, _ = ROWS[name]
            times[name].append(launched(build, kernel, local))
    rows = {}
    for name, (_, _, peer) in ROWS.items():
        medians = [median for median, _ in times[name]]
        rows[name] = {"median": statistics.median(medians), "least": min(least for _, least in times[name])}
        if peer:
            ratios = sorted(own / other for own, (other, _) in zip(medians, times[peer]))
            rows[name]["ratio"] = {"median": statistics.median(ratios), "least": ratios[0], "largest": ratios[-1]}
    return rows


def show(rows):
    for name, row in rows.items():
        ratio = row.get("ratio")
        of = f"{ratio['median']:.2f} ({ratio['least']:.2f} to {ratio['largest']:.2f}) of {ROWS[name][2]}" if ratio else ""
        print(f"  {name:46} {row['median']:8.3f} ms  {of}")
