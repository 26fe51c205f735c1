#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The second step of scripts/bench gpu-time: measures the kernels of a folder on this machine's GPU.

usage: run [--seconds N] [--quick] [--output FILE] [KERNEL...]

- It needs Python 3.8 or newer and the CUDA driver, and nothing else.
- Each kernel is first compared: all versions must compute what the twin with 64-bit indices computes.
- Then it is measured: all versions in turn, in many rounds. A time is that of one launch, on the device.
- A second process (gpu_time_device.py) runs the kernels. After an error or a hang, a new one goes on with the next
  kernel.
- The results are stored after each kernel. The exit status is 1 if a kernel failed, 2 if there is no device, and 3 if
  the script did not end in its time.
"""
import argparse
import datetime
import itertools
import json
import math
import os
import pathlib
import queue
import statistics
import subprocess
import sys
import threading
import time

HERE = pathlib.Path(__file__).resolve().parent
KERNEL_SECONDS = 20  # for one kernel, before its process is ended


def summary(values):
    """The median of times with the quartiles, in microseconds."""
    quarters = statistics.quantiles(values, n=4, method="inclusive")
    return {"median": round(quarters[1], 3), "lower": round(quarters[0], 3), "upper": round(quarters[2], 3),
            "rounds": len(values)}


def ratios(times, table):
    """By pair of versions: the median of the ratios of the same round."""
    found = {}
    for ours, theirs in itertools.product(table["ours"], table["theirs"]):
        each = [a / b for a, b in zip(times[ours], times[theirs]) if a > 0 and b > 0]
        if each:
            found[f"{ours}/{theirs}"] = round(statistics.median(each), 4)
    return found


def means(rows):
    """By pair of versions: the geometric mean of the ratios of the kernels that compute the same, with the extremes."""
    found = {}
    good = {name: row for name, row in rows.items() if row.get("ratios") and not row["mismatches"]}
    for pair in {pair: None for row in good.values() for pair in row["ratios"]}:
        each = [row["ratios"][pair] for row in good.values() if pair in row["ratios"]]
        found[pair] = {"mean": round(math.exp(statistics.fmean(map(math.log, each))), 4), "least": min(each),
                       "largest": max(each), "kernels": len(each)}
    return found


class Record:
    """The results so far. They are printed, and stored in a file."""

    def __init__(self, table, path):
        self.table, self.path = table, path
        self.device, self.rows = {}, {}

    def add(self, name, row):
        self.rows[name] = row
        if "error" in row:
            print(f"  {name:32} FAILED: {row['error']}", flush=True)
        else:
            medians = " ".join(f"{row['microseconds'][version]['median']:9.1f}"
                               for version in self.table["ours"] + self.table["theirs"])
            pairs = " ".join(f"{row['ratios'].get('held/' + theirs, math.nan):7.3f}" for theirs in self.table["theirs"])
            print(f"  {name:32} {medians}   {pairs}", flush=True)
            for mismatch in row["mismatches"]:
                print(f"  {name:32} MISMATCH: {mismatch}", flush=True)
        self.keep()

    def keep(self):
        record = {"bench": "gpu-time", "date": datetime.date.today().isoformat(), "device": self.device,
                  "kernels": self.rows, "means": means(self.rows)}
        part = self.path.with_name(self.path.name + ".part")
        part.write_text(json.dumps(record, indent=2, sort_keys=True) + "\n", encoding="utf-8")
        os.replace(part, self.path)


class Worker:
    """The second process, and a queue of the lines that it prints. None in the queue is the end."""

    def __init__(self, kernels, is_quick):
        command = [sys.executable, HERE / "gpu_time_device.py", "quick" if is_quick else "kernels", *kernels]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.lines, self.errors = queue.Queue(), []
        self.readers = [threading.Thread(target=self.read_lines, daemon=True),
                        threading.Thread(target=lambda: self.errors.extend(self.process.stderr), daemon=True)]
        for reader in self.readers:
            reader.start()

    def read_lines(self):
        for line in self.process.stdout:
            self.lines.put(json.loads(line))
        self.lines.put(None)

    def next(self, seconds):
        """The next line. A process that takes too long is ended."""
        try:
            return self.lines.get(timeout=max(seconds, 0.0))
        except queue.Empty:
            self.process.kill()
            return {"late": True}

    def end(self):
        """What the process said last, after its end."""
        self.process.kill()
        try:
            status = self.process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return "the process does not end"
        self.readers[1].join(timeout=5)
        return f"the process ended with status {status}" + "".join(f": {line.strip()}" for line in self.errors[-1:])


def measure(record, pending, is_quick, deadline):
    """Runs the kernels, in a new process after each failure. Returns false if there is no device."""
    while pending and time.monotonic() < deadline:
        worker, current = Worker(pending, is_quick), None
        while pending:
            line = worker.next(min(KERNEL_SECONDS * (3 if is_quick else 1), deadline - time.monotonic()))
            if line is None or "late" in line or "error" in line:
                reason = "it takes too long" if line and "late" in line else (line or {}).get("error")
                ended = worker.end()
                name = current or pending[0]
                record.add(name, {"error": reason or ended})
                pending.remove(name)
                break
            if "no_device" in line:
                print(f"there is no CUDA device here: {line['no_device']}")
                worker.end()
                return False
            if "device" in line and not record.device:
                record.device = line["device"]
                show_head(record)
            if "begins" in line:
                current = line["begins"]
            if "kernel" in line:
                times = line["times"]
                record.add(line["kernel"], {"microseconds": {name: summary(each) for name, each in times.items()},
                                            "ratios": ratios(times, record.table), "launches": line["launches"],
                                            "contract": record.table["kernels"][line["kernel"]]["contract"],
                                            "mismatches": line["mismatches"]})
                pending.remove(line["kernel"])
                current = None
        worker.end()
    for name in pending:
        record.rows[name] = {"error": "there was no time left"}
        print(f"  {name:32} not measured: there was no time left")
    return True


def show_head(record):
    device = record.device
    print(f"{device['name']}, {device['capability']}, driver {device['driver']} "
          f"({device.get('kernel_driver', 'no version of the kernel')}), {device['code']}")
    heads = " ".join(f"{version:>9}" for version in record.table["ours"] + record.table["theirs"])
    print(f"  {'median microseconds':32} {heads}   held to nvcc64, nvcc32", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=120, help="the process ends after that time (default 120)")
    parser.add_argument("--quick", action="store_true", help="tiny sizes, to try the folder itself")
    parser.add_argument("--output", type=pathlib.Path, default=HERE / "gpu-time.json")
    parser.add_argument("kernels", metavar="KERNEL", nargs="*", help="such as matmul/matmul; all if there are none")
    options = parser.parse_args()
    table = json.loads((HERE / "table.json").read_text(encoding="utf-8"))
    unknown = [name for name in options.kernels if name not in table["kernels"]]
    if unknown:
        parser.error(f"there is no kernel '{unknown[0]}'; there are {', '.join(table['kernels'])}")
    kernels = options.kernels or list(table["kernels"])
    start = time.monotonic()
    # A process that waits for the driver may not end when it is killed.
    last_resort = threading.Timer(options.seconds + 10, os._exit, [3])
    last_resort.daemon = True
    last_resort.start()
    record = Record(table, options.output)
    if not measure(record, list(kernels), options.quick, start + options.seconds):
        sys.exit(2)
    record.keep()
    for pair, mean in means(record.rows).items():
        print(f"  {pair}: {mean['mean']:.3f} ({mean['least']:.2f} to {mean['largest']:.2f}, {mean['kernels']} kernels)")
    bad = [name for name, row in record.rows.items() if "error" in row or row["mismatches"]]
    print(f"  {len(record.rows) - len(bad)} of {len(record.rows)} kernels are good, {time.monotonic() - start:.0f} s; "
          f"results are in {options.output}")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    main()
