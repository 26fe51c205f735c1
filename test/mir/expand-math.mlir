// RUN: simple-opt %s -split-input-file -spl-expand-for=target=cpu | FileCheck %s
// RUN: simple-opt %s -split-input-file -spl-expand-for=target=sm_75 | FileCheck %s --check-prefix=PTX

// An expansion uses intrinsics that the target has: acosh becomes log1p, and log1p a library call.
// CHECK-LABEL: spl.func @nested(
// CHECK-NOT: "math.{{acosh|log1p}}"
// CHECK-DAG: spl.intrinsic "math.log"(%{{.*}}) : (f64) -> f64
// CHECK-DAG: spl.intrinsic "op.log1p"(%{{.*}}) : (f64) -> f64
// PTX-LABEL: spl.func @nested(
// PTX-NEXT: spl.intrinsic "math.acosh"(%{{.*}}) : (f64) -> f64
spl.func @nested(%x: f64) -> f64 {
  %r = spl.intrinsic "math.acosh"(%x) : (f64) -> f64
  spl.return %r : f64
}

// -----

// CHECK-LABEL: spl.func @gamma(
// CHECK: spl.intrinsic "op.tgamma"(%{{.*}}) : (f64) -> f64
// CHECK: spl.intrinsic "op.lgamma"(%{{.*}}) : (f64) -> f64
spl.func @gamma(%x: f64) -> f64 {
  %t = spl.intrinsic "math.tgamma"(%x) : (f64) -> f64
  %l = spl.intrinsic "math.lgamma"(%t) : (f64) -> f64
  spl.return %l : f64
}

// -----

// Vectors are computed lane by lane.
// CHECK-LABEL: spl.func @lanes(
// CHECK: %[[ABS:.*]] = spl.intrinsic "math.abs"(%{{.*}}) : (vector<4xf32>) -> vector<4xf32>
// CHECK: %[[INF:.*]] = arith.constant dense<0x7F800000> : vector<4xf32>
// CHECK: arith.cmpf oeq, %[[ABS]], %[[INF]] : vector<4xf32>
// CHECK: spl.return %{{.*}} : vector<4xi1>
spl.func @lanes(%x: vector<4xf32>) -> vector<4xi1> {
  %r = spl.intrinsic "math.isinf"(%x) : (vector<4xf32>) -> vector<4xi1>
  spl.return %r : vector<4xi1>
}

// -----

// CHECK-LABEL: spl.func @two_results(
// CHECK-NEXT: %[[SIN:.*]] = spl.intrinsic "math.sin"(%[[X:.*]]) : (f32) -> f32
// CHECK-NEXT: %[[COS:.*]] = spl.intrinsic "math.cos"(%[[X]]) : (f32) -> f32
// CHECK-NEXT: arith.addf %[[SIN]], %[[COS]]
spl.func @two_results(%x: f32) -> f32 {
  %s, %c = spl.intrinsic "math.sincos"(%x) : (f32) -> (f32, f32)
  %sum = arith.addf %s, %c : f32
  spl.return %sum : f32
}

// -----

// 16-bit floats are computed in f32 and rounded once.
// CHECK-LABEL: spl.func @half(
// CHECK-NEXT: %[[WIDE:.*]] = arith.extf %{{.*}} : vector<8xf16> to vector<8xf32>
// CHECK-NEXT: %[[EXP:.*]] = spl.intrinsic "math.exp"(%[[WIDE]]) : (vector<8xf32>) -> vector<8xf32>
// CHECK-NEXT: arith.truncf %[[EXP]] : vector<8xf32> to vector<8xf16>
// PTX-LABEL: spl.func @half(
// PTX: spl.intrinsic "math.exp"(%{{.*}}) : (vector<8xf32>) -> vector<8xf32>
spl.func @half(%x: vector<8xf16>) -> vector<8xf16> {
  %r = spl.intrinsic "math.exp"(%x) : (vector<8xf16>) -> vector<8xf16>
  spl.return %r : vector<8xf16>
}

// -----

// A result that is no 16-bit float is not rounded. Composed functions are composed in f32.
// CHECK-LABEL: spl.func @half_class(
// CHECK: arith.cmpf uno, %{{.*}} : f32
// CHECK: %[[ROOT:.*]] = arith.divf %{{.*}} : f32
// CHECK: arith.truncf %[[ROOT]] : f32 to bf16
spl.func @half_class(%x: bf16) -> bf16 {
  %n = spl.intrinsic "math.isnan"(%x) : (bf16) -> i1
  %r = spl.intrinsic "math.rsqrt"(%x) : (bf16) -> bf16
  %b = arith.select %n, %x, %r : bf16
  spl.return %b : bf16
}

