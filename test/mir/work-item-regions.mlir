// RUN: simple-opt %s -spl-work-item-loops -canonicalize | FileCheck %s

// One loop before the barrier and one after it. Cheap values are recomputed (the id), uniform
// values are computed once (the size less one), and all others are saved for each work-item.
// CHECK-LABEL: spl.kernel @barrier(
// CHECK-SAME: %[[A:[a-z0-9]+]]: !spl.slice<f32>
spl.kernel @barrier(%a: !spl.slice<f32> {spl.name = "a"}, %out: !spl.slice<f32, mut> {spl.name = "out"})
    attributes {signature = #spl.signature<"barrier(a: &[f32], out: &mut [f32])">} {
  %one = arith.constant 1 : i64
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %n = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
  %tile = spl.shared "tile"[1024] : !spl.slice<f32, mut>
  // CHECK: %[[KEPT:.*]] = spl.scratch 1024 : <f32, mut>
  // CHECK-NOT: spl.scratch
  // CHECK: %[[TILE:.*]] = spl.shared "tile"
  // CHECK: scf.for %[[Z:.*]] =
  // CHECK-NEXT: scf.for %[[Y:.*]] =
  // CHECK: scf.for %[[X:.*]] =
  // CHECK: %[[FLAT:.*]] = arith.addi %{{.*}}, %[[X]]
  // CHECK: spl.check %{{.*}}, <trap> work_item(%[[X]], %[[Y]], %[[Z]])
  // CHECK-NEXT: %[[V:.*]] = spl.load %[[A]][%[[X]]]
  // CHECK-NEXT: spl.store %[[V]], %[[TILE]][%[[X]]]
  // CHECK-NEXT: spl.store %[[V]], %[[KEPT]][%[[FLAT]]]
  %p = arith.cmpi slt, %i, %n : i64
  spl.check %p, <"trap">
  %x = spl.load %a[%i] : <f32>
  spl.store %x, %tile[%i] : <f32, mut>
  spl.intrinsic "gpu.barrier" : () -> ()
  // CHECK: %[[LAST:.*]] = arith.subi
  // CHECK: scf.for %{{.*}} =
  // CHECK-NEXT: scf.for %{{.*}} =
  // CHECK: scf.for %[[X:.*]] =
  // CHECK: %[[MINE:.*]] = spl.load %[[KEPT]]
  // CHECK: %[[J:.*]] = arith.subi %[[LAST]], %[[X]]
  // CHECK: spl.load %[[TILE]][%[[J]]]
  %last = arith.subi %n, %one : i64
  %j = arith.subi %last, %i : i64
  %y = spl.load %tile[%j] : <f32, mut>
  %r = arith.addf %x, %y : f32
  spl.store %r, %out[%i] : <f32, mut>
  spl.return
}

// A loop around a barrier stays outside. Divergent values that it carries are saved. Uniform ones
// remain carried values.
// CHECK-LABEL: spl.kernel @loop(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i64
spl.kernel @loop(%n: i64, %out: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"loop(n: i64, out: &mut [i64])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  // CHECK: %[[KEPT:.*]] = spl.scratch 1024 : <i64, mut>
  // CHECK: spl.store %{{.*}}, %[[KEPT]]
  // CHECK: %[[U:.*]] = scf.for %{{.*}} = %{{.*}} to %[[N]] step %{{.*}} iter_args(%[[W:.*]] = %[[N]])
  // CHECK: %[[NEXT:.*]] = arith.addi %[[W]]
  // CHECK: spl.load %[[KEPT]]
  // CHECK: spl.store %{{.*}}, %[[KEPT]]
  // CHECK: scf.yield %[[NEXT]]
  %r:2 = scf.for %k = %zero to %n step %one iter_args(%d = %i, %u = %n) -> (i64, i64) : i64 {
    spl.intrinsic "gpu.barrier" : () -> ()
    %e = arith.muli %d, %u : i64
    %v = arith.addi %u, %k : i64
    scf.yield %e, %v : i64, i64
  }
  // CHECK: %[[D:.*]] = spl.load %[[KEPT]]
  // CHECK: arith.addi %[[D]], %[[U]]
  %s = arith.addi %r#0, %r#1 : i64
  spl.store %s, %out[%i] : <i64, mut>
  spl.return
}

