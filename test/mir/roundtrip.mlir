// MIR that is printed, parsed and printed again is the same, in its own syntax and in the generic one.
// RUN: simple-opt %s | FileCheck %s
// RUN: simple-opt %s -mlir-print-debuginfo > %t.once
// RUN: simple-opt %t.once -mlir-print-debuginfo > %t.twice
// RUN: diff %t.once %t.twice
// RUN: simple-opt %s -mlir-print-op-generic -mlir-print-debuginfo > %t.generic
// RUN: simple-opt %t.generic -mlir-print-debuginfo > %t.back
// RUN: diff %t.once %t.back

// CHECK-LABEL: spl.kernel @types(
// CHECK-SAME: %a: !spl.slice<f32> {spl.name = "a"},
// CHECK-SAME: %arg0: !spl.slice<i1, mut>, %arg1: !spl.slice<f64, rank 2>,
// CHECK-SAME: %arg2: !spl.slice<i8, mut, rank 4>, %n: i64 {spl.name = "n"}, %arg3: i1)
// CHECK-SAME{LITERAL}: attributes {signature = #spl.signature<"struct P(x: [f32; 2], on: bool) enum E(A = -1) #[gpu(block: [8, 8])] types(#[alias] a: &[f32], p: P, e: E) unchecked if min(e, (a.len() - 1) / 2) <= -gpu.num_groups(1) and 0 <= a.dim(0)">} {
// CHECK-NEXT: spl.return
spl.kernel @types(%a: !spl.slice<f32> {spl.name = "a"}, %b: !spl.slice<i1, mut>,
                  %c: !spl.slice<f64, rank 2>, %d: !spl.slice<i8, mut, rank 4>,
                  %n: i64 {spl.name = "n"}, %e: i1)
    attributes {signature = #spl.signature<"struct P(x: [f32;2], on: bool)enum E(A = -1) #[gpu(block: [8, 8])] types(#[alias] a: &[f32], p: P, e: E) unchecked if min(e,(a.len()-1) / 2)<=-gpu.num_groups(1) and 0 <= a.dim(0)">} {
  spl.return
}

// CHECK-LABEL: spl.func private @twice(%x: f32 {spl.name = "x"}) -> f32 {
// CHECK: spl.return %{{.*}} : f32
spl.func private @twice(%x: f32 {spl.name = "x"}) -> f32 {
  %sum = arith.addf %x, %x : f32
  spl.return %sum : f32
}

// CHECK-LABEL: spl.func @nothing() {
spl.func @nothing() {
  spl.return
}

