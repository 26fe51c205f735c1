#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Draws traces of pipelines below each other on a common scale. Prints an SVG to standard output.

usage: scripts/timeline.py TITLE=TRACE.json... > timeline.svg

These commands make docs/pipelines.svg from the examples:
    for e in sequential double_buffering triple_buffering; do
      SPL_BACKEND=cpu build/release/bin/$e --batches 8 --trace $e.json
    done
    scripts/timeline.py "one buffer=sequential.json" "two buffers=double_buffering.json" \\
      "three buffers=triple_buffering.json" > docs/pipelines.svg
"""
import json
import sys
from xml.sax.saxutils import escape

STAGES = ["upload", "compute", "download"]
COLOURS = ["#4c78a8", "#f58518", "#54a24b", "#b279a2", "#9d755d", "#72b7b2"]  # by batch
WIDTH, LEFT, ROW, GAP, TITLE, AXIS = 900, 90, 24, 4, 26, 34


def read_spans(path):
    """The (stage, batch, begin, end) of each step in milliseconds, from the begin of the first."""
    with open(path, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    lanes = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    spans = [(lanes[e["tid"]], e["args"]["batch"], e["ts"] / 1e3, (e["ts"] + e["dur"]) / 1e3)
             for e in events if e["ph"] == "X" and lanes[e["tid"]] in STAGES]
    if not spans:
        sys.exit(f"{path}: holds no stages of a pipeline")
    start = min(begin for _, _, begin, _ in spans)
    return [(stage, batch, begin - start, end - start) for stage, batch, begin, end in spans]


def draw(panels):
    longest = max(end for _, spans in panels for *_, end in spans)
    scale = (WIDTH - LEFT - 20) / longest
    panel = TITLE + len(STAGES) * (ROW + GAP) + 12
    bottom = len(panels) * panel
    yield (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + AXIS}" '
           f'width="{WIDTH}" font-family="sans-serif" font-size="12">')
    yield f'<rect width="{WIDTH}" height="{bottom + AXIS}" fill="white"/>'
    for number, (title, spans) in enumerate(panels):
        top = number * panel
        wall = max(end for *_, end in spans)
        yield f'<text x="8" y="{top + 18}" font-weight="bold">{escape(title)}: {wall:.0f} ms</text>'
        for row, stage in enumerate(STAGES):
            y = top + TITLE + row * (ROW + GAP)
            yield f'<text x="{LEFT - 8}" y="{y + 16}" text-anchor="end">{stage}</text>'
            for _, batch, begin, end in (span for span in spans if span[0] == stage):
                x, width = LEFT + begin * scale, (end - begin) * scale
                yield (f'<rect x="{x:.1f}" y="{y}" width="{width:.1f}" height="{ROW}" '
                       f'fill="{COLOURS[batch % len(COLOURS)]}" stroke="white" stroke-width="0.5"/>')
                if width > 14:
                    yield (f'<text x="{x + width / 2:.1f}" y="{y + 16}" fill="white" '
                           f'text-anchor="middle">{batch}</text>')
    step = next(s for s in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 10**9) if longest / s <= 10)
    for tick in range(0, int(longest) + 1, step):
        x = LEFT + tick * scale
        yield f'<line x1="{x:.1f}" y1="{bottom}" x2="{x:.1f}" y2="{bottom + 6}" stroke="#444"/>'
        yield f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle">{tick} ms</text>'
    yield f'<line x1="{LEFT}" y1="{bottom}" x2="{WIDTH - 20}" y2="{bottom}" stroke="#444"/>'
    yield "</svg>"


def main():
    if len(sys.argv) < 2 or any("=" not in argument for argument in sys.argv[1:]):
        sys.exit(__doc__)
    pairs = [argument.split("=", 1) for argument in sys.argv[1:]]
    print("\n".join(draw([(title, read_spans(path)) for title, path in pairs])))


main()
