# RUN: %python %s %t simple
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Loops that run in gangs (spl-gang-loops) at -O2, and one work-item after the other at -O0: the results are the same.

The sizes are odd, so that gangs, groups and rows end at different places, and lanes are inactive. Half of the kernels
have loops with a different number of iterations in each work-item.
"""
import itertools
import pathlib
import subprocess
import sys

FOLDER, SIMPLE = pathlib.Path(sys.argv[1]), sys.argv[2]

# Each kernel gets n, m, arrays of numbers, and arrays for its results. It has one work-item for each of n elements.
ONE_AXIS = {
    "uniform": """
        var sum = 0.0
        for k in 0..m:
            sum += x[k] * y[i]
        out[i] = sum""",
    "selected": """
        val first = math.select(gpu.local_size(0) > 0, m, i * i)
        var sum = y[i]
        for k in 0..m:
            sum += x[k] * ((first + k) as f32)
        out[i] = sum""",
    "adjacent": """
        var sum = 0.0
        for k in 0..m:
            sum += x[k * n + i]
        out[i] = sum""",
    "store_in_loop": """
        for k in 0..m:
            out[k * n + i] = x[k * n + i] * y[i] + (k as f32)""",
    "nested": """
        var sum = 0.0
        for k in 0..m:
            for j in 0..k:
                sum = sum * 0.5 + x[j * n + i]
            out[k * n + i] = sum""",
    "two_loops": """
        var low = y[i]
        for k in 0..m:
            low = math.min(low, x[k * n + i])
        var count = 0
        for k in 0..m:
            if x[k * n + i] > low + 0.25:
                count += 1
        out[i] = count as f32""",
    "branch_in_loop": """
        var sum = 0.0
        for k in 0..m:
            val v = x[k * n + i]
            if v > 0.5:
                sum += v
                out[k * n + i] = sum
            elif v > 0.25:
                sum -= v
            else:
                out[k * n + i] = -v
        out[i] = sum""",
    "uniform_branch": """
        var sum = 0.0
        for k in 0..m:
            if k % 3 == 1:
                sum += x[k * n + i]
            else:
                sum -= x[k]
        out[i] = sum""",
    "break_uniform": """
        var sum = 0.0
        for k in 0..m:
            if x[k] > 0.9: break
            if x[k] < 0.1: continue
            sum += x[k * n + i]
        out[i] = sum""",
    "wrapped_indices": """
        var sum = 0.0
        for k in 0..m:
            sum += x[(i + k) % n] * y[k % n * n + (i - k + n) % n]
            if y[i] > 0.5:
                sum += x[(i + k) % n] - x[i / (k + 40) * 10 + ((i as u32 + 3u32) % 41u32) as i64 % n]
            val short = (i as i32 + 32) % (k as i32 + 90)
            sum -= x[(short % n as i32) as i64]
        out[(i + m) % n] = sum""",
    "wrapped_numbers": """
        var sum = 0i64
        for k in 0..m:
            val far = i64.MAX - 20 + i
            sum = sum * 3 + (i - 20) % (k * 2 - 5) + far % (k + 70) + far / (k + 70) + (i * 5 - 99) / (k + 900)
            if y[i] > 0.5:
                sum += (i - 20) % (k * 200 - 300) + ((i as u32 - 20u32) % (k as u32 + 80u32)) as i64
                sum += (far as u64 / (1u64 << 63)) as i64 + ((i as i32 + 2147483600i32) / (k as i32 + 77)) as i64
        out[i] = (sum % 100003) as f32""",
    "same_in_each_round": """
        var best = -1
        var least = math.INF
        for c in 0..m:
            var sum = 0.0
            for k in 0..m * 4:
                val difference = x[i * m + k / 4] - y[c * m + k / 4]
                sum += difference * difference * ((k % 4) as f32)
            if sum < least:
                (least, best) = (sum, c)
            if y[i] > 0.75:
                for again in 0..2:
                    for k in 0..m:
                        least += x[i * m + k]
        out[i] = least + best as f32""",
    "updated_in_each_round": """
        for c in 0..m:
            for k in 0..m:
                out[i * m + k] = out[i * m + k] * 0.5 + x[c]""",
    "break_divergent": """
        var sum = 0.0
        for k in 0..m:
            if x[k * n + i] > 0.9: break
            if x[k * n + i] < 0.1: continue
            sum += x[k * n + i]
            out[k * n + i] = sum
        out[i] = sum""",
    "return_in_loop": """
        var sum = 0.0
        for k in 0..m:
            sum += x[k * n + i]
            if sum > 3.0:
                out[i] = -sum
                return
        out[i] = sum""",
    "while_pure": """
        var z = y[i]
        var steps = 0
        while z < 4.0 and steps < 50:
            z = z * z + 0.26
            steps += 1
        out[i] = z + (steps as f32)""",
    "while_f64": """
        var z = y[i] as f64
        var steps: i64 = 0
        while z < 4.0 and steps < 50:
            z = z * z + 0.26
            steps += 1
        out[i] = (z as f32) + (steps as f32)""",
    "while_memory": """
        var k: i64 = 0
        var sum = 0.0
        while k < m and sum < 2.0:
            sum += x[k * n + i]
            out[k * n + i] = sum
            k += 1
        out[i] = sum + (k as f32)""",
    "range_of_item": """
        var sum = 0.0
        for k in (i % 5)..m:
            sum = sum * 0.75 + x[k]  * y[i]
        out[i] = sum""",
    "range_to_item": """
        var sum = 0.0
        for k in 0..(i % 7):
            sum = sum * 0.75 + y[i]
        out[i] = sum""",
    "grid_stride": """
        var sum = 0.0
        for k in gpu.grid_stride(x.len()):
            sum += x[k]
        out[i] = sum""",
    "strided_by_group": """
        var sum = 0.0
        for k in gpu.local_id()..x.len() step gpu.local_size():
            sum += x[k]
        out[i] = sum""",
    "strided_by_constant": """
        var sum = 0.0
        for k in i..x.len() step 64:
            sum += x[k]
        out[i] = sum""",
    "downwards": """
        var sum = 0.0
        for k in (0..m).reversed():
            sum = sum * 0.5 + x[k * n + i]
        out[i] = sum""",
    "struct_in_loop": """
        var mine = Pair(0.0, 1.0)
        for k in 0..m:
            mine = mine.with(x[k * n + i])
        out[i] = mine.a + mine.b""",
    "struct_in_branch": """
        var mine = Pair(y[i], 1.0)
        for k in 0..m:
            if x[k * n + i] > 0.5:
                mine = mine.with(x[k * n + i])
        if mine.a > 1.0:
            mine.b = 2.0
        out[i] = mine.a + mine.b""",
    "vectors": """
        var v = f32x4(y[i], 1.0, x[i], 0.5)
        for k in 0..m:
            val w = f32x4(x[k])
            v = v * w + f32x4(0.0, y[i], 0.25, x[k * n + i])
            v.w = math.dot(v, w)
        out[i] = v.x + v.y * v.z + v.w""",
    "functions": """
        var sum = 0.0
        for k in 0..m:
            sum += math.exp(-x[k * n + i]) + math.sqrt(x[k]) + math.max(x[k * n + i], y[i])
        out[i] = sum""",
    "integers": """
        var a: i32 = i as i32
        var b: u32 = 7
        for k in 0..m:
            a = a * 31 + (k as i32) - (a >> 3)
            b = (b << 5) ^ (a as u32) ^ (b >> 2)
            if a % 5 == 2: b += 1
        out[i] = (a as f32) + (b as f32)""",
    "divisions": """
        var a = i + 100
        for k in 1..m + 1:
            a = a * 3 - (i + k) / k + a % k
        out[i] = a as f32""",
    "guard_else": """
        if i % 3 == 0:
            out[i] = 1.0
        else:
            var sum = 0.0
            for k in 0..m:
                sum += x[k * n + i]
            out[i] = sum""",
    "guard_in_loop": """
        for k in 0..m:
            if i > k:
                var sum = 0.0
                for j in 0..k:
                    sum += x[j * n + i - 1]
                out[k * n + i] = sum""",
    "gathered": """
        var sum = 0.0
        for k in 0..m:
            sum = sum * 0.5 + x[i * m + k] + y[(i * 7 + k) % n]
        out[i] = sum""",
    "scattered": """
        for k in 0..m:
            out[i * m + k] = x[k] * y[i]
            if (i + k) % 3 == 0:
                out[i * m + k] += 1.0""",
    "narrow_index": """
        var sum = 0.0
        for k in (i as i32)..(x.len() as i32) step 50:
            sum += x[k]
        out[i] = sum""",
    "narrow_bytes": """
        val first = i as u8 + 200
        for k in 0..m:
            if (first + k as u8) as i64 < x.len():
                out[i] = out[i] * 0.5 + x[first + k as u8]""",
    "narrow_words": """
        val first = i as u16 + 65500
        for k in 0..m:
            if (first + k as u16) as i64 < x.len():
                out[i] = out[i] * 0.5 + x[first + k as u16]""",
    "array": """
        var v = [0.0; 8]
        for k in 0..m:
            v[k % 8] += x[k * n + i]
            v[(k * 3) % 8] -= y[i]
        out[i] = v[0] + v[1] * v[2] - v[7]""",
    "array_of_item": """
        var v = [1.0; 8]
        for k in 0..m:
            v[(i + k) % 8] += x[k * n + i]
        out[i] = v[i % 8] - v[(i + 3) % 8]""",
    "arrays": """
        var v = [[Pair(0.0, 1.0); 3]; 2]
        for k in 0..m:
            v[k % 2][k % 3] = v[k % 2][k % 3].with(x[k * n + i])
            if k % 5 == 1: v[0] = v[1]
        val w = v
        out[i] = w[0][0].a + w[1][2].b + v[1][1].a""",
    "array_of_vectors": """
        var v = [f32x2(0.0, 1.0); 4]
        for k in 0..m:
            v[k % 4] = v[(k + 1) % 4] * f32x2(x[k], y[i]) + f32x2(x[k * n + i])
        out[i] = v[0].x + v[3].y""",
    "atomics": """
        for k in 0..m:
            gpu.atomic_add(&mut out[(i + k) % n], (k + 1) as f32)
            if x[k * n + i] > 0.5:
                gpu.atomic_max(&mut out[k], (i % 5) as f32)""",
    "conditional_writes": """
        if x[i] > 0.5 and i + 1 < out.len():
            out[i] = y[i]
            if y[i] > 0.25:
                gpu.atomic_max(&mut out[out.len() - 1], 9.0)
            else:
                gpu.atomic_max(&mut out[out.len() - 1], 8.0)""",
    "wrapped": """
        var sum = 0.0
        for k in 0..m:
            sum = sum * 0.5 + y[(i + k * 3) % n]
        out[i] = sum""",
    "wrapped_stores": """
        if x[i] > 0.3:
            out[(i + 5) % n] = y[(i + n - 1) % n] + x[math.max(i - 2, 0)]""",
    "pairs": """
        for half in 0..5:
            val first = 2 * i - (i & ((1 << half) - 1))
            val second = first + (1 << half)
            if second < n and x[i] > 0.5:
                out[half * n + first] += y[second]
                out[half * n + second] -= y[first]""",
    "wide_divisions": """
        var a = i + 1
        var sum = 0
        for k in 0..m:
            a = a * 40503 + k
            sum = sum * 3 + a / (i * 2 - 101 + k * 128) - a % (k + 3) + (a >> 20) % -7
        out[i] = (sum % 1000000) as f32""",
    "unsigned_divisions": """
        var a = (i + 1) as u64
        var b = (i + 7) as u32
        for k in 0..m:
            a = a * 6364136223846793005 + 1442695040888963407
            b = b * 747796405 + (a % ((i + 3) as u64)) as u32
            a = a / ((b >> 16) as u64 + 1) + (a >> 12) / 1000003
            b = b / ((k + 1) as u32) ^ (b % 77)
        out[i] = ((a % 1000003) as f32) + ((b % 1009) as f32)""",
    "small_divisions": """
        var a = i as i8
        var b = (i * 5) as i16
        for k in 0..m:
            a = (a / 3) + (k as i8) - (b as i8)
            b = b / ((k + 2) as i16) + (a as i16) % 11
        out[i] = (a as f32) + (b as f32)""",
    "bits": """
        var sum: u32 = 0
        for k in 0..m:
            sum = (sum << 1) ^ math.bitcast[u32](x[k * n + i])
        out[i] = math.bitcast[f32](sum >> 9 | 0x3f800000)""",
    "calls": """
        val at = (i * 7) % n
        out[at] = math.sin(x[i]) * math.exp(y[at]) + math.pow(x[at], y[i])""",
    "short_loop": """
        for k in 0..3:
            if k < m: out[i * m + k] = math.cos(x[i] * (k as f32))""",
    "before_the_first": """
        var sum = 0.0
        if i >= 3:
            for k in 0..m:
                sum += x[k * n + i - 3]
        out[i] = sum""",
}
GROUPS = {
    "after_barrier": """
    val tile = gpu.shared[f32](64)
    val me = gpu.local_id()
    var sum = 0.0
    for k in 0..m:
        gpu.barrier()
        tile[me] = x[k * n + i] if i < n else 0.0
        gpu.barrier()
        for j in 0..gpu.local_size():
            sum = sum * 0.5 + tile[j] * (me as f32)
    if i < n: out[i] = sum""",
    "sum_of_group": """
    var sum = 0.0
    for k in gpu.local_id()..n step gpu.local_size():
        sum = math.max(sum, x[k])
    val all = gpu.group_max(sum)
    for k in 0..m:
        if i < n:
            out[k * n + i] = all - x[k * n + i]""",
    "written_after_loop": """
    val tile = gpu.shared[f32](64)
    val me = gpu.local_id()
    var sum = 0.0
    tile[me] = y[i] if i < n else 0.0
    gpu.barrier()
    for k in 0..m:
        sum += tile[(gpu.local_size() - 1)] * (k as f32) + (me as f32)
    gpu.barrier()
    tile[me] = sum
    gpu.barrier()
    if i < n: out[i] = tile[gpu.local_size() - 1 - me]""",
}
TWO_AXES = {
    "product": """
        var sum = 0.0
        for k in 0..m:
            sum += x[row * m + k] * y[k * n + col]
        out[row * n + col] = sum""",
    "product_of_columns": """
        var sum = 0.0
        for k in 0..m:
            if k % 2 == 0: continue
            sum += x[row] * y[k * n + col]
        out[row * n + col] = sum""",
    "wrapped_rows": """
        val at = (row + 1) % n * n + (col + 3) % n
        if x[row] > 0.5:
            out[at] = y[(row + n - 1) % n * n + (col + n - 1) % n]
        elif y[at] > 0.5:
            out[at] = x[math.clamp(at + 1, 0, n * n - 1)]""",
    # Rows that share the loads of y. They begin with numbers of their own, and store before and in the loop.
    "rows": """
        out[row * n + col] = x[row] * 3.0
        var sum = x[row * m]
        var least = y[col]
        for k in 0..m:
            val v = y[k * n + col]
            sum += x[row * m + k] * v
            least = math.min(least, v - (row as f32))
        for k in 0..m:
            least += y[k * n + col] * (k as f32)
        out[row * n + col] += sum + least""",
    "rows_differ": """
        var sum = 0.0
        for k in 0..m + row % 3 - 1:
            sum += x[row] * y[k % m * n + col]
        out[row * n + col] = sum""",
    "rows_write": """
        var sum = 0.0
        for k in 0..m:
            sum += y[k * n + col] + x[k]
            out[row * n + col] = sum * x[row]""",
}
TYPES = ["i8", "u8", "i16", "i32", "u64", "f64", "bool", "f32x2", "f32x4", "f64x2", "i32x4"]

HEAD = """
struct Pair:
    a: f32
    b: f32
    fn with(self, v: f32) -> Pair:
        return Pair(self.a + v, self.b * 0.5 + v)
