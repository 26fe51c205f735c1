// The local memory of a kernel is that of the longest chain of calls, not of all functions that it
// reaches. The frontend's functions are inlined before, unless they are too large.
// RUN: not simple-opt %s -split-input-file --spl-to-llvm="target=sm_75" 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not simple-opt %s -split-input-file --spl-to-llvm="target=cpu" 2>&1 | FileCheck %s --implicit-check-not=error:

// Two functions of 256 KiB each, one after the other, and as much in the kernel.
spl.func private @a() {
  %s = spl.local 65536 {spl.name = "s"} : !spl.slice<f32, mut>
  spl.return
}
spl.func private @b() {
  %s = spl.local 65536 {spl.name = "s"} : !spl.slice<f32, mut>
  spl.return
}
spl.kernel @after() attributes {signature = #spl.signature<"after()">} {
  %s = spl.local 65536 {spl.name = "s"} : !spl.slice<f32, mut>
  spl.call @a() : () -> ()
  spl.call @b() : () -> ()
  spl.call @a() : () -> ()
  spl.return
}

// -----

// Of the lanes of a gang, each is of another work-item.
spl.kernel @lanes() attributes {signature = #spl.signature<"lanes()">} {
  %s = spl.local 131000 {spl.name = "s"} : !spl.slice<f32, mut>
  %lanes = spl.local 64 {spl.lanes = 64 : i64} : !spl.slice<f64, mut>
  %c0 = arith.constant 0 : i64
  %v = spl.load_lanes %lanes[%c0] : !spl.slice<f64, mut> -> vector<64xf64>
  spl.store_lanes %v, %lanes[%c0] : vector<64xf64>, !spl.slice<f64, mut>
  spl.return
}

// -----

// One calls the other: the same memory in a chain of three is too much by a whole array.
spl.func private @a() {
  %s = spl.local 65536 {spl.name = "s"} : !spl.slice<f32, mut>
  spl.return
}
spl.func private @b() {
  %s = spl.local 65536 {spl.name = "s"} : !spl.slice<f32, mut>
  spl.call @a() : () -> ()
  spl.return
}
// CHECK: error: the local memory of a work-item of 'within' takes 786432 bytes; the maximum is 524288
spl.kernel @within() attributes {signature = #spl.signature<"within()">} {
  %s = spl.local 65536 {spl.name = "s"} : !spl.slice<f32, mut>
  spl.call @b() : () -> ()
  spl.return
}

// -----

// One element more than the maximum, in a function that is called through another.
spl.func private @a() {
  %s = spl.local 65537 {spl.name = "s"} : !spl.slice<f32, mut>
  spl.return
}
spl.func private @b() {
  spl.call @a() : () -> ()
  spl.return
}
// CHECK: error: the local memory of a work-item of 'one_more' takes 524292 bytes; the maximum is 524288
spl.kernel @one_more() attributes {signature = #spl.signature<"one_more()">} {
  %s = spl.local 65536 {spl.name = "s"} : !spl.slice<f32, mut>
  spl.call @b() : () -> ()
  spl.return
}
