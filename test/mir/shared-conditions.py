# RUN: %python %s %t.spl
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A condition from shared memory before a barrier (rule 5.49): it is uniform if nothing that work-items reach between
the same two barriers writes to the array. Each kernel is accepted or refused, and each refusal names the write."""
import subprocess
import sys

# Names, whether the kernel is accepted, and its body. 's' and 't' are arrays in shared memory, 'd' and 'e' are views of
# dynamic shared memory, 'i' is the local id, and 'n' a parameter.
CASES = [
    ("never written", True, "if s[0] == 1: gpu.barrier()"),
    ("written before a barrier", True, "s[i] = 1\ngpu.barrier()\nif s[0] == 1: gpu.barrier()"),
    ("written before a group operation", True, "s[i] = 1\nval _a = gpu.group_any(i == 1)\nif s[0] == 1: gpu.barrier()"),
    ("written before a warp barrier", False, "s[i] = 1\ngpu.warp_barrier()\nif s[0] == 1: gpu.barrier()"),
    ("written before a fence", False, "s[i] = 1\ngpu.fence(group)\nif s[0] == 1: gpu.barrier()"),
    ("written before it", False, "s[i] = 1\nif s[0] == 1: gpu.barrier()"),
    ("written behind it", False, "val f = s[0]\ns[i] = 1\nif f == 1: gpu.barrier()"),
    ("written behind a barrier behind it", True, "val f = s[0]\ngpu.barrier()\ns[i] = 1\nif f == 1: gpu.barrier()"),
    ("written in the branch", False, "if s[0] == 1:\n    s[i] = 2\n    gpu.barrier()"),
    ("written in the branch behind the barrier", True, "if s[0] == 1:\n    gpu.barrier()\n    s[i] = 2"),
    ("written in the other branch", False, "if s[0] == 1:\n    gpu.barrier()\nelse:\n    s[i] = 2"),
    ("written behind the branch", False, "if s[0] == 1:\n    gpu.barrier()\ns[i] = 2"),
    ("written by one work-item", False, "val f = s[0]\nif i == 0: s[0] = 1\nif f == 1: gpu.barrier()"),
    ("written at another index", False, "val f = s[0]\ns[5] = 1\nif f == 1: gpu.barrier()"),
    ("another array is written", True, "t[i] = 1\nif s[0] == 1: gpu.barrier()"),
    ("a parameter is written", True, "out[i] = 1\nif s[0] == 1: gpu.barrier()"),
    ("a divergent index", False, "if s[i] == 1: gpu.barrier()"),
    ("a uniform index", True, "if s[n % 16] == 1: gpu.barrier()"),
    ("an index from it", True, "if s[s[0] & 15] == 1: gpu.barrier()"),
    ("dynamic shared memory", False, "if d[0] == 1: gpu.barrier()"),
    ("dynamic shared memory is written", True, "e[i] = 1\nif s[0] == 1: gpu.barrier()"),
    ("memory of a parameter", False, "if out[0] == 1: gpu.barrier()"),
    ("a choice of two arrays", True, "val v = s[..] if n == 1 else t[..]\nif v[0] == 1: gpu.barrier()"),
    ("a choice of which one is written", False, "val v = s[..] if n == 1 else t[..]\nt[0] = 1\nif v[0] == 1: gpu.barrier()"),
    ("written through a choice", False, "val v = s[..] if n == 1 else t[..]\nv[i] = 1\nif t[0] == 1: gpu.barrier()"),
    ("a choice by the id", False, "val v = s[..] if i == 1 else t[..]\nif v[0] == 1: gpu.barrier()"),
    ("a choice with a parameter", False, "val v = s[..] if n == 1 else out[..]\nif v[0] == 1: gpu.barrier()"),
    ("a choice with dynamic memory", False, "val v = s[..] if n == 1 else d[..]\nif v[0] == 1: gpu.barrier()"),
    ("a part", True, "val v = s[4..8]\nif v[0] == 1: gpu.barrier()"),
    ("a part at the id", False, "val v = s[i..]\nif v[0] == 1: gpu.barrier()"),
    ("written through a part", False, "val v = s[4..8]\nv[i] = 1\nif s[0] == 1: gpu.barrier()"),
    ("an atomic", False, "gpu.atomic_add(&mut s[0], 1)\nif s[1] == 1: gpu.barrier()"),
    ("an atomic before a barrier", True, "gpu.atomic_add(&mut s[0], 1)\ngpu.barrier()\nif s[1] == 1: gpu.barrier()"),
    ("an atomic load beside it", True, "out[i] = gpu.atomic_load(&s[0])\nif s[1] == 1: gpu.barrier()"),
    ("the result of an atomic", False, "if gpu.atomic_add(&mut s[0], 1) == 1: gpu.barrier()"),
    ("a load with a cache hint", True, "if gpu.load(s, 0, cache: keep) == 1: gpu.barrier()"),
    ("a store with a cache hint", False, "gpu.store(s, i, 1, cache: keep)\nif s[1] == 1: gpu.barrier()"),
    ("a wide load", True, "if gpu.load_vec[i32x4](s, 0).x == 1: gpu.barrier()"),
    ("a wide store", False, "gpu.store_vec(s, 0, i32x4(1))\nif s[1] == 1: gpu.barrier()"),
    ("a field of a struct", True, "if p[1].y == 1: gpu.barrier()"),
    ("a struct", True, "val q = p[1]\nif q.y == 1: gpu.barrier()"),
    ("a struct that is written", False, "p[0] = Pair(1, 2)\nval q = p[1]\nif q.y == 1: gpu.barrier()"),
    ("another field is written", False, "p[0].x = 1\nif p[1].y == 1: gpu.barrier()"),
    ("a struct copied within it", False, "p[i] = p[1]\nif p[0].y == 1: gpu.barrier()"),
    ("written by a function", False, "fill(s, 1)\nif s[0] == 1: gpu.barrier()"),
    ("written by a function that stays a call", False, "fill_apart(s, 1)\nif s[0] == 1: gpu.barrier()"),
    ("read by a function", True, "out[i] = first(s)\nif s[0] == 1: gpu.barrier()"),
    ("the result of a function", True, "if first(s) == 1: gpu.barrier()"),
    ("the array of a function", True, "if own(i) == 1: gpu.barrier()"),
    ("the array of a function, two calls", False, "if own(i) == 1: gpu.barrier()\nout[i] = own(n)"),
    ("the array of a function, calls apart", True, "if own(i) == 1: gpu.barrier()\ngpu.barrier()\nout[i] = own(n)"),
    ("a loop that writes behind a barrier", True,
     "while s[0] < n:\n    gpu.barrier()\n    if i == 0: s[0] += 1\n    gpu.barrier()"),
    ("a loop that writes at its end", False, "while s[0] < n:\n    gpu.barrier()\n    if i == 0: s[0] += 1"),
    ("a loop that writes at its start", False, "while s[0] < n:\n    if i == 0: s[0] += 1\n    gpu.barrier()"),
    ("a loop before the write", False, "while s[0] < n:\n    gpu.barrier()\ns[i] = 1"),
    ("a loop and a barrier before the write", True, "while s[0] < n:\n    gpu.barrier()\ngpu.barrier()\ns[i] = 1"),
    ("an exit", True, "for _k in 0..n:\n    gpu.barrier()\n    if s[0] == 7: break\n    gpu.barrier()\n    s[i] = n"),
    ("an exit beside the write", False, "for _k in 0..n:\n    gpu.barrier()\n    if s[0] == 7: break\n    s[i] = n"),
    ("a return", True, "gpu.barrier()\nif s[0] == 7: return\ngpu.barrier()\ns[i] = 1\ngpu.barrier()"),
    ("a return beside the write", False, "gpu.barrier()\nif s[0] == 7: return\ns[i] = 1\ngpu.barrier()"),
    ("bounds of a range", True, "for _k in 0..s[0]:\n    gpu.barrier()"),
    ("bounds of a range, written behind its barrier", True, "for k in 0..s[0]:\n    gpu.barrier()\n    s[i] = k"),
    ("bounds of a range, written before its barrier", False, "for k in 0..s[0]:\n    s[i] = k\n    gpu.barrier()"),
    ("a match", True, "match s[0]:\n    case 1: gpu.barrier()\n    case _: pass"),
    ("carried by a loop", True, "var f = 0i32\nfor _k in 0..n:\n    if f == 1: gpu.barrier()\n    f = s[0]"),
    ("carried by a loop, written", False, "var f = 0i32\nfor k in 0..n:\n    if f == 1: gpu.barrier()\n    f = s[0]\n    s[i] = k"),
    ("in a divergent branch", False, "var f = 0i32\nif i < 3: f = s[0]\nif f == 1: gpu.barrier()"),
    ("a row", True, "if m[1, 2] == 1: gpu.barrier()"),
    ("a row that is written", False, "val row = m[1]\nrow[i] = 1\nif m[0, 2] == 1: gpu.barrier()"),
    ("the value of gpu.uniform", True, "s[i] = 1\nif gpu.uniform(s[0]) == 1: gpu.barrier()"),
]

PRELUDE = """struct Pair:
    x: i32
    y: i32

