# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""call-chain.py LENGTH TIMES: writes a chain of functions, each of which calls the previous one TIMES times."""
import sys

length, times = int(sys.argv[1]), int(sys.argv[2])


def calls(callee):
    for i in range(times):
        operand = "%n" if i == 0 else f"%{i - 1}"
        print(f"  %{i} = spl.call @{callee}({operand}) : (i32) -> i32")


print("spl.func private @f0(%n: i32) -> i32 {")
print("  %0 = arith.addi %n, %n : i32")
print("  spl.return %0 : i32\n}")
for level in range(1, length):
    print(f"spl.func private @f{level}(%n: i32) -> i32 {{")
    calls(f"f{level - 1}")
    print(f"  spl.return %{times - 1} : i32\n}}")
print('spl.kernel @chain(%n: i32) attributes {signature = #spl.signature<"chain(n: i32)">} {')
calls(f"f{length - 1}")
print("  spl.return\n}")
