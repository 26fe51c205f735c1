// The verifier's rules about memory. For the others see invalid.mlir.
// RUN: simple-opt %s -split-input-file -verify-diagnostics

// expected-error @+1 {{a field cannot be 'index'}}
spl.func private @f(%a: !spl.slice<!spl.struct<index>>) { spl.return }

// -----

// expected-error @+1 {{an array's element cannot be '!spl.slice<f32>'}}
spl.func private @f(%a: !spl.slice<!spl.array<2 x !spl.slice<f32>>>) { spl.return }

// -----

// expected-error @+1 {{a slice's element cannot be 'vector<3xf32>'}}
spl.func private @f(%a: !spl.slice<vector<3xf32>>) { spl.return }

// -----

// expected-error @+1 {{'spl.by_value' is for a kernel's read-only slices of rank 1}}
spl.func private @f(%a: !spl.slice<!spl.struct<f32>> {spl.by_value}) { spl.return }

// -----

spl.func private @f(%m: !spl.slice<f32, rank 2>, %i: i64) {
  // expected-error @+1 {{with 2 indices of '!spl.slice<f32, rank 2>' is no '!spl.slice<f32>'}}
  %r = spl.row %m[%i, %i] : !spl.slice<f32, rank 2> -> !spl.slice<f32>
  spl.return
}

// -----

spl.func private @f(%m: !spl.slice<f32, rank 2>) {
  // expected-error @+1 {{with 0 indices of '!spl.slice<f32, rank 2>' is no '!spl.slice<f32, rank 2>'}}
  %r = spl.row %m[] : !spl.slice<f32, rank 2> -> !spl.slice<f32, rank 2>
  spl.return
}

// -----

spl.func private @f(%m: !spl.slice<f32, rank 2>, %i: i64) {
  // expected-error @+1 {{with 1 indices of '!spl.slice<f32, rank 2>' is no '!spl.slice<f32, mut>'}}
  %r = spl.row %m[%i] : !spl.slice<f32, rank 2> -> !spl.slice<f32, mut>
  spl.return
}

// -----

spl.func private @f(%m: !spl.slice<f32, rank 2>, %i: i64) {
  // expected-error @+1 {{takes a slice of rank 1}}
  %r = spl.subslice %m[%i to %i] : !spl.slice<f32, rank 2>
  spl.return
}

// -----

spl.func private @f(%s: !spl.slice<!spl.struct<f32>>, %i: i64) {
  // expected-error @+1 {{of an element of '!spl.slice<!spl.struct<f32>>' is no '!spl.slice<f32>'}}
  %r = spl.part %s[%i] field 1 : !spl.slice<!spl.struct<f32>> -> !spl.slice<f32>
  spl.return
}

// -----

spl.func private @f(%s: !spl.slice<!spl.struct<f32>>, %i: i64) {
  // expected-error @+1 {{of an element of '!spl.slice<!spl.struct<f32>>' is no '!spl.slice<f32>'}}
  %r = spl.part %s[%i] : !spl.slice<!spl.struct<f32>> -> !spl.slice<f32>
  spl.return
}

// -----

spl.func private @f(%s: !spl.slice<f32>, %i: i64) {
  // expected-error @+1 {{of an element of '!spl.slice<f32>' is no '!spl.slice<f64>'}}
  %r = spl.part %s[%i] : !spl.slice<f32> -> !spl.slice<f64>
  spl.return
}

// -----

spl.func private @f(%s: !spl.slice<vector<2xf32>>, %i: i64) {
  // expected-error @+1 {{of an element of '!spl.slice<vector<2xf32>>' is no '!spl.slice<f32, mut>'}}
  %r = spl.part %s[%i] : !spl.slice<vector<2xf32>> -> !spl.slice<f32, mut>
  spl.return
}

// -----

spl.func private @f(%s: !spl.slice<vector<2xf32>>, %i: i64) {
  // expected-error @+1 {{gives 2 indices to a slice of rank 1}}
  %r = spl.part %s[%i, %i] : !spl.slice<vector<2xf32>> -> !spl.slice<f32>
  spl.return
}

// -----