// -----

// spl-emulate-float16 lowers fma of 16-bit floats. The sign of a NaN is that of its bits before widening.
// CHECK-LABEL: spl.func @half_bits(
// CHECK-NEXT: %[[FMA:.*]] = spl.intrinsic "math.fma"(%{{.*}}) : (bf16, bf16, bf16) -> bf16
// CHECK-NEXT: %[[BITS:.*]] = arith.bitcast %[[FMA]] : bf16 to i16
// CHECK-NEXT: %[[MASK:.*]] = arith.constant 32767 : i16
// CHECK-NEXT: arith.andi %[[BITS]], %[[MASK]] : i16
// CHECK: arith.cmpi slt, %{{.*}} : i16
// CHECK-NOT: f32
spl.func @half_bits(%a: bf16, %b: bf16, %c: bf16) -> bf16 {
  %f = spl.intrinsic "math.fma"(%a, %b, %c) : (bf16, bf16, bf16) -> bf16
  %s = spl.intrinsic "math.copysign"(%f, %b) : (bf16, bf16) -> bf16
  %n = spl.intrinsic "math.signbit"(%c) : (bf16) -> i1
  %r = arith.select %n, %s, %a : bf16
  spl.return %r : bf16
}

// -----

// The same for sums over a warp or group.
// CHECK-LABEL: spl.func @half_sums(
// CHECK: spl.intrinsic "gpu.warp_scan"(%{{.*}}) {exclusive} : (vector<8xf32>) -> vector<8xf32>
// CHECK: arith.truncf %{{.*}} : vector<8xf32> to vector<8xf16>
// CHECK: spl.intrinsic "gpu.shuffle_up"(%{{.*}}) : (vector<8xf16>, i64) -> vector<8xf16>
spl.func @half_sums(%v: vector<8xf16>, %d: i64) -> vector<8xf16> {
  %s = spl.intrinsic "gpu.warp_scan"(%v) {exclusive} : (vector<8xf16>) -> vector<8xf16>
  %u = spl.intrinsic "gpu.shuffle_up"(%s, %d) : (vector<8xf16>, i64) -> vector<8xf16>
  spl.return %u : vector<8xf16>
}

// -----

// A count of another width.
// CHECK-LABEL: spl.func @rotated(
// CHECK: arith.extui %{{.*}} : i8 to i32
// CHECK: arith.shli
// CHECK: arith.shrui
// CHECK: arith.ori
spl.func @rotated(%x: i32, %n: i8) -> i32 {
  %r = spl.intrinsic "math.rotl"(%x, %n) : (i32, i8) -> i32
  spl.return %r : i32
}

// -----

// CHECK-LABEL: spl.func @vectors(
// CHECK: %[[FIRST:.*]] = arith.mulf %{{.*}}, %{{.*}} : f64
// CHECK: %[[SUM:.*]] = spl.intrinsic "math.fma"(%{{.*}}, %{{.*}}, %[[FIRST]])
// CHECK: %[[LENGTH:.*]] = spl.intrinsic "math.sqrt"(%[[SUM]]) : (f64) -> f64
// CHECK: %[[ALL:.*]] = vector.broadcast %[[LENGTH]] : f64 to vector<2xf64>
// CHECK: arith.divf %{{.*}}, %[[ALL]] : vector<2xf64>
spl.func @vectors(%v: vector<2xf64>) -> vector<2xf64> {
  %r = spl.intrinsic "math.normalize"(%v) : (vector<2xf64>) -> vector<2xf64>
  spl.return %r : vector<2xf64>
}

// -----

// CHECK-LABEL: spl.func @cross(
// CHECK: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
// CHECK: vector.from_elements %{{.*}}, %{{.*}}, %{{.*}}, %[[ZERO]] : vector<4xf32>
// CHECK: arith.truncf %{{.*}} : vector<4xf32> to vector<4xf16>
spl.func @cross(%a: vector<4xf16>, %b: vector<4xf16>) -> vector<4xf16> {
  %r = spl.intrinsic "math.cross"(%a, %b) : (vector<4xf16>, vector<4xf16>) -> vector<4xf16>
  spl.return %r : vector<4xf16>
}

// -----

// CHECK-LABEL: spl.func @masks(
// CHECK-COUNT-3: arith.andi
// CHECK-COUNT-3: arith.ori
spl.func @masks(%m: vector<4xi1>) -> i1 {
  %all = spl.intrinsic "math.all"(%m) : (vector<4xi1>) -> i1
  %any = spl.intrinsic "math.any"(%m) : (vector<4xi1>) -> i1
  %both = arith.xori %all, %any : i1
  spl.return %both : i1
}
