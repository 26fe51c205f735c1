# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Guards of work-items at -O2, where spl-limit-loops removes the work-items that do nothing: exactly those run for which
the condition holds. The bounds include the smallest and the largest numbers."""
import pathlib
import struct
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]
LEAST, MOST = -2**63, 2**63 - 1
BOUNDS = [LEAST, LEAST + 1, -2**60, -257, -2, -1, 0, 1, 2, 3, 6, 7, 8, 20, 41, 42, 43, 2**28, 2**28 + 1, 2**60, 2**62 + 1,
          MOST - 1, MOST]
GROUP, GROUPS = 7, 6


def wrap(number):
    return (number + 2**63) % 2**64 - 2**63


# The condition in the kernel's language, and in Python. `me` is the local id, `i` the global id, `n` a bound. The
# functions wrap as the language does.
CONDITIONS = {
    "less": ("me < n", lambda me, i, n: me < n),
    "at_most": ("me <= n", lambda me, i, n: me <= n),
    "greater": ("n < me", lambda me, i, n: me > n),
    "at_least": ("not (n > me)", lambda me, i, n: me >= n),
    "equal": ("n == me", lambda me, i, n: me == n),
    "unequal": ("me != n", lambda me, i, n: me != n),
    "global_less": ("i < n", lambda me, i, n: i < n),
    "global_at_most": ("n >= i", lambda me, i, n: i <= n),
    "global_greater": ("i > n", lambda me, i, n: i > n),
    "global_at_least": ("not (i < n)", lambda me, i, n: i >= n),
    "global_equal": ("i == n", lambda me, i, n: i == n),
    "between": ("i >= n and i < 40 and me > 0", lambda me, i, n: n <= i < 40 and me > 0),
    "either": ("i < n or me == 3", lambda me, i, n: i < n or me == 3),
    "neither": ("not (i < n or me == 3)", lambda me, i, n: not (i < n or me == 3)),
    "uniform": ("me < 5 and n > 6", lambda me, i, n: me < 5 and n > 6),
    "not_uniform": ("not (me >= 5 or n < 6)", lambda me, i, n: not (me >= 5 or n < 6)),
    "odd": ("me < n and i % 2 == 1", lambda me, i, n: me < n and i % 2 == 1),
    "not_odd": ("not (me >= n or i % 2 == 1)", lambda me, i, n: not (me >= n or i % 2 == 1)),
    "wraps": ("me + 1 < n", lambda me, i, n: me + 1 < n),
    "offset": ("me + n < 5", lambda me, i, n: wrap(me + n) < 5),
    "tree": ("(me + 1) * n * 2 - 1 < 20", lambda me, i, n: wrap((me + 1) * n * 2 - 1) < 20),
    "multiple": ("n > me * n", lambda me, i, n: n > wrap(me * n)),
    "line": ("me * 4 + n < 40", lambda me, i, n: wrap(me * 4 + n) < 40),
    "falling": ("n - me * 3 < 2", lambda me, i, n: wrap(n - me * 3) < 2),
    "not_line": ("not (3 * i - n >= 17) and me != 2", lambda me, i, n: wrap(3 * i - n) < 17 and me != 2),
    "square": ("me * me < n", lambda me, i, n: me * me < n),
    "unsigned": ("(me as u64) < (n as u64)", lambda me, i, n: me < n % 2**64),
    "never": ("n > me and n < me", lambda me, i, n: False),
}


# Conditions that hold for one work-item of a row at most, after what all work-items do.
SINGLES = {
    "single": ("me == n", lambda me, i, n: me == n),
    "single_global": ("i - 3 == n", lambda me, i, n: wrap(i - 3) == n),
    "single_wraps": ("n + me + n == 4", lambda me, i, n: wrap(n + me + n) == 4),
    "single_and": ("i == n and i % 2 == 0", lambda me, i, n: i == n and i % 2 == 0),
}
CONDITIONS |= SINGLES


def source():
    text = ""
    for name, (condition, _) in CONDITIONS.items():
        others = "out[b * gpu.global_size() + i] -= 1" if name in SINGLES else "pass"
        text += f"""
#[gpu]
fn {name}(bounds: &[i64], out: &mut [i32]):
    val me = gpu.local_id()
    val i = gpu.global_id()
    for b in 0..bounds.len():
        val n = bounds[b]
        gpu.barrier()
        {others}
        if {condition}:
            out[b * gpu.global_size() + i] = 10 * out[b * gpu.global_size() + i] + 1
        gpu.barrier()
"""
    return text


FOLDER.mkdir(parents=True, exist_ok=True)
(FOLDER / "guards.spl").write_text(source(), encoding="utf-8")
count = GROUP * GROUPS
for name, (_, holds) in CONDITIONS.items():
    for level in (["-O2"], ["-O3", "--check", "none"]):
        saved = FOLDER / "out.npy"
        line = [SIMPLE, "run", str(FOLDER / "guards.spl"), "--backend", "cpu", "--kernel", name, *level, "--global",
                str(count), "--local", str(GROUP), "--arg", f"bounds=i64[{len(BOUNDS)}]={','.join(map(str, BOUNDS))}",
                "--arg", f"out=i32[{len(BOUNDS) * count}]", "--save", f"out={saved}"]
        done = subprocess.run(line, capture_output=True, text=True)
        assert done.returncode == 0, f"{' '.join(line)}\n{done.stderr}"
        found = struct.unpack(f"<{len(BOUNDS) * count}i", saved.read_bytes()[-4 * len(BOUNDS) * count:])
        for b, n in enumerate(BOUNDS):
            chosen = [holds(i % GROUP, i, n) for i in range(count)]
            expected = tuple(-9 * is_chosen - (not is_chosen) if name in SINGLES else int(is_chosen) for is_chosen in chosen)
            assert found[b * count:(b + 1) * count] == expected, (name, level, n, found[b * count:(b + 1) * count])
