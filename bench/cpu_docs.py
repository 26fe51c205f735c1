#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Writes what docs/performance.md says about bench/results/cpu.json and cpu-MACHINE.json, and docs/cpu.svg.

usage: bench/cpu_docs.py page | chart

- page prints docs/performance.md with the part between its two comments written again.
- chart prints the SVG.

ninja docs writes both again. test/lint/generated-docs.test fails if they are not up to date.
"""
import sys

import cpu_times
import docs_part
import ratio_chart


def milliseconds(summary):
    return f"{summary['median']:.0f}" if summary["median"] >= 100 else f"{summary['median']:.3g}"


def sorted_rows(record, group, most):
    rows = [(name, row) for name, row in record["kernels"].items()
            if row["group"] == group and "twin" in row["threads"].get(most, {})]
    return sorted(rows, key=lambda entry: -cpu_times.ratio(entry[1]["threads"][most], "twin"))


def means(record, counts):
    yield "| geometric mean (least to largest) | kernels | " + " | ".join(map(threads, counts)) + " |"
    yield "| --- | --- |" + " --- |" * len(counts)
    same = cpu_times.with_same_algorithm(record["kernels"])
    for peer, version in peers(record).items():
        for figure, what in (("median", "medians"), ("least", "least times")):
            for rows, which in ((record["kernels"], ""), (same, " with the same algorithm")):
                if which and peer != "twin":
                    continue
                for group, found in cpu_times.means(rows, figure, peer).items():
                    cells = [f"{found[count]['mean']:.2f} ({found[count]['least']:.2f} to {found[count]['largest']:.2f})"
                             for count in counts]
                    yield (f"| ours / {version}, {group}{which}, {what} | {found[counts[-1]]['kernels']} | "
                           + " | ".join(cells) + " |")


def peers(record, group=None):
    """Of the rows of a group, or of all rows."""
    return {peer: version for peer, version in cpu_times.PEERS.items()
            if any(peer in each for row in record["kernels"].values() if group in (None, row["group"])
                   for each in row["threads"].values())}


def threads(count):
    return "1 thread" if count == "1" else f"{count} threads"


def cells_of(found, peer):
    return [milliseconds(found[peer]), f"{cpu_times.ratio(found, peer):.2f}"]


def table(record, group, counts):
    shown = peers(record, group)
    columns = [f"{column}, {threads(count)}" for count in counts for column in
               ("ours", *(f"{text}{version}" for version in shown.values() for text in ("", "ours / ")))]
    yield f"| {group} | size | " + " | ".join(columns) + " |"
    yield "| --- | --- |" + " --- |" * len(columns)
    for name, row in sorted_rows(record, group, counts[-1]):
        cells = []
        for count in counts:
            found = row["threads"][count]
            cells.append(milliseconds(found["ours"]))
            for peer in shown:
                cells += cells_of(found, peer) if peer in found else ["", ""]
        yield f"| `{name}` | {row['size']} | " + " | ".join(cells) + " |"


def counts_of(record):
    return sorted({count for row in record["kernels"].values() for count in row["threads"]}, key=int)


def machine_of(record):
    yield f"Measured on {record['machine']['processor']} with {record['machine']['threads']} hardware threads on"
    yield (f"{record['date']}{', with ' + record['pocl'] if 'pocl' in record else ''}. The load of the machine by others "
           f"was {record['load_before']:.1f} when it began:")
    yield ""


def elsewhere(record, other):
    """The means on another machine, and the kernels that are slowest beside C++ there."""
    yield ""
    yield from machine_of(other)
    yield from means(other, counts_of(other))
    yield ""
    yield "The kernels that take more than twice the time of C++ there, with one thread:"
    yield ""
    yield f"| kernel | ours / C++ | ours / C++ on {record['machine']['processor']} | our time to that there | C++'s |"
    yield "| --- | --- | --- | --- | --- |"
    rows = {name: (row["threads"]["1"], record["kernels"][name]["threads"]["1"])
            for name, row in other["kernels"].items() if name in record["kernels"]}
    for name, (there, here) in sorted(rows.items(), key=lambda entry: -cpu_times.ratio(entry[1][0], "twin")):
        if cpu_times.ratio(there, "twin") > 2:
            times = [there[version]["median"] / here[version]["median"] for version in ("ours", "twin")]
            cells = [cpu_times.ratio(there, "twin"), cpu_times.ratio(here, "twin"), *times]
            yield f"| `{name}` | " + " | ".join(f"{cell:.2f}" for cell in cells) + " |"


def section(record, others):
    counts = counts_of(record)
    yield from machine_of(record)
    yield from means(record, counts)
    for group in record["means"]:
        yield ""
        yield f"Medians in milliseconds, of {group}:"
        yield ""
        yield from table(record, group, counts)
    yield ""
    yield "Twins with another algorithm than the kernel's:"
    yield ""
    for name, row in sorted(record["kernels"].items()):
        if "other_algorithm" in row:
            yield f"- `{name}`: {row['other_algorithm']}"
    for other in others:
        yield from elsewhere(record, other)


COLOURS = ("#54a24b", "#4c78a8", "#f58518", "#e45756")


def chart(record):
    counts = counts_of(record)
    series = {count: (threads(count), colour) for count, colour in zip(counts, COLOURS)}
    rows = [(name, {count: cpu_times.ratio(each, "twin") for count, each in row["threads"].items() if "twin" in each})
            for group in record["means"] for name, row in sorted_rows(record, group, counts[-1])]
    drawn = ratio_chart.Chart("the time of Simple on the CPU for one of C++", series,
                              [1 / 8, 1 / 4, 1 / 2, 1, 2, 4, 8, 16, 32, 64, 128, 256])
    return drawn.lines(rows)


def main():
    if sys.argv[1:] not in (["page"], ["chart"]):
        sys.exit(__doc__)
    record = docs_part.results("cpu")
    if sys.argv[1] == "page":
        docs_part.print_page("cpu", section(record, docs_part.results_elsewhere("cpu")))
    else:
        print("\n".join(chart(record)))


if __name__ == "__main__":
    main()
