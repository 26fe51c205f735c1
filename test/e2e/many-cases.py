# RUN: %python %s source > %t.spl
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s expected > %t.txt
# RUN: simple run %t.spl --backend cpu --global 4500 --arg out=i32[4500] --print out --full > %t.cpu
# RUN: diff %t.cpu %t.txt
# RUN: %run-ptx %t.spl --global 4500 --arg out=i32[4500] --print out --full > %t.ptx
# RUN: diff %t.ptx %t.txt
"""A match with too many cases for sequential tests: the first case that matches is taken."""
import sys

ARMS = 1100
COUNT = 4500


def patterns(arm):
    """The ranges of an arm. Earlier arms cover a part of them."""
    start = arm * 4 - 300
    return [(start, start), (start + 1, start + 5), (-start * 7, -start * 7)]


def result(value):
    for arm in range(ARMS):
        if any(first <= value <= last for first, last in patterns(arm)):
            return arm * 3 + 1
    return -1


if sys.argv[1] == "source":
    print("fn chosen(v: i64) -> i32:\n    match v:")
    for arm in range(ARMS):
        texts = " | ".join(str(a) if a == b else f"{a}..={b}" for a, b in patterns(arm))
        print(f"        case {texts}: return {arm * 3 + 1}")
    print("        case _: return -1\n")
    print("#[gpu]\nfn k(out: &mut [i32]):\n    val i = gpu.global_id()")
    print("    if i < out.len(): out[i] = chosen(i - 350)")
else:
    print("out = [" + ", ".join(str(result(i - 350)) for i in range(COUNT)) + "]")
