// RUN: simple-opt %s -split-input-file -spl-emulate-float16="f16=conversions bf16=none" | FileCheck %s --check-prefixes=CHECK,CPU
// RUN: simple-opt %s -split-input-file -spl-emulate-float16="f16=atomics bf16=arithmetic" | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: simple-opt %s -split-input-file -spl-emulate-float16="f16=none bf16=atomics" | FileCheck %s --check-prefixes=CHECK,OLD

// Computed in f32 and rounded once, with the same fast-math flags.
// CHECK-LABEL: spl.func @sum(
// CPU-NEXT: %[[A:.*]] = arith.extf %arg0 : f16 to f32
// CPU-NEXT: %[[B:.*]] = arith.extf %arg1 : f16 to f32
// CPU-NEXT: %[[S:.*]] = arith.addf %[[A]], %[[B]] fastmath<contract> : f32
// CPU-NEXT: %[[R:.*]] = arith.truncf %[[S]] : f32 to f16
// CPU-NEXT: spl.return %[[R]] : f16
// GPU-NEXT: arith.addf %{{.*}} fastmath<contract> : f16
// OLD-SAME: %arg0: i16, %arg1: i16) -> i16
// OLD-NOT: f16
// OLD: arith.subf %{{.*}}, %{{.*}} : f32
// OLD: arith.addf %{{.*}}, %{{.*}} fastmath<contract> : f32
// OLD: spl.return %{{.*}} : i16
spl.func @sum(%a: f16, %b: f16) -> f16 {
  %r = arith.addf %a, %b fastmath<contract> : f16
  spl.return %r : f16
}

// -----

// bf16 is the upper half of f32. The lower half decides the rounding.
// CHECK-LABEL: spl.func @quotient(
// CPU-SAME: %arg0: vector<8xi16>, %arg1: vector<8xi16>) -> vector<8xi16>
// CPU: %[[WIDE:.*]] = arith.extui %{{.*}} : vector<8xi16> to vector<8xi32>
// CPU-NEXT: %[[C:.*]] = arith.constant dense<16> : vector<8xi32>
// CPU-NEXT: arith.shli %[[WIDE]], %[[C]]
// CPU: %[[Q:.*]] = arith.divf %{{.*}} : vector<8xf32>
// CPU: %[[NAN:.*]] = arith.cmpf uno, %[[Q]], %[[Q]] : vector<8xf32>
// CPU: arith.select %[[NAN]]
// CPU-NOT: bf16
// CPU: spl.return %{{.*}} : vector<8xi16>
// GPU-NEXT: arith.divf %{{.*}} : vector<8xbf16>
// OLD-NEXT: arith.divf %{{.*}} : vector<8xbf16>
spl.func @quotient(%a: vector<8xbf16>, %b: vector<8xbf16>) -> vector<8xbf16> {
  %r = arith.divf %a, %b : vector<8xbf16>
  spl.return %r : vector<8xbf16>
}

// -----

// In f64 the product is exact. For bf16 the rounding error of the sum makes the f32 odd.
// CHECK-LABEL: spl.func @fused(
// CPU: arith.mulf %{{.*}} : f64
// CPU: %[[SUM:.*]] = arith.addf %{{.*}} : f64
// CPU-NEXT: %[[SHORT:.*]] = arith.truncf %[[SUM]] : f64 to f32
// CPU: arith.truncf %{{.*}} : f32 to f16
// CPU: %[[SUM:.*]] = arith.addf %{{.*}} : f64
// CPU: %[[MISSING:.*]] = arith.addf %{{.*}} : f64
// CPU-NEXT: %[[SINGLE:.*]] = arith.truncf %[[SUM]] : f64 to f32
// CPU-NEXT: %[[BACK:.*]] = arith.extf %[[SINGLE]] : f32 to f64
// CPU-NEXT: %[[ERROR:.*]] = arith.subf %[[SUM]], %[[BACK]] : f64
// CPU-NEXT: arith.addf %[[ERROR]], %[[MISSING]] : f64
// GPU-NEXT: math.fma %{{.*}} : f16
// GPU-NEXT: spl.intrinsic "math.fma"(%{{.*}}) : (bf16, bf16, bf16) -> bf16
spl.func @fused(%a: f16, %b: bf16) -> bf16 {
  %f = math.fma %a, %a, %a : f16
  %g = spl.intrinsic "math.fma"(%b, %b, %b) : (bf16, bf16, bf16) -> bf16
  %c = arith.cmpf olt, %f, %f : f16
  %r = arith.select %c, %b, %g : bf16
  spl.return %r : bf16
}

// -----