"""


def source():
    text = HEAD
    parameters = "n: i64, m: i64, x: &[f32], y: &[f32], out: &mut [f32]"
    for name, body in ONE_AXIS.items():
        text += f"#[gpu]\nfn {name}({parameters}):\n    val i = gpu.global_id()\n    if i < n:{body}\n"
    for name, body in GROUPS.items():
        text += f"#[gpu]\nfn {name}({parameters}):\n    val i = gpu.global_id(){body}\n"
    for name, body in TWO_AXES.items():
        text += (f"#[gpu]\nfn {name}({parameters}):\n    val col = gpu.global_id(0)\n    val row = gpu.global_id(1)\n"
                 f"    if row < n and col < n:{body}\n")
    for kind in TYPES:
        change = "(x[k * n + i] != v)" if kind == "bool" else "v * x[k * n + i] + x[k]"
        text += (f"#[gpu]\nfn of_{kind}(n: i64, m: i64, x: &[{kind}], out: &mut [{kind}]):\n    val i = gpu.global_id()\n"
                 f"    if i < n:\n        var v = x[i]\n        for k in 0..m:\n            v = {change}\n"
                 f"            out[k * n + i] = v\n")
        differs = "math.any(x[i] != x[m])" if "x" in kind else "x[i] != x[m]"
        text += (f"#[gpu(block: [16])]\nfn if_{kind}(n: i64, m: i64, x: &[{kind}], out: &mut [{kind}]):\n"
                 f"    val i = gpu.global_id()\n    if i < n and {differs}:\n        out[i] = x[i]\n")
    return text


def launch(kernel, extents, local, n, m, level, arrays, saved):
    line = [SIMPLE, "run", str(FOLDER / "gangs.spl"), "--backend", "cpu", "--kernel", kernel, *level,
            "--global", extents, "--local", local, "--arg", f"n={n}", "--arg", f"m={m}", *arrays,
            "--save", f"out={saved}"]
    done = subprocess.run(line, capture_output=True, text=True)
    assert done.returncode == 0, f"{' '.join(line)}\n{done.stderr}"
    return saved.read_bytes()


def compare(kernel, extents, local, n, m, arrays):
    expected = launch(kernel, extents, local, n, m, ["-O0"], arrays, FOLDER / "expected.npy")
    for level in (["-O2"], ["-O3", "--check", "none"]):
        found = launch(kernel, extents, local, n, m, level, arrays, FOLDER / "found.npy")
        assert found == expected, f"{kernel}, {extents} by {local}, n = {n}, m = {m}, {level}"


def arguments(kind, n, m):
    size = max(n * max(m, n), 1)
    data = "random:3" if kind.startswith(("f", "bool")) else "iota"
    if kind == "f32":
        return ["--arg", f"x=f32[{size}]=random:1", "--arg", f"y=f32[{size}]=random:2", "--arg", f"out=f32[{size}]=7"]
    return ["--arg", f"x={kind}[{size}]={data}", "--arg", f"out={kind}[{size}]"]


FOLDER.mkdir(parents=True, exist_ok=True)
(FOLDER / "gangs.spl").write_text(source(), encoding="utf-8")
SIZES = [(1, 1, "1"), (37, 5, "64"), (129, 0, "50"), (200, 11, "7")]
for name, (count, trips, group) in itertools.product([*ONE_AXIS, *GROUPS], SIZES):
    rounded = -(-count // int(group)) * int(group)
    compare(name, str(rounded), group, count, trips, arguments("f32", count, trips))
# Groups of whole gangs, and rows that are kept and are not.
for name, (count, trips, group) in itertools.product(
        ["wrapped_indices", "wrapped_numbers", "same_in_each_round", "updated_in_each_round"], [(150, 9, "64"), (300, 6, "128")]):
    compare(name, str(-(-count // int(group)) * int(group)), group, count, trips, arguments("f32", count, trips))
for name, (count, trips, group) in itertools.product(TWO_AXES, [(19, 6, "16,4"), (33, 33, "5,3"), (40, 1, "1,1"), (150, 7, "64,7"),
                                                       (70, 2, "70,6")]):
    width, height = (int(extent) for extent in group.split(","))
    rounded = f"{-(-count // width) * width},{-(-count // height) * height}"
    compare(name, rounded, group, count, trips, arguments("f32", count, trips))
for kind, (count, trips, group) in itertools.product(TYPES, [*SIZES[:3], (150, 3, "64")]):
    compare(f"of_{kind}", str(-(-count // int(group)) * int(group)), group, count, trips, arguments(kind, count, trips))
    compare(f"if_{kind}", str(-(-count // 16) * 16), "16", count, 0, arguments(kind, count, trips))
