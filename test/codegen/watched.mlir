// The mut slices of a kernel are noalias unless the kernel synchronises with other work-items, itself
// or in a function that it calls, or one that this calls. With calls of functions that synchronise,
// the read-only slices are not noalias either, because the function may read them atomically.
// RUN: simple-opt %s --spl-to-llvm="target=sm_90" | FileCheck %s

spl.func private @atomic(%m: !spl.slice<i32, mut>, %i: i64, %v: i32) {
  spl.atomic store %m[%i](%v) relaxed device : !spl.slice<i32, mut>, (i32) -> ()
  spl.return
}
spl.func private @barrier() {
  spl.intrinsic "gpu.barrier" : () -> ()
  spl.return
}
spl.func private @plain(%m: !spl.slice<i32, mut>, %i: i64, %v: i32) {
  spl.store %v, %m[%i] : !spl.slice<i32, mut>
  spl.return
}
spl.func private @calls_atomic(%m: !spl.slice<i32, mut>, %i: i64, %v: i32) {
  spl.call @plain(%m, %i, %v) : (!spl.slice<i32, mut>, i64, i32) -> ()
  spl.call @atomic(%m, %i, %v) : (!spl.slice<i32, mut>, i64, i32) -> ()
  spl.return
}
spl.func private @calls_barrier() {
  spl.call @barrier() : () -> ()
  spl.return
}

// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.nothing(
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.nocapture, llvm.readonly}, %arg1:
// CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.nocapture}, %arg3:
spl.kernel @nothing(%a: !spl.slice<i32> {spl.name = "a"}, %m: !spl.slice<i32, mut> {spl.name = "m"})
    attributes {signature = #spl.signature<"nothing(a: &[i32], m: &mut [i32])">} {
  %i = arith.constant 0 : i64
  %v = spl.load %a[%i] : !spl.slice<i32>
  spl.return
}

// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.stores(
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.nocapture, llvm.readonly}, %arg1:
// CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.nocapture}, %arg3:
spl.kernel @stores(%a: !spl.slice<i32> {spl.name = "a"}, %m: !spl.slice<i32, mut> {spl.name = "m"})
    attributes {signature = #spl.signature<"stores(a: &[i32], m: &mut [i32])">} {
  %i = arith.constant 0 : i64
  %v = spl.load %a[%i] : !spl.slice<i32>
  spl.store %v, %m[%i] : !spl.slice<i32, mut>
  spl.return
}

// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.has_atomic(
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.nocapture, llvm.readonly}, %arg1:
// CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.nocapture}, %arg3:
spl.kernel @has_atomic(%a: !spl.slice<i32> {spl.name = "a"}, %m: !spl.slice<i32, mut> {spl.name = "m"})
    attributes {signature = #spl.signature<"has_atomic(a: &[i32], m: &mut [i32])">} {
  %i = arith.constant 0 : i64
  %v = spl.load %a[%i] : !spl.slice<i32>
  spl.atomic store %m[%i](%v) relaxed device : !spl.slice<i32, mut>, (i32) -> ()
  spl.return
}

// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.has_barrier(
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.nocapture, llvm.readonly}, %arg1:
// CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.nocapture}, %arg3:
spl.kernel @has_barrier(%a: !spl.slice<i32> {spl.name = "a"}, %m: !spl.slice<i32, mut> {spl.name = "m"})
    attributes {signature = #spl.signature<"has_barrier(a: &[i32], m: &mut [i32])">} {
  %i = arith.constant 0 : i64
  %v = spl.load %a[%i] : !spl.slice<i32>
  spl.intrinsic "gpu.barrier" : () -> ()
  spl.return
}

// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.has_fence(
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.nocapture, llvm.readonly}, %arg1:
// CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.nocapture}, %arg3:
spl.kernel @has_fence(%a: !spl.slice<i32> {spl.name = "a"}, %m: !spl.slice<i32, mut> {spl.name = "m"})
    attributes {signature = #spl.signature<"has_fence(a: &[i32], m: &mut [i32])">} {
  %i = arith.constant 0 : i64
  %v = spl.load %a[%i] : !spl.slice<i32>
  spl.intrinsic "gpu.fence" {scope = #spl<scope device>} : () -> ()
  spl.return
}

// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.calls_plain(
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.nocapture, llvm.readonly}, %arg1:
// CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.noalias, llvm.nocapture}, %arg3:
spl.kernel @calls_plain(%a: !spl.slice<i32> {spl.name = "a"}, %m: !spl.slice<i32, mut> {spl.name = "m"})
    attributes {signature = #spl.signature<"calls_plain(a: &[i32], m: &mut [i32])">} {
  %i = arith.constant 0 : i64
  %v = spl.load %a[%i] : !spl.slice<i32>
  spl.call @plain(%m, %i, %v) : (!spl.slice<i32, mut>, i64, i32) -> ()
  spl.return
}

// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.calls_one(
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.nocapture, llvm.readonly}, %arg1:
// CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.nocapture}, %arg3:
spl.kernel @calls_one(%a: !spl.slice<i32> {spl.name = "a"}, %m: !spl.slice<i32, mut> {spl.name = "m"})
    attributes {signature = #spl.signature<"calls_one(a: &[i32], m: &mut [i32])">} {
  %i = arith.constant 0 : i64
  %v = spl.load %a[%i] : !spl.slice<i32>
  spl.call @atomic(%m, %i, %v) : (!spl.slice<i32, mut>, i64, i32) -> ()
  spl.return
}

// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.calls_other(
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.nocapture, llvm.readonly}, %arg1:
// CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.nocapture}, %arg3:
spl.kernel @calls_other(%a: !spl.slice<i32> {spl.name = "a"}, %m: !spl.slice<i32, mut> {spl.name = "m"})
    attributes {signature = #spl.signature<"calls_other(a: &[i32], m: &mut [i32])">} {
  %i = arith.constant 0 : i64
  %v = spl.load %a[%i] : !spl.slice<i32>
  spl.call @barrier() : () -> ()
  spl.return
}

// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.calls_two(
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.nocapture, llvm.readonly}, %arg1:
// CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.nocapture}, %arg3:
spl.kernel @calls_two(%a: !spl.slice<i32> {spl.name = "a"}, %m: !spl.slice<i32, mut> {spl.name = "m"})
    attributes {signature = #spl.signature<"calls_two(a: &[i32], m: &mut [i32])">} {
  %i = arith.constant 0 : i64
  %v = spl.load %a[%i] : !spl.slice<i32>
  spl.call @calls_atomic(%m, %i, %v) : (!spl.slice<i32, mut>, i64, i32) -> ()
  spl.return
}

// CHECK-LABEL: llvm.func ptx_kernelcc @spl.kernel.calls_both(
// CHECK-SAME: %arg0: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.nocapture, llvm.readonly}, %arg1:
// CHECK-SAME: %arg2: !llvm.ptr<1> {llvm.align = 4 : i64, llvm.nocapture}, %arg3:
spl.kernel @calls_both(%a: !spl.slice<i32> {spl.name = "a"}, %m: !spl.slice<i32, mut> {spl.name = "m"})
    attributes {signature = #spl.signature<"calls_both(a: &[i32], m: &mut [i32])">} {
  %i = arith.constant 0 : i64
  %v = spl.load %a[%i] : !spl.slice<i32>
  spl.call @plain(%m, %i, %v) : (!spl.slice<i32, mut>, i64, i32) -> ()
  spl.call @calls_barrier() : () -> ()
  spl.return
}