// A uniform result of a loop over the work-items is stored in one cell. A group collective is a
// loop over the values of the work-items.
// CHECK-LABEL: spl.kernel @uniform(
spl.kernel @uniform(%a: !spl.slice<i64>, %out: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"uniform(a: &[i64], out: &mut [i64])">} {
  %zero = arith.constant 0 : i64
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  // CHECK: %[[BROUGHT:.*]] = spl.scratch
  // CHECK: %[[CELL:.*]] = spl.local 1 : <i1, mut>
  // CHECK: %[[X:.*]] = spl.load %{{.*}}[%{{.*}}] : <i64>
  // CHECK: %[[C:.*]] = arith.cmpi slt, %[[X]]
  // CHECK: spl.store %[[C]], %[[CELL]]
  // CHECK: %[[ONE:.*]] = spl.load %[[CELL]]
  // CHECK: scf.if %[[ONE]]
  %x = spl.load %a[%zero] : <i64>
  %c = arith.cmpi slt, %x, %zero : i64
  scf.if %c {
    // CHECK: %[[MINE:.*]] = spl.load
    // CHECK: spl.store %[[MINE]], %[[BROUGHT]]
    // CHECK: %[[SUM:.*]] = scf.for %[[AT:.*]] = {{.*}} iter_args(%[[SO:.*]] =
    // CHECK-NEXT: %[[NEXT:.*]] = spl.load %[[BROUGHT]][%[[AT]]]
    // CHECK-NEXT: arith.addi %[[SO]], %[[NEXT]]
    %mine = spl.load %out[%i] : <i64, mut>
    %sum = spl.intrinsic "gpu.group_sum"(%mine) : (i64) -> i64
    // CHECK: spl.store %[[SUM]]
    spl.store %sum, %out[%i] : <i64, mut>
  }
  spl.return
}

// Between warp collectives the warps run one after the other. If the rows of the group are whole warps, all lanes exist.
// Otherwise each warp has a mask. A branch splits it.
// CHECK-LABEL: spl.kernel @warps(
spl.kernel @warps(%a: !spl.slice<i32, mut>) attributes {signature = #spl.signature<"warps(a: &mut [i32])">} {
  %zero = arith.constant 0 : i32
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  // CHECK-NOT: spl.scratch
  // CHECK: %[[REST:.*]] = arith.remui %[[WIDTH:.*]], %c32_i64
  // CHECK: %[[ARE_ROWS:.*]] = arith.cmpi eq, %[[REST]], %c0_i64
  // CHECK: scf.if %[[ARE_ROWS]] {
  // CHECK: scf.for %[[X:.*]] = %c0_i64 to %[[WIDTH]] step %c32_i64
  // CHECK: scf.for %[[LANE:.*]] = %c0_i64 to %c32_i64 step %c1_i64
  // CHECK: %[[ID:.*]] = arith.addi %[[X]], %[[LANE]] overflow<nsw>
  // CHECK: } {spl.unroll = 0 : i64, spl.warp}
  // CHECK: %[[VOTES:.*]] = spl.load_lanes %{{.*}} : <i1, mut> -> vector<32xi1>
  // CHECK: vector.bitcast %[[VOTES]] : vector<32xi1> to vector<1xi32>
  // CHECK: vector.reduction <add>
  // CHECK: } else {
  // CHECK: scf.for %[[FIRST:.*]] = %{{.*}} to %[[COUNT:.*]] step %{{.*}}
  // CHECK: %[[ALL:.*]] = arith.shrui %{{.*}}, %{{.*}} : i32
  // CHECK: spl.local 32
  %x = spl.load %a[%i] : <i32, mut>
  %c = arith.cmpi slt, %x, %zero : i32
  // CHECK: %[[THEN:.*]] = scf.for {{.*}} -> (i32)
  // CHECK: %[[ELSE:.*]] = arith.xori %[[ALL]], %[[THEN]]
  // CHECK: %[[SOME:.*]] = arith.cmpi ne, %[[THEN]]
  // CHECK: scf.if %[[SOME]]
  // CHECK: scf.for
  // CHECK: %[[BIT:.*]] = arith.shrui %[[THEN]]
  // CHECK: %[[OTHERS:.*]] = arith.cmpi ne, %[[ELSE]]
  // CHECK: scf.if %[[OTHERS]]
  // CHECK: arith.shrui %[[ELSE]]
  %r = scf.if %c -> i32 {
    %s = spl.intrinsic "gpu.warp_sum"(%x) : (i32) -> i32
    scf.yield %s : i32
  } else {
    %s = spl.intrinsic "gpu.warp_max"(%x) : (i32) -> i32
    scf.yield %s : i32
  }
  spl.store %r, %a[%i] : <i32, mut>
  spl.return
}