// f64 is rounded once. Integers that f32 cannot represent keep one bit for the lost bits.
// CHECK-LABEL: spl.func @narrowed(
// CPU: arith.truncf %arg0 : f64 to f32
// GPU-NEXT: arith.truncf %arg0 : f64 to f16
// GPU: arith.truncf %arg0 : f64 to f32
// GPU: arith.truncf %{{.*}} : f32 to bf16
// CHECK: %[[LOW:.*]] = arith.constant 2047 : i64
// CHECK-NEXT: arith.andi %arg1, %[[LOW]] : i64
// CHECK: arith.sitofp %{{.*}} : i64 to f64
// CHECK: %[[LOW:.*]] = arith.constant 255 : i32
// CHECK-NEXT: arith.andi %arg2, %[[LOW]] : i32
// CHECK: arith.uitofp %{{.*}} : i32 to f32
// An integer that is too large for f16 becomes infinity by a selection, because LLVM may drop the conversion.
// CHECK: %[[SINGLE:.*]] = arith.sitofp %arg1 : i64 to f32
// CHECK: %[[SMALL:.*]] = arith.cmpi sle, %arg1, %{{.*}} : i64
// CHECK: %[[LEAST:.*]] = arith.select %[[SMALL]], %{{.*}}, %{{.*}} :
// CHECK: %[[LARGE:.*]] = arith.cmpi sge, %arg1, %{{.*}} : i64
// CHECK: arith.select %[[LARGE]], %{{.*}}, %[[LEAST]] :
spl.func @narrowed(%x: f64, %i: i64, %u: i32, %f: !spl.slice<f16, mut>, %b: !spl.slice<bf16, mut>) {
  %0 = arith.truncf %x : f64 to f16
  %1 = arith.truncf %x : f64 to bf16
  %2 = arith.sitofp %i : i64 to bf16
  %3 = arith.uitofp %u : i32 to bf16
  %4 = arith.sitofp %i : i64 to f16
  spl.store %0, %f[%i] : !spl.slice<f16, mut>
  spl.store %1, %b[%i] : !spl.slice<bf16, mut>
  spl.store %2, %b[%i] : !spl.slice<bf16, mut>
  spl.store %3, %b[%i] : !spl.slice<bf16, mut>
  spl.store %4, %f[%i] : !spl.slice<f16, mut>
  spl.return
}

// -----

// Conversions to integers go through f32, which represents every value.
// CHECK-LABEL: spl.func @truncated(
// CHECK: spl.float_to_int %{{.*}} {isUnsigned} : f32 to i64
spl.func @truncated(%x: bf16) -> i64 {
  %r = spl.float_to_int %x {isUnsigned} : bf16 to i64
  spl.return %r : i64
}

// -----

// Values that are only moved become integers: constants, memory, and values that other operations carry.
// CHECK-LABEL: spl.kernel @moved(
// CPU-SAME: %arg0: !spl.slice<!spl.struct<i16, vector<2xi16>>, mut>
// CPU-DAG: arith.constant 16256 : i16
// CPU-DAG: arith.constant dense<[16256, 16384]> : vector<2xi16>
// CPU: spl.intrinsic "gpu.shuffle"(%{{.*}}) : (vector<2xi16>, i64) -> vector<2xi16>
// GPU-SAME: !spl.struct<bf16, vector<2xbf16>>
spl.kernel @moved(%a: !spl.slice<!spl.struct<bf16, vector<2xbf16>>, mut>, %m: !spl.slice<bf16, mut>, %p: !spl.slice<vector<2xbf16>, mut>, %i: i64) attributes {signature = #spl.signature<"moved()">} {
  %one = arith.constant 1.0 : bf16
  %both = arith.constant dense<[1.0, 2.0]> : vector<2xbf16>
  spl.store %one, %m[%i] : !spl.slice<bf16, mut>
  %s = spl.intrinsic "gpu.shuffle"(%both, %i) : (vector<2xbf16>, i64) -> vector<2xbf16>
  spl.store %s, %p[%i] : !spl.slice<vector<2xbf16>, mut>
  spl.return
}

// -----

// An atomic sum of a pair is a loop around a compare-and-swap. The order of the sum is that of the swap.
// CHECK-LABEL: spl.func @pair(
// CPU: %[[FIRST:.*]] = spl.atomic load %arg0[%arg1] relaxed device
// CPU-NEXT: scf.while (%[[HAD:.*]] = %[[FIRST]])
// CPU: arith.addf %{{.*}} : vector<2xf32>
// CPU: %[[FOUND:.*]] = spl.atomic cas %arg0[%arg1] (%[[HAD]], %{{.*}}) acq_rel device
// CPU: %[[LATE:.*]] = arith.cmpi ne
// CPU-NEXT: scf.condition(%[[LATE]]) %[[FOUND]]
// GPU-NEXT: spl.atomic add %{{.*}} : <vector<2xf16>, mut>
// OLD: spl.atomic cas %{{.*}} : <vector<2xi16>, mut>
spl.func @pair(%a: !spl.slice<vector<2xf16>, mut>, %i: i64, %v: vector<2xf16>) -> vector<2xf16> {
  %r = spl.atomic add %a[%i](%v) acq_rel device : !spl.slice<vector<2xf16>, mut>, (vector<2xf16>) -> vector<2xf16>
  spl.return %r : vector<2xf16>
}
