// Operations that fold, and operations that must not fold.
// The patterns come to an end: none reports a change that it did not make.
// RUN: simple-opt %s -canonicalize=test-convergence | FileCheck %s

// CHECK-LABEL: spl.func @extent_of_view(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !spl.slice<f32, mut>
// CHECK-NEXT: %[[N:.*]] = spl.extent %[[A]], 0 : <f32, mut>
// CHECK-NEXT: spl.return %[[N]]
spl.func @extent_of_view(%a: !spl.slice<f32, mut>) -> i64 {
  %view = spl.read_only %a : <f32, mut> -> <f32>
  %n = spl.extent %view, 0 : <f32>
  spl.return %n : i64
}

// A check is removed only if it cannot fail. One that always fails is the behaviour of the program.
// CHECK-LABEL: spl.func @checks(
// CHECK-NEXT: %[[FALSE:.*]] = arith.constant false
// CHECK-NEXT: spl.check %[[FALSE]], <"step-zero">
// CHECK-NEXT: spl.check %{{.*}}, <"division-by-zero">
// CHECK-NEXT: spl.return
spl.func @checks(%c: i1) {
  %true = arith.constant true
  %false = arith.constant false
  spl.check %true, <"division-by-zero">
  spl.check %false, <"step-zero">
  spl.check %c, <"division-by-zero">
  spl.return
}

// A check in a loop without other results keeps the loop alive.
// CHECK-LABEL: spl.func @check_in_loop(
// CHECK: scf.for
// CHECK-NEXT: arith.cmpi
// CHECK-NEXT: spl.check
spl.func @check_in_loop(%n: i64) {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %i = %zero to %n step %one : i64 {
    %ok = arith.cmpi ne, %i, %one : i64
    spl.check %ok, <"division-by-zero">
  }
  spl.return
}

// CHECK-LABEL: spl.func @unused(
// CHECK-NEXT: spl.return
spl.func @unused(%a: !spl.slice<f32>, %i: i64, %x: f32) {
  %id = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %root = spl.intrinsic "math.sqrt"(%x) : (f32) -> f32
  %n = spl.extent %a, 0 : <f32>
  %int = spl.float_to_int %x : f32 to i32
  %y = spl.load %a[%i] : <f32>
  spl.return
}

// CHECK-LABEL: spl.kernel @float_to_int(
spl.kernel @float_to_int(%out: !spl.slice<i32, mut>, %bytes: !spl.slice<i8, mut>)
    attributes {signature = #spl.signature<"float_to_int(out: &mut [i32], bytes: &mut [i8])">} {
  %i = arith.constant 0 : i64
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0 : i32
  // CHECK-DAG: %[[MINUS_TWO:.*]] = arith.constant -2 : i32
  // CHECK-DAG: %[[MAX:.*]] = arith.constant 2147483647 : i32
  // CHECK-DAG: %[[MIN:.*]] = arith.constant -2147483648 : i32
  // CHECK-DAG: %[[BYTE_MAX:.*]] = arith.constant -1 : i8
  // CHECK-DAG: %[[BYTE_200:.*]] = arith.constant -56 : i8
  // CHECK-DAG: %[[BYTE_MIN:.*]] = arith.constant 0 : i8
  %nan = arith.constant 0x7FC00000 : f32
  %almost = arith.constant -2.9 : f32
  %large = arith.constant 3.0e9 : f32
  %infinite = arith.constant 0xFF800000 : f32
  %twoHundred = arith.constant 200.5 : f64
  %negative = arith.constant -1.0 : f64
  %huge = arith.constant 1.0e300 : f64
  // CHECK: spl.store %[[ZERO]]
  %a = spl.float_to_int %nan : f32 to i32
  spl.store %a, %out[%i] : <i32, mut>
  // CHECK: spl.store %[[MINUS_TWO]]
  %b = spl.float_to_int %almost : f32 to i32
  spl.store %b, %out[%i] : <i32, mut>
  // CHECK: spl.store %[[MAX]]
  %c = spl.float_to_int %large : f32 to i32
  spl.store %c, %out[%i] : <i32, mut>
  // CHECK: spl.store %[[MIN]]
  %d = spl.float_to_int %infinite : f32 to i32
  spl.store %d, %out[%i] : <i32, mut>
  // CHECK: spl.store %[[BYTE_200]]
  %e = spl.float_to_int %twoHundred {isUnsigned} : f64 to i8
  spl.store %e, %bytes[%i] : <i8, mut>
  // CHECK: spl.store %[[BYTE_MIN]]
  %f = spl.float_to_int %negative {isUnsigned} : f64 to i8
  spl.store %f, %bytes[%i] : <i8, mut>
  // CHECK: spl.store %[[BYTE_MAX]]
  %g = spl.float_to_int %huge {isUnsigned} : f64 to i8
  spl.store %g, %bytes[%i] : <i8, mut>
  spl.return
}

