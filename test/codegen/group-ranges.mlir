// What the code of a group is told on the CPU, after the kernel's own parameters: the ranges of the
// row size, of the position of the group, of the sizes of groups and of the number of groups.
// RUN: simple-opt %s --spl-work-item-loops --spl-to-llvm="target=cpu" | FileCheck %s

// CHECK-LABEL: llvm.func internal @spl.body.k(
// CHECK-SAME: %arg0: i32, %arg1: i64 {llvm.range = #llvm.constant_range<i64, 1, 4611686018427387904>},
// CHECK-SAME: %arg2: !llvm.ptr {llvm.noalias}, %arg3: i64, %arg4: !llvm.ptr,
// CHECK-SAME: %arg5: i64 {llvm.range = #llvm.constant_range<i64, 0, 2147483648>},
// CHECK-SAME: %arg6: i64 {llvm.range = #llvm.constant_range<i64, 0, 2147483648>},
// CHECK-SAME: %arg7: i64 {llvm.range = #llvm.constant_range<i64, 0, 2147483648>},
// CHECK-SAME: %arg8: i64 {llvm.range = #llvm.constant_range<i64, 1, 2147483648>},
// CHECK-SAME: %arg9: i64 {llvm.range = #llvm.constant_range<i64, 1, 2147483648>},
// CHECK-SAME: %arg10: i64 {llvm.range = #llvm.constant_range<i64, 1, 2147483648>},
// CHECK-SAME: %arg11: i64 {llvm.range = #llvm.constant_range<i64, 1, 2147483648>},
// CHECK-SAME: %arg12: i64 {llvm.range = #llvm.constant_range<i64, 1, 2147483648>},
// CHECK-SAME: %arg13: i64 {llvm.range = #llvm.constant_range<i64, 1, 2147483648>})
spl.kernel @k(%n: i32) attributes {signature = #spl.signature<"k(n: i32)">} {
  spl.return
}
