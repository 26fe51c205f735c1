// The condition that sizes fit in 32 bits, and the versions for launches that meet it.
// RUN: simple-opt %s -spl-small-sizes | FileCheck %s
// RUN: simple-opt %s -spl-small-sizes=add-contracts | FileCheck %s --check-prefix=ADD
// RUN: simple compile %examples/vector_add.spl --emit mir-final --target sm_80 | FileCheck %s --check-prefix=TARGET
// RUN: simple compile %examples/vector_add.spl --emit mir-final --target sm_80 -O 1 | FileCheck %s --check-prefix=NONE --implicit-check-not=small_sizes
// RUN: simple compile %examples/vector_add.spl --emit mir-final --target sm_80 --no-contracts | FileCheck %s --check-prefix=NONE --implicit-check-not=small_sizes
// RUN: simple compile %examples/vector_add.spl --emit mir-final --target cpu | FileCheck %s --check-prefix=NONE --implicit-check-not=small_sizes

// TARGET: unchecked if {{.*}} and max(a.len(), b.len(), out.len(), gpu.global_size(0)) <= 2000000000">
// TARGET: spl.kernel @vector_add$unchecked({{.*}} spl.small_sizes
// NONE: spl.kernel @vector_add

// A slice of rank 2 has its extents and their product, which is 0 if one extent is. A slice that
// the kernel does not use has no sizes.
// CHECK-LABEL: spl.kernel @one_group(
// CHECK-SAME: unchecked if 3 <= a.len() and max(a.len(), m.dim(0), m.dim(1), m.dim(0) * m.dim(1), gpu.global_size(0)) <= 2000000000">
// CHECK-NOT: spl.small_sizes
// CHECK: spl.kernel @one_group$unchecked(
// CHECK-SAME: spl.small_sizes
spl.kernel @one_group(%a: !spl.slice<f32> {spl.name = "a"}, %m: !spl.slice<f32, rank 2> {spl.name = "m"},
                      %unused: !spl.slice<f32> {spl.name = "unused"})
    attributes {signature = #spl.signature<"one_group(a: &[f32], m: &[f32, 2], unused: &[f32]) unchecked if 3 <= a.len()">} {
  %n = spl.extent %a, 0 : <f32>
  %r = spl.extent %m, 0 : <f32, rank 2>
  spl.return
}
spl.kernel @one_group$unchecked(%a: !spl.slice<f32> {spl.name = "a"}, %m: !spl.slice<f32, rank 2> {spl.name = "m"},
                                %unused: !spl.slice<f32> {spl.name = "unused"})
    attributes {signature = #spl.signature<"one_group(a: &[f32], m: &[f32, 2], unused: &[f32])">, spl.version = 1 : i64} {
  spl.return
}

// The condition is in the last group. A launch that does not meet this group may have large sizes.
// CHECK-LABEL: spl.kernel @two_groups(
// CHECK-SAME: unchecked if 3 <= a.len() and if 3 <= b.len() and max(a.len(), b.len(), gpu.global_size(0)) <= 2000000000">
// CHECK: spl.kernel @two_groups$unchecked(
// CHECK-SAME: spl.small_sizes
// CHECK: spl.kernel @two_groups$unmet1(
// CHECK-SAME: spl.small_sizes
// CHECK: spl.kernel @two_groups$unmet2(
// CHECK-NOT: spl.small_sizes
// CHECK: spl.return
spl.kernel @two_groups(%a: !spl.slice<f32> {spl.name = "a"}, %b: !spl.slice<f32> {spl.name = "b"})
    attributes {signature = #spl.signature<"two_groups(a: &[f32], b: &[f32]) unchecked if 3 <= a.len() and if 3 <= b.len()">} {
  %n = spl.extent %a, 0 : <f32>
  %m = spl.extent %b, 0 : <f32>
  spl.return
}
spl.kernel @two_groups$unchecked(%a: !spl.slice<f32> {spl.name = "a"}, %b: !spl.slice<f32> {spl.name = "b"})
    attributes {signature = #spl.signature<"two_groups(a: &[f32], b: &[f32])">, spl.version = 1 : i64} {
  spl.return
}
spl.kernel @two_groups$unmet1(%a: !spl.slice<f32> {spl.name = "a"}, %b: !spl.slice<f32> {spl.name = "b"})
    attributes {signature = #spl.signature<"two_groups(a: &[f32], b: &[f32])">, spl.version = 2 : i64} {
  spl.return
}
spl.kernel @two_groups$unmet2(%a: !spl.slice<f32> {spl.name = "a"}, %b: !spl.slice<f32> {spl.name = "b"})
    attributes {signature = #spl.signature<"two_groups(a: &[f32], b: &[f32])">, spl.version = 3 : i64} {
  spl.return
}

// CHECK-LABEL: spl.kernel @without_contract(
// CHECK-NOT: unchecked
// CHECK: spl.return
// ADD-LABEL: spl.kernel @without_contract(
// ADD-SAME: unchecked if max(a.len(), gpu.global_size(0)) <= 2000000000">
// ADD: spl.kernel @without_contract$unchecked(
// ADD-SAME: spl.small_sizes, spl.version = 1
spl.kernel @without_contract(%a: !spl.slice<f32> {spl.name = "a"})
    attributes {signature = #spl.signature<"without_contract(a: &[f32])">} {
  %n = spl.extent %a, 0 : <f32>
  spl.return
}

// A launch does not know the length of this slice, because the signature has no parameter of its
// name.
// ADD-LABEL: spl.kernel @unknown_slice(
// ADD-NOT: unchecked
// ADD: spl.return
spl.kernel @unknown_slice(%a: !spl.slice<f32> {spl.name = "other"})
    attributes {signature = #spl.signature<"unknown_slice(a: &[f32])">} {
  %n = spl.extent %a, 0 : <f32>
  spl.return
}

// ADD-LABEL: spl.kernel @without_slices(
// ADD-NOT: unchecked
// ADD: spl.return
spl.kernel @without_slices(%n: i64 {spl.name = "n"})
    attributes {signature = #spl.signature<"without_slices(n: i64)">} {
  spl.return
}

// ADD-LABEL: spl.kernel @three_axes(
// ADD-SAME: unchecked if max(a.dim(0), a.dim(1), a.dim(2), a.dim(0) * a.dim(1) * a.dim(2), gpu.global_size(0)) <= 2000000000">
spl.kernel @three_axes(%a: !spl.slice<f32, rank 3> {spl.name = "a"})
    attributes {signature = #spl.signature<"three_axes(a: &[f32, 3])">} {
  %n = spl.extent %a, 0 : <f32, rank 3>
  spl.return
}

// A struct that is passed by value is a slice of one element.
// ADD-LABEL: spl.kernel @by_value(
// ADD-NOT: unchecked
// ADD: spl.return
spl.kernel @by_value(%p: !spl.slice<!spl.struct<i32>> {spl.name = "p", spl.by_value})
    attributes {signature = #spl.signature<"struct P(x: i32) by_value(p: P)">} {
  %n = spl.extent %p, 0 : <!spl.struct<i32>>
  spl.return
}