spl.func private @f(%s: !spl.slice<!spl.struct<f32>>, %i: i64) {
  // expected-error @+1 {{writes to a read-only slice}}
  spl.copy %s[%i], %s[%i] : !spl.slice<!spl.struct<f32>>, !spl.slice<!spl.struct<f32>>
  spl.return
}

// -----

spl.func private @f(%s: !spl.slice<!spl.struct<f32>>, %t: !spl.slice<!spl.struct<i32>, mut>, %i: i64) {
  // expected-error @+1 {{copies between elements of different types}}
  spl.copy %s[%i], %t[%i] : !spl.slice<!spl.struct<f32>>, !spl.slice<!spl.struct<i32>, mut>
  spl.return
}

// -----

spl.func private @f(%s: !spl.slice<!spl.struct<f32>, mut>, %i: i64) {
  // expected-error @+1 {{gives 0 indices to a slice of rank 1}}
  spl.copy %s[], %s[%i] : !spl.slice<!spl.struct<f32>, mut>, !spl.slice<!spl.struct<f32>, mut>
  spl.return
}

// -----

spl.func private @f(%s: !spl.slice<!spl.struct<f32>, mut>, %i: i64) {
  // expected-error @+1 {{gives 2 indices to a slice of rank 1}}
  spl.copy %s[%i], %s[%i, %i] : !spl.slice<!spl.struct<f32>, mut>, !spl.slice<!spl.struct<f32>, mut>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error @+1 {{is a mut slice of rank 1}}
  %r = spl.local 1 : !spl.slice<f32>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error @+1 {{is a mut slice of rank 1}}
  %r = spl.local 1 : !spl.slice<f32, mut, rank 2>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error @+1 {{attribute 'count' failed to satisfy constraint}}
  %r = spl.local 0 : !spl.slice<f32, mut>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error @+1 {{is a mut slice of rank 2}}
  %r = spl.shared "tile"[2, 3] : !spl.slice<f32, mut>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error @+1 {{has extents of 1 or more}}
  %r = spl.shared "tile"[2, 0] : !spl.slice<f32, mut, rank 2>
  spl.return
}

// -----

spl.func private @f(%i: i64) {
  // expected-error @+1 {{is a mut slice of rank 1}}
  %r = spl.shared_dyn %i : !spl.slice<f32>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error @+1 {{is a read-only slice of rank 1}}
  %r = spl.constant_data [1.0 : f32] : !spl.slice<f32, mut>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error @+1 {{holds 1.000000e+00 : f64, which is no 'f32'}}
  %r = spl.constant_data [1.0 : f64] : !spl.slice<f32>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error @+1 {{holds [1 : i32], which is no '!spl.array<2 x i32>'}}
  %r = spl.constant_data [[1 : i32]] : !spl.slice<!spl.array<2 x i32>>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error @+1 {{holds [1 : i32], which is no '!spl.struct<i32, i32>'}}
  %r = spl.constant_data [[1 : i32]] : !spl.slice<!spl.struct<i32, i32>>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error-re @+1 {{holds {{.*}}, which is no '!spl.array<3 x i32>'}}
  %r = spl.constant_data [[0 : i64, 1 : i32, 2 : i32]] : !spl.slice<!spl.array<3 x i32>>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error-re @+1 {{holds {{.*}}, which is no '!spl.array<3 x i32>'}}
  %r = spl.constant_data [[0 : i32, 1 : i64, 2 : i32]] : !spl.slice<!spl.array<3 x i32>>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error-re @+1 {{holds {{.*}}, which is no '!spl.array<3 x i32>'}}
  %r = spl.constant_data [[0 : i32, 1 : i32, 2 : i64]] : !spl.slice<!spl.array<3 x i32>>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error-re @+1 {{holds {{.*}}, which is no 'vector<4xi32>'}}
  %r = spl.constant_data [[0 : i64, 1 : i32, 2 : i32, 3 : i32]] : !spl.slice<vector<4xi32>>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error-re @+1 {{holds {{.*}}, which is no 'vector<4xi32>'}}
  %r = spl.constant_data [[0 : i32, 1 : i64, 2 : i32, 3 : i32]] : !spl.slice<vector<4xi32>>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error-re @+1 {{holds {{.*}}, which is no 'vector<4xi32>'}}
  %r = spl.constant_data [[0 : i32, 1 : i32, 2 : i64, 3 : i32]] : !spl.slice<vector<4xi32>>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error-re @+1 {{holds {{.*}}, which is no 'vector<4xi32>'}}
  %r = spl.constant_data [[0 : i32, 1 : i32, 2 : i32, 3 : i64]] : !spl.slice<vector<4xi32>>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error-re @+1 {{holds {{.*}}, which is no '!spl.struct<i32, i32, i32>'}}
  %r = spl.constant_data [[0 : i64, 1 : i32, 2 : i32]] : !spl.slice<!spl.struct<i32, i32, i32>>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error-re @+1 {{holds {{.*}}, which is no '!spl.struct<i32, i32, i32>'}}
  %r = spl.constant_data [[0 : i32, 1 : i64, 2 : i32]] : !spl.slice<!spl.struct<i32, i32, i32>>
  spl.return
}

