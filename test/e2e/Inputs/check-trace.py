# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""check-trace.py TRACE BATCHES [LANE...] -- COMMAND...: runs COMMAND, which writes a timeline to TRACE. The
timeline must have the pipeline's lanes and these. Each batch must pass the stages in their order. Stages of
different batches must overlap.

On a busy machine one run may have no overlap by chance, but not three runs."""
import json
import subprocess
import sys

RUNS = 3
split = sys.argv.index("--")
trace, batches, *more = sys.argv[1:split]
command = sys.argv[split + 1:]
stages = ["upload", "compute", "download"]


def read_spans():
    """The begin and the end of each batch, for each lane."""
    with open(trace, encoding="utf-8") as file:
        events = json.load(file)["traceEvents"]
    lanes = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
    assert set(lanes.values()) == {"host", *stages, *more}, lanes
    spans = {}
    for event in events:
        if event["ph"] == "X":
            assert event["dur"] >= 0, event
            lane = spans.setdefault(lanes[event["tid"]], {})
            if "batch" in event.get("args", {}):
                lane[event["args"]["batch"]] = (event["ts"], event["ts"] + event["dur"])
    return spans


def check_order(spans):
    for stage in stages:
        assert list(spans[stage]) == list(range(int(batches))), (stage, list(spans[stage]))
        ordered = list(spans[stage].values())
        for (_, end), (begin, _) in zip(ordered, ordered[1:]):
            assert end <= begin + 50, f"{stage} is at two batches at once"  # a float's microseconds
    for before, after in zip(stages, stages[1:]):
        for batch, (_, end) in spans[before].items():
            assert end <= spans[after][batch][0] + 50, f"{after} of {batch} began before {before} ended"


def overlap(one, other):
    return one[0] < other[1] and other[0] < one[1]


def have_overlap(spans):
    return any(overlap(spans["upload"][b], spans[stage][b - 1])
               for b in range(1, int(batches)) for stage in ("compute", "download"))


for _ in range(RUNS):
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    spans = read_spans()
    check_order(spans)
    if have_overlap(spans):
        print(output, end="")
        break
else:
    sys.exit("nothing overlaps")