// In a row, a quotient of an id by the size of a warp is the same for all lanes, and so is what depends on it.
// CHECK-LABEL: spl.kernel @rows(
spl.kernel @rows(%starts: !spl.slice<i32>, %a: !spl.slice<i32, mut>) attributes {signature = #spl.signature<"rows(starts: &[i32], a: &mut [i32])">} {
  %zero = arith.constant 0 : i32
  %warp = arith.constant 32 : i64
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %y = spl.intrinsic "gpu.local_id" axis 1 : () -> i64
  %n = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
  %g = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  %first = arith.muli %g, %n overflow<nsw, nuw> : i64
  %id = arith.addi %first, %i overflow<nsw, nuw> : i64
  // CHECK: scf.if
  // CHECK: scf.for
  // CHECK: scf.for %[[Y:.*]] =
  // CHECK: scf.for %[[X:.*]] = %c0_i64 to %{{.*}} step %c32_i64
  // CHECK-NOT: scf.for
  // CHECK: %[[ID:.*]] = arith.addi %{{.*}}, %[[X]]
  // CHECK: %[[ROW:.*]] = arith.divsi %[[ID]], %c32_i64
  // CHECK: %[[BOTH:.*]] = arith.addi %[[ROW]], %[[Y]]
  // CHECK: scf.for
  // CHECK: %[[START:.*]] = spl.load %{{.*}}[%[[BOTH]]]
  // CHECK: %[[SOME:.*]] = spl.load %{{.*}} : <i1, mut>
  // CHECK: scf.if %[[SOME]] {
  %row = arith.divsi %id, %warp : i64
  %both = arith.addi %row, %y : i64
  %start = spl.load %starts[%both] : <i32>
  %some = arith.cmpi sgt, %start, %zero : i32
  scf.if %some {
    %s = spl.intrinsic "gpu.warp_sum"(%start) : (i32) -> i32
    spl.store %s, %a[%i] : <i32, mut>
  }
  spl.return
}

