// A call that exceeds a limit is not inlined, and its callee stays.
// RUN: simple-opt %s -spl-inline=max-callee=3 | FileCheck %s --check-prefix=CALLEE
// RUN: simple-opt %s -spl-inline=max-caller=11 | FileCheck %s --check-prefix=CALLER
// RUN: simple-opt %s -spl-inline=max-depth=1 | FileCheck %s --check-prefix=DEPTH
// RUN: %python %S/Inputs/call-chain.py 40 2 | simple-opt -spl-inline | FileCheck %s --check-prefix=WIDE
// RUN: %python %S/Inputs/call-chain.py 20000 1 | simple-opt -spl-inline | FileCheck %s --check-prefix=LONG

// @four is called twice and has four operations. @five is called once, so its size does not count.
// CALLEE-LABEL: spl.kernel @limits(
// CALLEE-COUNT-2: spl.call @four(
// CALLEE-NOT: spl.call
// CALLEE: spl.func private @four(
// CALLEE-NOT: spl.func private @five(

// One of the calls fits into the limit.
// CALLER-LABEL: spl.kernel @limits(
// CALLER: arith.subi
// CALLER: spl.call @four(
// CALLER: spl.call @five(
// CALLER-NOT: spl.call
// CALLER: spl.func private @four(
// CALLER: spl.func private @five(

// DEPTH-LABEL: spl.kernel @limits(
// DEPTH: arith.subi
// DEPTH: arith.subi
// DEPTH: spl.call @five(
// DEPTH: spl.func private @five(
// DEPTH: arith.xori
// DEPTH-NOT: spl.func
spl.kernel @limits(%n: i32) attributes {signature = #spl.signature<"limits(n: i32)">} {
  %a = spl.call @four(%n) : (i32) -> i32
  %b = spl.call @four(%a) : (i32) -> i32
  %c = spl.call @five(%b) : (i32) -> i32
  spl.return
}
spl.func private @four(%n: i32) -> i32 {
  %a = arith.subi %n, %n : i32
  %b = arith.subi %a, %n : i32
  %c = arith.subi %b, %n : i32
  spl.return %c : i32
}
spl.func private @five(%n: i32) -> i32 {
  %a = arith.muli %n, %n : i32
  %b = arith.muli %a, %n : i32
  %c = spl.call @deepest(%b) : (i32) -> i32
  %d = arith.muli %c, %n : i32
  spl.return %d : i32
}
spl.func private @deepest(%n: i32) -> i32 {
  %a = arith.xori %n, %n : i32
  spl.return %a : i32
}

// Forty functions that each call the previous one twice would become 2^40 operations without a limit.
// WIDE: spl.func private
// WIDE: spl.kernel @chain(
// WIDE: spl.call
// The longest possible chain of calls. The locations must not nest that deep.
// LONG: spl.func private
// LONG: spl.kernel @chain(
// LONG: spl.call
