# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# RUN: %python %s > %t.spl
# RUN: simple compile %t.spl --target sm_80 --emit mir-final -o %t.parts 2> %t.warnings
# RUN: simple compile %t.spl --target sm_80 --emit mir-final --time-passes -o %t.whole 2> /dev/null
# RUN: cmp %t.parts %t.whole
# RUN: simple compile %t.spl --target cpu --emit mir-final -o %t.cpu-parts 2> /dev/null
# RUN: simple compile %t.spl --target cpu --emit mir-final --time-passes -o %t.cpu-whole 2> /dev/null
# RUN: cmp %t.cpu-parts %t.cpu-whole
# RUN: FileCheck %s --input-file=%t.parts
# RUN: FileCheck %s --input-file=%t.warnings --check-prefix=WARNING
"""Prints a file whose MIR goes through the passes in parts, on several threads (codegen/Pipeline.cpp). The result is that
of the passes on the whole module, which they run on with --time-passes."""
# END.

# No two kernels have shared memory of the same name.
# CHECK: spl.shared "k0$group{{[0-9]+}}"[33] : <i32
# CHECK: spl.shared "k1$group{{[0-9]+}}"[33] : <f64
# CHECK: spl.shared "k11$group{{[0-9]+}}"[33] : <f64

# The warnings of all parts are in the order of the source.
# WARNING: .spl:8:5: warning
# WARNING: .spl:18:5: warning
# WARNING: .spl:28:5: warning
# WARNING-COUNT-8: warning
# WARNING: .spl:118:5: warning

for number in range(12):
    element = "f64" if number % 2 else "i32"
    print(f"""
#[gpu]
fn k{number}(x: &[{element}], flag: &mut [i32], out: &mut [{element}]):
    var sum: {element} = 0 as {element}
    for i in gpu.grid_stride(x.len()):
        sum += x[i] + out[i]
    out[gpu.group_id()] = gpu.group_sum(sum)
    while gpu.atomic_load(&flag[0]) == 0:
        sum += 1 as {element}
""")
