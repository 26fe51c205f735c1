// RUN: simple-opt %s --spl-fault-records --spl-to-llvm="target=sm_90" | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: simple-opt %s --spl-work-item-loops --spl-to-llvm="target=cpu" | FileCheck %s --check-prefixes=CHECK,CPU
// A call that is not inlined. A slice is passed as its parts and returned as a struct of them. On
// the CPU the values that describe the group are additional last parameters.

// CHECK-LABEL: llvm.func internal @spl.fn.first(
// CHECK-SAME: %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i64, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i64, %{{[^:]*}}: i1
// GPU-SAME: ) -> !llvm.struct<(ptr, i64)>
// CPU-SAME: %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i64, {{.*}}) -> !llvm.struct<(ptr, i64)>
// CHECK: llvm.select
// CHECK: llvm.insertvalue
// CHECK: llvm.return %{{.*}} : !llvm.struct<(ptr, i64)>
spl.func private @first(%a: !spl.slice<f64> {spl.name = "a"}, %b: !spl.slice<f64> {spl.name = "b"}, %c: i1 {spl.name = "c"}) -> !spl.slice<f64> {
  %r = arith.select %c, %a, %b : !spl.slice<f64>
  spl.return %r : !spl.slice<f64>
}

// GPU-LABEL: llvm.func ptx_kernelcc @spl.kernel.k(
// GPU-SAME: !llvm.ptr<1> {llvm.align = 8 : i64, llvm.noalias, llvm.nocapture, llvm.readonly}
// GPU-SAME: i64 {llvm.range = #llvm.constant_range<i64, 0, 1152921504606846976>}
// GPU-SAME: !llvm.ptr<1> {llvm.align = 8 : i64, llvm.noalias, llvm.nocapture}
// GPU-SAME: i8, %{{[^:]*}}: !llvm.ptr<1>)
// GPU-SAME: spl-signature
// CPU-LABEL: llvm.func internal @spl.body.k(
// CPU-SAME: no_inline
// CHECK: llvm.call @spl.fn.first(
// CHECK: llvm.extractvalue
// CHECK: llvm.call @spl.fault(
// CHECK: llvm.getelementptr inbounds|nuw
// CHECK: llvm.call @{{.*}}fmod{{.*}}(
// CPU-LABEL: llvm.func @spl_entry_k(%{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: !llvm.ptr, %{{[^:]*}}: i64, %{{[^:]*}}: i64)
spl.kernel @k(%a: !spl.slice<f64> {spl.name = "a"}, %o: !spl.slice<f64, mut> {spl.name = "o"}, %c: i1 {spl.name = "c"}) attributes {signature = #spl.signature<"k(a: &[f64], o: &mut [f64], c: bool)">} {
  %v0 = spl.read_only %o : !spl.slice<f64, mut> -> !spl.slice<f64>
  %s = spl.call @first(%a, %v0, %c) : (!spl.slice<f64>, !spl.slice<f64>, i1) -> !spl.slice<f64>
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %n = spl.extent %s, 0 : !spl.slice<f64>
  %ok = arith.cmpi ult, %i, %n : i64
  spl.check %ok, <"index-out-of-bounds">(%i, %n) {subject = "a"}
  %v = spl.load %s[%i] : !spl.slice<f64>
  %m = spl.intrinsic "op.fmod"(%v, %v) : (f64, f64) -> f64
  spl.store %m, %o[%i] : !spl.slice<f64, mut>
  spl.return
}