// CHECK-LABEL: spl.kernel @float_intrinsics(
spl.kernel @float_intrinsics(%out: !spl.slice<f32, mut>)
    attributes {signature = #spl.signature<"float_intrinsics(out: &mut [f32])">} {
  // CHECK-DAG: %[[FMA:.*]] = arith.constant 1.42108547E-14 : f32
  // CHECK-DAG: %[[MINUS_ZERO:.*]] = arith.constant -0.000000e+00 : f32
  // CHECK-DAG: %[[ZERO:.*]] = arith.constant 0.000000e+00 : f32
  // CHECK-DAG: %[[TWO:.*]] = arith.constant 2.000000e+00 : f32
  // CHECK-DAG: %[[MINUS_HALF:.*]] = arith.constant -5.000000e-01 : f32
  %i = arith.constant 0 : i64
  %two = arith.constant 2.0 : f32
  %nan = arith.constant 0x7FC00000 : f32
  %zero = arith.constant 0.0 : f32
  %minusZero = arith.constant -0.0 : f32
  // 1 + 2^-23. Its square needs 2^-46, which only a single rounding keeps.
  %next = arith.constant 0x3F800001 : f32
  %squareRounded = arith.constant 0xBF800002 : f32
  // CHECK: spl.store %[[FMA]]
  %fma = spl.intrinsic "math.fma"(%next, %next, %squareRounded) : (f32, f32, f32) -> f32
  spl.store %fma, %out[%i] : <f32, mut>
  // CHECK: spl.store %[[ZERO]]
  %abs = spl.intrinsic "math.abs"(%minusZero) : (f32) -> f32
  spl.store %abs, %out[%i] : <f32, mut>
  // The other operand if one is NaN, and -0 less than +0.
  // CHECK: spl.store %[[TWO]]
  %max = spl.intrinsic "math.max"(%nan, %two) : (f32, f32) -> f32
  spl.store %max, %out[%i] : <f32, mut>
  // CHECK: spl.store %[[MINUS_ZERO]]
  %min = spl.intrinsic "math.min"(%zero, %minusZero) : (f32, f32) -> f32
  spl.store %min, %out[%i] : <f32, mut>
  // CHECK: spl.store %[[MINUS_HALF]]
  %minusSeven = arith.constant -6.5 : f32
  %fmod = spl.intrinsic "op.fmod"(%minusSeven, %two) : (f32, f32) -> f32
  spl.store %fmod, %out[%i] : <f32, mut>
  // The bits of a NaN depend on the target.
  // CHECK: %[[NAN:.*]] = spl.intrinsic "op.fmod"
  // CHECK: spl.store %[[NAN]]
  %undefined = spl.intrinsic "op.fmod"(%two, %zero) : (f32, f32) -> f32
  spl.store %undefined, %out[%i] : <f32, mut>
  // Only operations that are exact on every target.
  // CHECK: %[[EXP:.*]] = spl.intrinsic "math.exp"
  // CHECK: spl.store %[[EXP]]
  %exp = spl.intrinsic "math.exp"(%two) : (f32) -> f32
  spl.store %exp, %out[%i] : <f32, mut>
  spl.return
}

// CHECK-LABEL: spl.kernel @integer_intrinsics(
spl.kernel @integer_intrinsics(%out: !spl.slice<i8, mut>)
    attributes {signature = #spl.signature<"integer_intrinsics(out: &mut [i8])">} {
  // CHECK-DAG: %[[THREE:.*]] = arith.constant 3 : i8
  // CHECK-DAG: %[[MINUS_THREE:.*]] = arith.constant -3 : i8
  // CHECK-DAG: %[[LEAST:.*]] = arith.constant -128 : i8
  %i = arith.constant 0 : i64
  %three = arith.constant 3 : i8
  %minusThree = arith.constant -3 : i8
  %least = arith.constant -128 : i8
  // CHECK: spl.store %[[THREE]]
  %abs = spl.intrinsic "math.abs"(%minusThree) : (i8) -> i8
  spl.store %abs, %out[%i] : <i8, mut>
  // CHECK: spl.store %[[LEAST]]
  %absLeast = spl.intrinsic "math.abs"(%least) : (i8) -> i8
  spl.store %absLeast, %out[%i] : <i8, mut>
  // CHECK: spl.store %[[MINUS_THREE]]
  %absUnsigned = spl.intrinsic "math.abs"(%minusThree) {isUnsigned} : (i8) -> i8
  spl.store %absUnsigned, %out[%i] : <i8, mut>
  // CHECK: spl.store %[[MINUS_THREE]]
  %min = spl.intrinsic "math.min"(%three, %minusThree) : (i8, i8) -> i8
  spl.store %min, %out[%i] : <i8, mut>
  // CHECK: spl.store %[[THREE]]
  %minUnsigned = spl.intrinsic "math.min"(%three, %minusThree) {isUnsigned} : (i8, i8) -> i8
  spl.store %minUnsigned, %out[%i] : <i8, mut>
  // CHECK: spl.store %[[THREE]]
  %max = spl.intrinsic "math.max"(%three, %minusThree) : (i8, i8) -> i8
  spl.store %max, %out[%i] : <i8, mut>
  // CHECK: spl.store %[[MINUS_THREE]]
  %maxUnsigned = spl.intrinsic "math.max"(%three, %minusThree) {isUnsigned} : (i8, i8) -> i8
  spl.store %maxUnsigned, %out[%i] : <i8, mut>
  spl.return
}
