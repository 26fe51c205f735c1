// A function that must be inlined cannot call itself, as inlining would never end. The language has
// no recursion, but MIR can express it.
// RUN: not simple-opt %s -split-input-file -spl-inline 2>&1 | FileCheck %s

// CHECK: inline-recursive.mlir:[[#@LINE+3]]:3: error: 'twice' must be inlined, because its work-items cooperate, but it calls itself
spl.func @twice() {
  spl.intrinsic "gpu.barrier"() : () -> ()
  spl.call @twice() : () -> ()
  spl.call @twice() : () -> ()
  spl.return
}

// -----

// CHECK: error: 'there' must be inlined, because its work-items cooperate, but it calls itself
spl.func @there() {
  spl.intrinsic "gpu.barrier"() : () -> ()
  spl.call @back() : () -> ()
  spl.return
}
spl.func @back() {
  spl.call @there() : () -> ()
  spl.return
}