// -----

spl.func private @f() {
  // expected-error-re @+1 {{holds {{.*}}, which is no '!spl.struct<i32, i32, i32>'}}
  %r = spl.constant_data [[0 : i32, 1 : i32, 2 : i64]] : !spl.slice<!spl.struct<i32, i32, i32>>
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<i32>, %i: i64, %v: i32) {
  // expected-error @+1 {{writes to a read-only slice}}
  %r = spl.atomic add %a[%i](%v) relaxed device : !spl.slice<i32>, (i32) -> i32
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<f32, mut>, %i: i64, %v: f32) {
  // expected-error @+1 {{and has no form for 'f32'}}
  %r = spl.atomic and %a[%i](%v) relaxed device : !spl.slice<f32, mut>, (f32) -> f32
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<f16, mut>, %i: i64, %v: f16) {
  // expected-error @+1 {{add has no form for 'f16'}}
  %r = spl.atomic add %a[%i](%v) relaxed device : !spl.slice<f16, mut>, (f16) -> f16
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<f32, mut>, %i: i64, %v: f32) {
  // expected-error @+1 {{inc has no form for 'f32'}}
  %r = spl.atomic inc %a[%i](%v) relaxed device : !spl.slice<f32, mut>, (f32) -> f32
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<i32, mut>, %v: i32) {
  // expected-error @+1 {{gives 0 indices to a slice of rank 1}}
  %r = spl.atomic add %a[](%v) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<i32, mut>, %i: i64, %v: i32) {
  // expected-error @+1 {{cas of 'i32' takes 2 values and returns one}}
  %r = spl.atomic cas %a[%i](%v) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<i32, mut>, %i: i64, %v: i32) {
  // expected-error @+1 {{store of 'i32' takes 1 values and returns nothing}}
  %r = spl.atomic store %a[%i](%v) relaxed device : !spl.slice<i32, mut>, (i32) -> i32
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<f32>, %i: vector<8xi64>) {
  // expected-error @+1 {{has an index of 'vector<8xi64>' for 'vector<16xf32>'}}
  %r = spl.gather_lanes %a[%i] : !spl.slice<f32>[vector<8xi64>] -> vector<16xf32>
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<vector<2xf32>>, %i: vector<8xi64>) {
  // expected-error @+1 {{needs a component below the size of the vectors that the slice contains, and none if they are not vectors}}
  %r = spl.gather_lanes %a[%i] component 2 : !spl.slice<vector<2xf32>>[vector<8xi64>] -> vector<8xf32>
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<f32, mut>, %v: vector<8xf32>, %i: i64, %m: vector<4xi1>) {
  // expected-error @+1 {{has a mask of 'vector<4xi1>' for 'vector<8xf32>'}}
  spl.scatter_lanes %v, %a[%i] mask(%m) : vector<8xf32>, !spl.slice<f32, mut>[i64], vector<4xi1>
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<f32>, %v: vector<8xf32>, %i: vector<8xi64>) {
  // expected-error @+1 {{writes to a read-only slice}}
  spl.scatter_lanes %v, %a[%i] : vector<8xf32>, !spl.slice<f32>[vector<8xi64>]
  spl.return
}

// -----

spl.func private @f(%a: !spl.slice<f32>, %i: i64) {
  // expected-error @+1 {{gives 2 indices to a slice of rank 1}}
  spl.prefetch %a[%i, %i] : !spl.slice<f32>
  spl.return
}
