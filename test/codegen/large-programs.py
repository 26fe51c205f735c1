# RUN: %python %s %slowdown
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Large programs compile in limited time and memory for each target, or are rejected by a named error.

The limits are several times the usual values. They are far below those of a compiler whose time is quadratic
or whose recursion is as deep as the program is long.
"""
import resource
import signal
import subprocess
import sys
import tempfile

SECONDS = 10 * int(sys.argv[1])  # CPU time, so that other processes matter little
GIGABYTES = 2

KERNEL = "#[gpu]\nfn k(a: i32, out: &mut [i32]):\n"


def lines(template, count, first=0):
    return "".join(template.format(i=i, before=i - 1, after=i + 1) for i in range(first, count))


# The source and the expected error (none: it compiles).
CASES = {
    "cases": (KERNEL + "    match a:\n" + lines("        case {i}: out[{i}] = 1\n", 2000)
              + "        case _: pass\n", ""),
    "alternatives": (KERNEL + "    match a:\n        case " + lines("{i} | ", 80000)
                     + "-1: out[0] = 1\n        case _: pass\n", ""),
    "members": ("enum E:\n" + lines("    M{i}\n", 30000) + "const FIRST: E = E.M0\n"
                + lines("const C{i}: bool = E.M{i} as i64 > C{before}N\nconst C{i}N: i64 = {i}\n",
                        30000, 1).replace("C0N", "0") + KERNEL + "    if C7: out[0] = 1\n", ""),
    "constants, each after what it needs": (
        "const C0: i32 = 1\n" + lines("const C{i}: i32 = C{before} + 1\n", 50000, 1)
        + KERNEL + "    out[0] = C49999\n", ""),
    "constants, each before what it needs": (
        lines("const C{i}: i32 = C{after} + 1\n", 50000) + "const C50000: i32 = 1\n"
        + KERNEL + "    out[0] = C0\n", "nesting-too-deep"),
    "some constants before what they need": (
        lines("const C{i}: i32 = C{after} + 1\n", 150) + "const C150: i32 = 1\n"
        + KERNEL + "    out[0] = C0\n", ""),
    "structs, each after what it holds": (
        "struct S0:\n    x: i32\n" + lines("struct S{i}:\n    s: S{before}\n", 50000, 1)
        + "#[gpu]\nfn k(s: &[S49999], out: &mut [i32]):\n    out[0] = 1\n", "nesting-too-deep"),
    "structs, each before what it holds": (
        lines("struct S{i}:\n    s: S{after}\n", 50000) + "struct S50000:\n    x: i32\n"
        + "#[gpu]\nfn k(s: &[S0], out: &mut [i32]):\n    out[0] = 1\n", "nesting-too-deep"),
    "some structs": (
        "struct S0:\n    x: i32\n" + lines("struct S{i}:\n    s: [S{before}; 1]\n", 120, 1)
        + "#[gpu]\nfn k(s: &[S119], out: &mut [i32]):\n    out[0] = s[0]" + ".s[0]" * 119 + ".x\n",
        ""),
    "structs of two": (
        "struct S0:\n    x: u8\n" + lines("struct S{i}:\n    l: S{before}\n    r: S{before}\n", 17, 1)
        + "#[gpu]\nfn k(s: &mut [S16]):\n" + "    s[0] = s[1]\n" * 30, ""),
    "fields": (
        "struct S:\n" + lines("    x{i}: i32\n", 16384) + "#[gpu]\nfn k(s: &mut [S]):\n"
        + lines("    s[0].x{i} = s[1].x{i}\n", 500), ""),
    "defaults that use each other": (
        "fn q0(x: i32 = 1) -> i32: return x\n"
        + lines("fn q{i}(x: i32 = q{before}() + q{before}()) -> i32: return x\n", 40, 1)
        + KERNEL + "    out[0] = q39()\n", "default-too-large"),
    "arithmetic in one block": (
        "fn q0(x: i32) -> i32: return x * 3 + 1\n"
        + lines("fn q{i}(x: i32) -> i32: return q{before}(x) + q{before}(x + {i})\n", 40, 1)
        + KERNEL + "    out[0] = q39(a)\n", ""),
    "copies of arrays": (
        KERNEL + "    var t = [a; 4000]\n    var u = [a; 4000]\n"
        + "    u = t\n    u[a] += 1\n    t = u\n" * 1000 + "    out[0] = t[a]\n", ""),
    "unrolled loops": (
        "#[gpu]\nfn k(x: &[f32], out: &mut [f32]):\n"
        + lines("    for j in 0..100 unroll: out[j + {i}] = x[j] + {i}.0\n", 150), ""),
    "quotients and remainders of such": (
        "#[gpu]\nfn k(a: &[i64], n: i64, m: i64, out: &mut [i64]):\n    var x = gpu.global_id()\n"
        + lines("    x = (x + n) / 3 + x % (m + {i})\n    out[x] = a[x / 3]\n", 150), ""),
    "checks in one loop": (
        "#[gpu]\nfn k(a: &[i64], out: &mut [i64]):\n    val i = gpu.global_id()\n    var x = 0\n"
        + lines("    x += a[i * {after}] * x + {i}\n", 300) + "    out[i] = x\n", ""),
    # The version for launches that do not meet the contract has passes of its own.
    "loops in loops, with a contract": (
        "#[gpu]\nfn k(a: &[i32], y: &[i32], out: &mut [i32], n: i64):\n    val me = gpu.global_id()\n"
        "    if me >= out.len(): return\n    var s = y[me]\n    for x0 in 0..n:\n"
        + "".join("    " * d + f"    for x{d} in x{d - 1}..n:\n" for d in range(1, 20))
        + "    " * 21 + "s += a[x19]\n    out[me] = s\n", ""),
    "loops in loops": (
        "#[gpu]\nfn k(a: &[i64], n: i64, out: &mut [i64]):\n    var x0 = 0\n"
        + "".join("    " * d + f"    var y{d} = x{d}\n" + "    " * d + f"    while y{d} < n:\n"
                  + "    " * d + f"        var x{d + 1} = y{d}\n" for d in range(40))
        + "    " * 41 + "out[x40] = a[x20]\n"
        + "".join("    " * d + f"        y{d} = x{d + 1} + 1\n" for d in reversed(range(40))), ""),
    "lines": (KERNEL + lines('    print "{{a}} is {i}"\n', 4000), ""),
    "functions": (lines("fn q{i}(x: i32) -> i32: return x + {i}\n", 3000)
                  + KERNEL + lines("    out[{i}] = q{i}(a)\n", 3000), ""),
}


def bound_time():
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def compiled(source, target):
    with tempfile.NamedTemporaryFile("w", suffix=".spl") as file:
        file.write(source)
        file.flush()
        command = ["simple", "compile", file.name, "--target", target, "-o", "/dev/null"]
        for _ in range(3):  # other processes on the same core make the time longer
            done = subprocess.run(command, capture_output=True, text=True, check=False,
                                  preexec_fn=bound_time)
            if done.returncode != -signal.SIGKILL:
                break
        return done


for name, (source, error) in CASES.items():
    for target in ["sm_75"] if error else ["sm_75", "cpu"]:
        done = compiled(source, target)
        assert done.returncode == (1 if error else 0), (name, target, done)
        names = {line.rpartition("[")[2] for line in done.stderr.splitlines() if " error: " in line}
        assert names == ({error + "]"} if error else set()), (name, target, done.stderr)
kilobytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
assert kilobytes < GIGABYTES << 20, kilobytes
