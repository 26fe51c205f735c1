# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-trace.py TRACE BATCHES [LANE...]: a timeline is JSON with these lanes beside a pipeline's own;
each batch goes through the stages in their order, and stages of different batches overlap."""
import json
import sys

trace, batches, *more = sys.argv[1:]
with open(trace, encoding="utf-8") as file:
    events = json.load(file)["traceEvents"]
lanes = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
stages = ["upload", "compute", "download"]
assert set(lanes.values()) == {"host", *stages, *more}, lanes

spans = {}
for event in events:
    if event["ph"] == "X":
        assert event["dur"] >= 0, event
        lane = spans.setdefault(lanes[event["tid"]], {})
        if "batch" in event.get("args", {}):
            lane[event["args"]["batch"]] = (event["ts"], event["ts"] + event["dur"])
for stage in stages:
    assert list(spans[stage]) == list(range(int(batches))), (stage, list(spans[stage]))
    ordered = list(spans[stage].values())
    for (_, end), (begin, _) in zip(ordered, ordered[1:]):
        assert end <= begin + 50, f"{stage} is at two batches at once"  # a float's microseconds
for before, after in zip(stages, stages[1:]):
    for batch, (_, end) in spans[before].items():
        assert end <= spans[after][batch][0] + 50, f"{after} of {batch} began before {before} ended"


def meet(one, other):
    return one[0] < other[1] and other[0] < one[1]


overlaps = [b for b in range(1, int(batches)) if meet(spans["upload"][b], spans["download"][b - 1])
            or meet(spans["upload"][b], spans["compute"][b - 1])]
assert overlaps, "nothing overlaps"