// Local memory whose contents are the same for all work-items is one variable of the group, if it does not change after
// the region that writes it.
// CHECK-LABEL: spl.kernel @uniform_memory(
spl.kernel @uniform_memory(%x: f32, %out: !spl.slice<f32, mut>) attributes {signature = #spl.signature<"uniform_memory(x: f32, out: &mut [f32])">} {
  %zero = arith.constant 0 : i64
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  // CHECK-NOT: spl.scratch
  // CHECK: %[[ONE:.*]] = spl.local 1 : <f32, mut>
  // CHECK: scf.for
  // CHECK: spl.store %{{.*}}, %[[ONE]]
  %own = spl.local 1 : !spl.slice<f32, mut>
  spl.store %x, %own[%zero] : <f32, mut>
  spl.intrinsic "gpu.barrier" : () -> ()
  // CHECK: scf.for
  // CHECK: %[[V:.*]] = spl.load %[[ONE]]
  // CHECK: spl.store %[[V]], %{{.*}}
  %v = spl.load %own[%zero] : <f32, mut>
  spl.store %v, %out[%i] : <f32, mut>
  spl.return
}
// CHECK-LABEL: spl.kernel @changing_memory(
// CHECK: spl.scratch 1024 : <!spl.array<1 x f32>, mut>
spl.kernel @changing_memory(%x: f32, %out: !spl.slice<f32, mut>) attributes {signature = #spl.signature<"changing_memory(x: f32, out: &mut [f32])">} {
  %zero = arith.constant 0 : i64
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %own = spl.local 1 : !spl.slice<f32, mut>
  spl.store %x, %own[%zero] : <f32, mut>
  spl.intrinsic "gpu.barrier" : () -> ()
  %v = spl.load %own[%zero] : <f32, mut>
  %next = arith.addf %v, %x : f32
  spl.store %next, %own[%zero] : <f32, mut>
  spl.store %v, %out[%i] : <f32, mut>
  spl.return
}

// Local memory that is used after a barrier is saved for each work-item.
// CHECK-LABEL: spl.kernel @memory(
spl.kernel @memory(%x: f32, %out: !spl.slice<f32, mut>) attributes {signature = #spl.signature<"memory(x: f32, out: &mut [f32])">} {
  %zero = arith.constant 0 : i64
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  // CHECK: %[[ALL:.*]] = spl.scratch 1024 : <!spl.array<3 x f32>, mut>
  %own = spl.local 3 : !spl.slice<f32, mut>
  // CHECK: %[[OWN:.*]] = spl.part %[[ALL]][%{{.*}}] {unchecked} : <!spl.array<3 x f32>, mut> -> <f32, mut>
  // CHECK: spl.store %{{.*}}, %[[OWN]]
  %id = arith.sitofp %i : i64 to f32
  %mine = arith.addf %x, %id : f32
  spl.store %mine, %own[%zero] : <f32, mut>
  spl.intrinsic "gpu.barrier" : () -> ()
  // CHECK: %[[OWN:.*]] = spl.part %[[ALL]]
  // CHECK: spl.load %[[OWN]]
  %y = spl.load %own[%zero] : <f32, mut>
  spl.store %y, %out[%i] : <f32, mut>
  // Memory that is used in one parallel region only does not change.
  // CHECK: spl.local 2
  %here = spl.local 2 : !spl.slice<f32, mut>
  spl.store %y, %here[%zero] : <f32, mut>
  spl.return
}

// A remainder whose divisor may be 0 is neither recomputed nor moved. A remainder with a constant divisor is.
// CHECK-LABEL: spl.kernel @remainder(
// CHECK-SAME: %[[N:[a-z0-9]+]]: i64, %[[D:[a-z0-9]+]]: i64
spl.kernel @remainder(%n: i64, %d: i64, %out: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"remainder(n: i64, d: i64, out: &mut [i64])">} {
  %zero = arith.constant 0 : i64
  %seven = arith.constant 7 : i64
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  // CHECK: %[[KEPT:.*]] = spl.scratch 1024 : <i64, mut>
  // CHECK: arith.remsi %[[N]], %{{c7.*}}
  // CHECK-NOT: arith.rem
  // CHECK: %[[CELL:.*]] = spl.local 1 : <i64, mut>
  // CHECK: scf.for
  // CHECK: spl.check
  // CHECK: %[[R:.*]] = arith.remsi %[[N]], %[[D]]
  // CHECK: %[[S:.*]] = arith.remui %{{.*}}, %[[D]]
  // CHECK-DAG: spl.store %[[R]], %[[CELL]]
  // CHECK-DAG: spl.store %[[S]], %[[KEPT]]
  %c = arith.cmpi ne, %d, %zero : i64
  spl.check %c, <"division-by-zero">
  %r = arith.remsi %n, %d : i64
  %s = arith.remui %i, %d : i64
  %t = arith.remsi %n, %seven : i64
  spl.intrinsic "gpu.barrier" : () -> ()
  // CHECK-NOT: arith.rem
  // CHECK: spl.load %[[CELL]]
  // CHECK-NOT: arith.rem
  // CHECK: spl.load %[[KEPT]]
  %u = arith.addi %r, %t : i64
  %v = arith.addi %u, %s : i64
  spl.store %v, %out[%i] : <i64, mut>
  spl.return
}

