// A function that must be inlined but is too large or too deep is rejected. The error lists the
// calls that lead to it.
// RUN: not simple-opt %s -split-input-file -spl-inline="max-together=12 max-together-depth=2" 2>&1 | FileCheck %s
// RUN: simple-opt %s -split-input-file -spl-inline | FileCheck %s --check-prefix=DEFAULT

// DEFAULT: spl.kernel @large(
// DEFAULT-NOT: spl.call @
// CHECK: inline-together.mlir:[[#@LINE+8]]:8: error: 'sums' must be inlined, because its work-items cooperate, but with it 'twice' has 13 operations; the maximum is 12
// CHECK: note: call chain: large -> twice
spl.kernel @large(%x: f32) attributes {signature = #spl.signature<"large(x: f32)">} {
  %a = spl.call @twice(%x) : (f32) -> f32
  spl.return
}
spl.func private @twice(%x: f32) -> f32 {
  %a = spl.call @sums(%x) : (f32) -> f32
  %b = spl.call @sums(%a) : (f32) -> f32
  spl.return %b : f32
}
spl.func private @sums(%x: f32) -> f32 {
  %a = spl.intrinsic "gpu.warp_sum"(%x) : (f32) -> f32
  %b = spl.intrinsic "gpu.warp_sum"(%a) : (f32) -> f32
  %c = spl.intrinsic "gpu.warp_sum"(%b) : (f32) -> f32
  %d = spl.intrinsic "gpu.warp_sum"(%c) : (f32) -> f32
  spl.return %d : f32
}

// -----

// CHECK: error: 'c' must be inlined, because its work-items cooperate, but its calls are nested 2 deep, which is the maximum
// CHECK-NOT: note
spl.kernel @deep() attributes {signature = #spl.signature<"deep()">} {
  spl.call @c() : () -> ()
  spl.return
}
spl.func private @c() {
  spl.call @b() : () -> ()
  spl.return
}
spl.func private @b() {
  spl.call @a() : () -> ()
  spl.return
}
spl.func private @a() {
  spl.intrinsic "gpu.barrier"() : () -> ()
  spl.return
}
