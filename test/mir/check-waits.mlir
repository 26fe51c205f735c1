// RUN: simple-opt %s -spl-check-waits -verify-diagnostics -o /dev/null

// Cases that test/codegen/spin-wait.spl cannot express: memory without a name, and conditions that
// are results of an inner region.
spl.kernel @inner(%go: !spl.slice<i32, mut>) attributes {signature = #spl.signature<"inner(go: &mut [i32])">} {
  %zero = arith.constant 0 : i64
  %none = arith.constant 0 : i32
  %true = arith.constant true
  %false = arith.constant false
  // expected-warning @+1 {{this loop ends only when another work-item stores to memory}}
  scf.while (%on = %true) : (i1) -> () {
    scf.condition(%on)
  } do {
    %x = spl.atomic load %go[%zero] relaxed device : !spl.slice<i32, mut>, () -> i32
    %closed = arith.cmpi eq, %x, %none : i32
    %next = scf.if %closed -> i1 {
      scf.yield %true : i1
    } else {
      scf.yield %false : i1
    }
    scf.yield %next : i1
  }
  spl.return
}

// A loop on local memory does not wait for another work-item.
spl.kernel @local() attributes {signature = #spl.signature<"local()">} {
  %zero = arith.constant 0 : i64
  %none = arith.constant 0 : i32
  %own = spl.local 1 : !spl.slice<i32, mut>
  scf.while : () -> () {
    %x = spl.load %own[%zero] : <i32, mut>
    %closed = arith.cmpi eq, %x, %none : i32
    scf.condition(%closed)
  } do {
    scf.yield
  }
  spl.return
}
