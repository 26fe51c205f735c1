# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Prints a file with 20 kernels, which share functions, tables and shared memory."""

print("""#[noinline]
fn halved(x: f64) -> f64:
    return 0.5 * x
""")
for table in range(10):
    print(f"const TABLE{table}: [f64; 3] = [{table}.0, 1.0, {table}.5]")
for number in range(20):
    value = "halved(2.0 * y)" if number in (3, 17) else "y"
    print(f"""
#[gpu]
fn k{number}(x: &[f64], at: &[i32], out: &mut [f64]):
    val i = gpu.global_id()
    val own = gpu.shared_dyn[f64]()
    val tile = gpu.shared[f64](64)
    tile[gpu.local_id()] = {number}.0 + 1.0
    own[gpu.local_id()] = 1.0
    gpu.barrier()
    val j = at[i]
    val y = x[j] * TABLE{number // 2}[j % 2 + 1]
    print "kernel {number}: {{j}}"
    out[i] = math.sin({value}) + tile[1 - gpu.local_id()] + own[0] + j as f64""")
