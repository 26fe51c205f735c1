# RUN: %python %s
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The kernels of the examples have as many innermost loops with vector instructions for cpu:x86-64-v3 as the stored
table says. The loops are those of optimised LLVM IR."""
import re

import guard

BODY = re.compile(r'^define [^\n]*@"?spl\.body\.([\w$]+)"?\([^\n]*\{\n(.*?)^\}', re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^([\w.$-]+):", re.MULTILINE)


def blocks_of(body):
    """The text of each block, by its label. The first block has none."""
    parts = BLOCK.split("entry:\n" + body if not BLOCK.match(body) else body)
    return dict(zip(parts[1::2], parts[2::2]))


def back_edges(successors, first):
    """The edges that lead back to a block on the path of a depth-first search: those of loops."""
    edges, state, stack = [], {}, [(first, iter(successors[first]))]
    state[first] = "open"
    while stack:
        block, following = stack[-1]
        for target in following:
            if target not in state:
                state[target] = "open"
                stack.append((target, iter(successors[target])))
                break
            if state[target] == "open":
                edges.append((block, target))
        else:
            state[block] = "closed"
            stack.pop()
    return edges


def vector_loops(body):
    """The number of innermost loops with a vector instruction."""
    blocks = blocks_of(body)
    successors = {label: re.findall(r"label %([\w.$-]+)", text) for label, text in blocks.items()}
    before = {label: [] for label in blocks}
    for label, targets in successors.items():
        for target in targets:
            before[target].append(label)
    loops = {}
    for end, header in back_edges(successors, next(iter(blocks))):
        inside, pending = {header}, [end]
        while pending:
            if (label := pending.pop()) not in inside:
                inside.add(label)
                pending += before[label]
        loops.setdefault(header, set()).update(inside)
    innermost = [inside for header, inside in loops.items() if not (loops.keys() - {header}) & inside]
    return sum(any(re.search(r"<\d+ x ", blocks[label]) for label in inside) for inside in innermost)


def measure():
    rows = {}
    for source, kernels in guard.examples():
        code, _ = guard.compiled(source, "--target", "cpu:x86-64-v3", "--emit", "llvm", "-o", "-", *kernels)
        for name, body in BODY.findall(code):
            rows[f"{source.stem}: {name}"] = {"loops": vector_loops(body)}
    return rows


LOOP = """  br label %loop
loop:
  %a = load {}, ptr %p
  br i1 %c, label %loop, label %end
end:
  ret void
"""
assert vector_loops(LOOP.format("<8 x float>")) == 1
assert vector_loops(LOOP.format("float")) == 0
guard.run("vector-loops", measure, {"loops": guard.at_least()}, {})