// A carried value stays in the slots of its initial value. The last region of an iteration stores it where the next one
// reads it, also if a barrier follows. Both values are read before one is written.
// CHECK-LABEL: spl.kernel @swapped(
// CHECK: %[[A:.*]] = spl.scratch 1024 : <f32, mut>
// CHECK-NEXT: %[[B:.*]] = spl.scratch 1024 : <f32, mut>
// CHECK-NOT: spl.scratch
// CHECK: spl.store %{{.*}}, %[[A]]
// CHECK-NEXT: spl.store %{{.*}}, %[[B]]
// CHECK: scf.for %{{.*}} to %{{[a-z0-9]+}} step %{{.*}} : i64 {
// CHECK-COUNT-3: scf.for
// CHECK: %[[FLAT:.*]] = arith.addi %{{.*}}, %{{.*}} : i64
// CHECK-NEXT: %[[VA:.*]] = spl.load %[[A]][%[[FLAT]]]
// CHECK: %[[SUM:.*]] = arith.addf %[[VA]]
// CHECK: %[[VB:.*]] = spl.load %[[B]][%[[FLAT]]]
// CHECK-NEXT: spl.store %[[VB]], %[[A]][%[[FLAT]]]
// CHECK-NEXT: spl.store %[[SUM]], %[[B]][%[[FLAT]]]
// CHECK: spl.load %[[A]]
spl.kernel @swapped(%n: i64, %in: !spl.slice<f32>, %out: !spl.slice<f32, mut>)
    attributes {signature = #spl.signature<"swapped(n: i64, in: &[f32], out: &mut [f32])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %x = spl.load %in[%i] : <f32>
  %next = arith.addi %i, %one : i64
  %y = spl.load %in[%next] : <f32>
  %r:2 = scf.for %k = %zero to %n step %one iter_args(%a = %x, %b = %y) -> (f32, f32) : i64 {
    %z = spl.load %in[%k] : <f32>
    %sum = arith.addf %a, %z : f32
    spl.intrinsic "gpu.barrier" : () -> ()
    scf.yield %b, %sum : f32, f32
  }
  spl.store %r#0, %out[%i] : <f32, mut>
  spl.return
}

// The slots of a local variable are not those of the views that a loop carries.
// CHECK-LABEL: spl.kernel @locals(
// CHECK: spl.return
spl.kernel @locals(%n: i64, %out: !spl.slice<f32, mut>)
    attributes {signature = #spl.signature<"locals(n: i64, out: &mut [f32])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %f = arith.constant 2.0 : f32
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %a = spl.local 4 : <f32, mut>
  %b = spl.local 4 : <f32, mut>
  %r:2 = scf.for %k = %zero to %n step %one iter_args(%p = %a, %q = %b) -> (!spl.slice<f32, mut>, !spl.slice<f32, mut>) : i64 {
    %x = arith.sitofp %i : i64 to f32
    spl.store %x, %p[%zero] : <f32, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
    scf.yield %q, %p : !spl.slice<f32, mut>, !spl.slice<f32, mut>
  }
  %v = spl.load %r#0[%zero] : <f32, mut>
  spl.store %v, %out[%i] : <f32, mut>
  spl.return
}
