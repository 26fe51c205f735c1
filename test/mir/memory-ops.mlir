// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs, arrays, vectors, views, atomics, and local, shared and constant memory.
// RUN: simple-opt %s | simple-opt | FileCheck %s
!p = !spl.struct<vector<4xf32>, f32, !spl.array<3 x i32>>
spl.kernel @k(%ps: !spl.slice<!p, mut>, %m: !spl.slice<f32, mut, rank 2>, %h: !spl.slice<f16>, %s: !spl.slice<!spl.struct<f32, i1>> {spl.by_value}) attributes {signature = #spl.signature<"k()">} {
  %c0 = arith.constant 0 : i64
  // CHECK: spl.part %{{.*}} field 0
  %pos = spl.part %ps[%c0] field 0 : !spl.slice<!p, mut> -> !spl.slice<vector<4xf32>, mut>
  %lanes = spl.part %pos[%c0] : !spl.slice<vector<4xf32>, mut> -> !spl.slice<f32, mut>
  // CHECK: spl.part %{{.*}}[%{{.*}}, %{{.*}}] : <f32, mut, rank 2> -> <f32, mut>
  %one = spl.part %m[%c0, %c0] : !spl.slice<f32, mut, rank 2> -> !spl.slice<f32, mut>
  // CHECK: spl.row
  %row = spl.row %m[%c0] : !spl.slice<f32, mut, rank 2> -> !spl.slice<f32, mut>
  // CHECK: spl.subslice %{{.*}}[%{{.*}} to %{{.*}}]
  %sub = spl.subslice %row[%c0 to %c0] : !spl.slice<f32, mut>
  %l = spl.local 1 : !spl.slice<!p, mut>
  // CHECK: spl.copy
  spl.copy %ps[%c0], %l[%c0] : !spl.slice<!p, mut>, !spl.slice<!p, mut>
  // CHECK: spl.shared "tile"[16, 17] : <f32, mut, rank 2>
  %t = spl.shared "tile"[16, 17] : !spl.slice<f32, mut, rank 2>
  %d = spl.shared_dyn %c0 : !spl.slice<i32, mut>
  // CHECK: spl.constant_data [2.500000e-01 : f32, 5.000000e-01 : f32]
  %w = spl.constant_data [0.25 : f32, 0.5 : f32] : !spl.slice<f32>
  %v = spl.load %d[%c0] : !spl.slice<i32, mut>
  // CHECK: spl.atomic{{ *}}add %{{.*}} (%{{.*}}) {{ *}}relaxed {{ *}}device
  %old = spl.atomic add %d[%c0](%v) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  // CHECK: spl.atomic{{ *}}load %{{.*}}] {{ *}}acquire {{ *}}system
  %now = spl.atomic load %d[%c0] acquire system : !spl.slice<i32, mut>, () -> i32
  spl.atomic store %d[%c0](%v) release group : !spl.slice<i32, mut>, (i32) -> ()
  %f = spl.load %lanes[%c0] : !spl.slice<f32, mut>
  %i = spl.float_to_int %f : f32 to i32
  spl.return
}