// CHECK-LABEL: spl.kernel @operations(
spl.kernel @operations(%src: !spl.slice<f32, mut>, %dst: !spl.slice<f32, mut, rank 2>)
    attributes {signature = #spl.signature<"operations(src: &mut [f32], dst: &mut [f32, 2])">} {
  // CHECK: %[[ID:.*]] = spl.intrinsic "gpu.global_id" axis 2 : () -> i64
  %id = spl.intrinsic "gpu.global_id" axis 2 : () -> i64
  // CHECK: %[[VIEW:.*]] = spl.read_only %[[SRC:.*]] : <f32, mut> -> <f32>
  %view = spl.read_only %src : !spl.slice<f32, mut> -> !spl.slice<f32>
  // CHECK: %[[N:.*]] = spl.extent %[[VIEW]], 0 : <f32>
  %n = spl.extent %view, 0 : !spl.slice<f32>
  %inside = arith.cmpi ult, %id, %n : i64
  // CHECK: spl.check %[[IN:.*]], <"index-out-of-bounds">(%[[ID]], %[[N]]) {subject = "src"}
  spl.check %inside, <"index-out-of-bounds">(%id, %n) {subject = "src"}
  // CHECK: spl.check %[[IN]], <"index-out-of-bounds">(%[[ID]], %[[N]]) work_item(%[[ID]], %[[N]], %[[ID]])
  spl.check %inside, <"index-out-of-bounds">(%id, %n) work_item(%id, %n, %id)
  // CHECK: spl.check %[[IN]], <"division-by-zero">{{$}}
  spl.check %inside, <"division-by-zero">
  // CHECK: spl.check %[[IN]], <trap>{{$}}
  spl.check %inside, <trap>
  // CHECK: spl.check %[[IN]], <"negative-exponent">(%[[ID]])
  spl.check %inside, <"negative-exponent">(%id)
  // CHECK: %[[X:.*]] = spl.load %[[VIEW]][%[[ID]]] : <f32>
  %x = spl.load %view[%id] : !spl.slice<f32>
  // CHECK: %[[Y:.*]] = spl.load %[[SRC]][%[[ID]]] {unchecked} : <f32, mut>
  %y = spl.load %src[%id] {unchecked} : <f32, mut>
  // CHECK: %[[MAX:.*]] = spl.intrinsic "math.max"(%[[X]], %[[Y]]) : (f32, f32) -> f32
  %max = spl.intrinsic "math.max"(%x, %y) : (f32, f32) -> f32
  // CHECK: spl.print ["x = ", ", y = ", ""](%[[ID]], %[[Y]]) "if" [-1, 3] : i64, f32
  spl.print ["x = ", ", y = ", ""](%id, %y) "if" [-1, 3] : i64, f32
  // CHECK: spl.print ["text"]() "" [] {isMessage}
  spl.print ["text"]() "" [] {isMessage}
  // CHECK: %[[INT:.*]] = spl.float_to_int %[[MAX]] : f32 to i32
  %int = spl.float_to_int %max : f32 to i32
  // CHECK: spl.float_to_int %[[MAX]] {isUnsigned} : f32 to i8
  %byte = spl.float_to_int %max {isUnsigned} : f32 to i8
  // CHECK: spl.intrinsic "math.min"(%[[INT]], %[[INT]]) {isUnsigned} : (i32, i32) -> i32
  %min = spl.intrinsic "math.min"(%int, %int) {isUnsigned} : (i32, i32) -> i32
  // CHECK: %[[TWICE:.*]] = spl.call @twice(%[[X]]) : (f32) -> f32
  %twice = spl.call @twice(%x) : (f32) -> f32
  // CHECK: spl.call @nothing() : () -> ()
  spl.call @nothing() : () -> ()
  // CHECK: spl.store %[[TWICE]], %[[DST:.*]][%[[ID]], %[[N]]] : <f32, mut, rank 2>
  spl.store %twice, %dst[%id, %n] : !spl.slice<f32, mut, rank 2>
  // CHECK: spl.return
  spl.return
}

// CHECK-LABEL: spl.func private @lanes(
spl.func private @lanes(%a: !spl.slice<vector<2xf32>, mut, rank 2>, %b: !spl.slice<i8, mut>, %i: i64, %at: vector<8xi64>, %m: vector<8xi1>) {
  // CHECK: spl.load_lanes %{{.*}}[%{{.*}}] mask(%{{.*}}) : <i8, mut>, vector<8xi1> -> vector<8xi8>
  %v = spl.load_lanes %b[%i] mask(%m) : !spl.slice<i8, mut>, vector<8xi1> -> vector<8xi8>
  // CHECK: spl.prefetch %{{.*}}[%{{.*}}] : <i8, mut>
  spl.prefetch %b[%i] : !spl.slice<i8, mut>
  // CHECK: spl.scatter_lanes %{{.*}}, %{{.*}}[%{{.*}}] : vector<8xi8>, <i8, mut>[vector<8xi64>]
  spl.scatter_lanes %v, %b[%at] : vector<8xi8>, !spl.slice<i8, mut>[vector<8xi64>]
  // CHECK: spl.gather_lanes %{{.*}}[%{{.*}}, %{{.*}}] mask(%{{.*}}) component 1 : <vector<2xf32>, mut, rank 2>[i64, vector<8xi64>], vector<8xi1> -> vector<8xf32>
  %w = spl.gather_lanes %a[%i, %at] mask(%m) component 1 : !spl.slice<vector<2xf32>, mut, rank 2>[i64, vector<8xi64>], vector<8xi1> -> vector<8xf32>
  spl.return
}
