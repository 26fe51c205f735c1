// RUN: simple-opt %s -spl-check-barriers -split-input-file -verify-diagnostics -o /dev/null

// All work-items of the group take part: values are uniform, and so is control flow by them.
spl.kernel @uniform(%a: !spl.slice<i64> {spl.name = "a"}, %out: !spl.slice<i64, mut>, %n: i64)
    attributes {signature = #spl.signature<"uniform(a: &[i64], out: &mut [i64], n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %true = arith.constant true
  %group = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  %size = spl.intrinsic "gpu.local_size" axis 1 : () -> i64
  %x = spl.load %a[%group] : <i64>
  %extent = spl.extent %out, 0 : <i64, mut>
  %sum = arith.addi %x, %extent : i64
  %local = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %c0 = arith.cmpi slt, %sum, %n : i64
  scf.if %c0 {
    spl.intrinsic "gpu.barrier" : () -> ()
    // A divergent value does not matter if no branch depends on it.
    %mine = spl.load %out[%local] : <i64, mut>
    %all = spl.intrinsic "gpu.group_sum"(%mine) : (i64) -> i64
    %word = spl.intrinsic "gpu.uniform"(%mine) : (i64) -> i64
    %c1 = arith.cmpi slt, %all, %word : i64
    scf.if %c1 {
      spl.intrinsic "gpu.barrier" : () -> ()
    }
  }
  // A loop with uniform bounds may carry divergent values. A uniform value after it stays uniform.
  %last:2 = scf.for %i = %zero to %size step %one iter_args(%u = %n, %d = %local)
      -> (i64, i64) : i64 {
    %c2 = arith.cmpi slt, %u, %i : i64
    scf.if %c2 {
      spl.intrinsic "gpu.barrier" : () -> ()
    }
    %u1 = arith.addi %u, %i : i64
    scf.yield %u1, %u1 : i64, i64
  }
  %c3 = arith.cmpi eq, %last#0, %zero : i64
  scf.while (%go = %c3) : (i1) -> (i1) {
    scf.condition(%go) %go : i1
  } do {
  ^bb0(%go: i1):
    spl.intrinsic "gpu.barrier" : () -> ()
    scf.yield %go : i1
  }
  // Local memory with uniform stores only.
  %place = spl.local 2 : !spl.slice<!spl.struct<i64, i32>, mut>
  %field = spl.part %place[%one] field 0 : !spl.slice<!spl.struct<i64, i32>, mut> -> !spl.slice<i64, mut>
  scf.if %c3 {
    spl.store %n, %field[%zero] : <i64, mut>
  }
  %again = spl.load %field[%zero] : <i64, mut>
  %c4 = arith.cmpi eq, %again, %zero : i64
  scf.if %c4 {
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

spl.kernel @by_id(%n: i64) attributes {signature = #spl.signature<"by_id(n: i64)">} {
  // expected-note @below {{it comes from gpu.local_id here}}
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  // expected-note @below {{which depends on this}}
  %j = arith.addi %i, %n : i64
  %c = arith.cmpi slt, %j, %n : i64
  // expected-note @below {{this condition differs between work-items; put it around the loads and stores only, so that all work-items reach 'gpu.barrier'}}
  scf.if %c {
    // expected-error @below {{all work-items of the group must reach 'gpu.barrier', but not all of them do}}
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  // Warp collectives may appear anywhere.
  scf.if %c {
    %b = spl.intrinsic "gpu.ballot"(%c) : (i1) -> i32
  }
  spl.return
}

// -----

spl.kernel @by_load(%out: !spl.slice<i64, mut> {spl.name = "out"})
    attributes {signature = #spl.signature<"by_load(out: &mut [i64])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // expected-note @below {{it comes from 'out', which work-items may write here}}
  %x = spl.load %out[%zero] : <i64, mut>
  // expected-note @below {{the number of iterations of this loop may differ between work-items; 'gpu.uniform' says that a value does not, and 'gpu.group_broadcast' makes it that of one work-item}}
  scf.for %i = %zero to %x step %one : i64 {
    // expected-error @below {{all work-items of the group must reach 'gpu.group_sum', but}}
    %s = spl.intrinsic "gpu.group_sum"(%i) : (i64) -> i64
  }
  spl.return
}

// -----

// A value that leaves a loop after a divergent number of iterations is divergent, even if each
// iteration computes the same.
spl.kernel @temporal() attributes {signature = #spl.signature<"temporal()">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  // expected-note @below {{it comes from gpu.local_id here}}
  %i = spl.intrinsic "gpu.local_id" axis 2 : () -> i64
  // expected-note @below {{which depends on this}}
  %count = scf.while (%k = %zero) : (i64) -> (i64) {
    // expected-note @below {{which depends on this}}
    %more = arith.cmpi slt, %k, %i : i64
    scf.condition(%more) %k : i64
  } do {
  ^bb0(%k: i64):
    %next = arith.addi %k, %one : i64
    scf.yield %next : i64
  }
  %c = arith.cmpi eq, %count, %zero : i64
  // expected-note @below {{this condition differs between work-items; put it around the loads and stores only, so that all work-items reach 'gpu.barrier'}}
  scf.if %c {
    // expected-error @below {{all work-items of the group must reach 'gpu.barrier'}}
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// Work-items leave a loop at different times, so a collective in it is divergent.
spl.kernel @in_while(%n: i64) attributes {signature = #spl.signature<"in_while(n: i64)">} {
  // expected-note @below {{it comes from gpu.lane_id here}}
  %i = spl.intrinsic "gpu.lane_id" : () -> i64
  // expected-note @+2 {{the number of iterations of this loop differs between work-items; loop over a range that is the same for all of them, with an 'if' around the loads and stores, so that all work-items reach 'gpu.barrier'}}
  // expected-note @+1 {{which depends on this}}
  scf.while (%k = %i) : (i64) -> (i64) {
    %more = arith.cmpi slt, %k, %n : i64
    scf.condition(%more) %k : i64
  } do {
  ^bb0(%k: i64):
    // expected-error @below {{all work-items of the group must reach 'gpu.barrier'}}
    spl.intrinsic "gpu.barrier" : () -> ()
    scf.yield %k : i64
  }
  spl.return
}

// -----

// An assignment under a divergent condition.
spl.kernel @assigned(%n: i64) attributes {signature = #spl.signature<"assigned(n: i64)">} {
  %zero = arith.constant 0 : i64
  // expected-note @below {{it comes from gpu.local_id here}}
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  // expected-note @below {{which depends on this}}
  %c = arith.cmpi eq, %i, %zero : i64
  // expected-note @below {{which depends on this}}
  %place = spl.local 1 : !spl.slice<i64, mut>
  scf.if %c {
    spl.store %n, %place[%zero] : <i64, mut>
  }
  // expected-note @below {{which depends on this}}
  %x = spl.load %place[%zero] : <i64, mut>
  %d = arith.cmpi eq, %x, %zero : i64
  // expected-note @below {{this condition differs between work-items; put it around the loads and stores only, so that all work-items reach 'gpu.barrier'}}
  scf.if %d {
    // expected-error @below {{all work-items of the group must reach 'gpu.barrier'}}
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// The stored value is divergent, although the declaration is not.
// expected-note @below {{it comes from 'out', which work-items may write here}}
spl.kernel @copied(%out: !spl.slice<!spl.struct<i64, i32>, mut> {spl.name = "out"})
    attributes {signature = #spl.signature<"struct P(x: i64, y: i32) copied(out: &mut [P])">} {
  %zero = arith.constant 0 : i64
  // expected-note @below {{which depends on this}}
  %place = spl.local 1 : !spl.slice<!spl.struct<i64, i32>, mut>
  spl.copy %out[%zero], %place[%zero] : !spl.slice<!spl.struct<i64, i32>, mut>, !spl.slice<!spl.struct<i64, i32>, mut>
  // expected-note @below {{which depends on this}}
  %field = spl.part %place[%zero] field 0 : !spl.slice<!spl.struct<i64, i32>, mut> -> !spl.slice<i64, mut>
  // expected-note @below {{which depends on this}}
  %x = spl.load %field[%zero] : <i64, mut>
  %d = arith.cmpi eq, %x, %zero : i64
  // expected-note @below {{this condition may differ between work-items; 'gpu.uniform' says that a value does not, and 'gpu.group_broadcast' makes it that of one work-item}}
  scf.if %d {
    // expected-error @below {{all work-items of the group must reach 'gpu.barrier'}}
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// Functions that are not inlined: one that only computes, and one that uses ids.
spl.kernel @calls(%n: i64) attributes {signature = #spl.signature<"calls(n: i64)">} {
  %zero = arith.constant 0 : i64
  %x = spl.call @computes(%n) : (i64) -> i64
  %c = arith.cmpi eq, %x, %zero : i64
  scf.if %c {
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  // expected-note @below {{'asks' computes it from divergent values here}}
  %y = spl.call @asks(%n) : (i64) -> i64
  %d = arith.cmpi eq, %y, %zero : i64
  // expected-note @below {{this condition may differ between work-items; 'gpu.uniform' says that a value does not, and 'gpu.group_broadcast' makes it that of one work-item}}
  scf.if %d {
    // expected-error @below {{all work-items of the group must reach 'gpu.barrier'}}
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}
spl.func @computes(%n: i64) -> i64 {
  %m = arith.addi %n, %n : i64
  spl.return %m : i64
}
spl.func @asks(%n: i64) -> i64 {
  %m = spl.call @deeper() : () -> i64
  spl.return %m : i64
}
spl.func @deeper() -> i64 {
  %m = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  spl.return %m : i64
}

// -----

spl.kernel @broadcast(%x: f32) attributes {signature = #spl.signature<"broadcast(x: f32)">} {
  %zero = arith.constant 0 : i64
  %y = spl.intrinsic "gpu.group_broadcast"(%x, %zero) : (f32, i64) -> f32
  // expected-note @below {{it comes from gpu.local_id here}}
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  // expected-error @below {{the work-item of 'gpu.group_broadcast' must be uniform in the group}}
  %z = spl.intrinsic "gpu.group_broadcast"(%x, %i) : (f32, i64) -> f32
  spl.return
}