fn fill(a: &mut [i32], x: i32):
    a[gpu.local_id() % 16] = x

#[noinline]
fn fill_apart(a: &mut [i32], x: i32):
    a[x] = x

fn first(a: &[i32]) -> i32:
    return a[0]

fn own(x: i64) -> i32:
    val t = gpu.shared[i32](4)
    t[x & 3] = 1
    gpu.barrier()
    return t[0]

"""
KERNEL = """#[gpu]
fn k(n: i32, out: &mut [i32]):
    val s = gpu.shared[i32](16)
    val t = gpu.shared[i32](16)
    val p = gpu.shared[Pair](16)
    val m = gpu.shared[i32](4, 16)
    val d = gpu.shared_dyn[i32]()
    val e = gpu.shared_dyn[i32](4, offset: 16)
    val i = gpu.local_id()
"""


def source(body):
    body = body.replace("own(n)", "own(n as i64)")
    lines = "".join(f"    {line}\n" for line in body.splitlines())
    used = "".join(f"    val _{name} = {name}.len()\n" for name in "stpmde")
    return PRELUDE + KERNEL + lines + used + "    out[0] = i as i32\n"


failed = 0
for name, accepted, body in CASES:
    with open(sys.argv[1], "w", encoding="utf-8") as file:
        file.write(source(body))
    result = subprocess.run(["simple", "compile", sys.argv[1], "--emit", "mir-final", "-o", "/dev/null"],
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    text = result.stdout
    refused = result.returncode == 1 and "[divergent-barrier]" in text and text.count("error:") == 1
    if (result.returncode == 0) != accepted or refused == accepted:
        failed += 1
        print(f"{name}: expected {'no error' if accepted else 'an error'}\n{body}\n{text}")
sys.exit(failed != 0)
