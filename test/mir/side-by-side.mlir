// RUN: simple-opt %s -spl-work-item-loops=side-by-side -canonicalize -cse -split-input-file | FileCheck %s
// RUN: simple-opt %s -spl-work-item-loops -split-input-file | FileCheck %s --check-prefix=WITHOUT
// WITHOUT-NOT: spl.side_by_side

// There are two bodies. The number of groups is a hidden size. In the second body, the innermost loop in
// the loop with barriers is over groups, and the shared array has an element for each. The first region
// loads and the last one stores global memory: there the innermost loop is over x.
// CHECK-LABEL: spl.kernel @turn(
// CHECK-SAME: spl.side_by_side = array<i64: 16, 16>
// CHECK: %[[GROUPS:.*]] = spl.intrinsic "gpu.local_size" axis 0 {spl.ungrouped}
// CHECK: %[[ONE_GROUP:.*]] = arith.cmpi eq, %[[GROUPS]], %c1_i64
// CHECK: scf.if %[[ONE_GROUP]] {
// CHECK: spl.shared "turn.0"[8] : <f32, mut>
// CHECK: } else {
// CHECK-DAG: %[[X:.*]] = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
// CHECK-DAG: %[[FIRST:.*]] = spl.intrinsic "gpu.group_id" axis 0
// CHECK-DAG: %[[CELLS:.*]] = spl.shared "turn.0.groups"[8, 16] : <f32, mut, rank 2>
// CHECK: scf.for %[[G:.*]] = %{{.*}} to %[[GROUPS]]
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %[[X]]
// CHECK: %[[ID:.*]] = arith.addi %[[FIRST]], %[[G]]
// CHECK: spl.load %{{.*}}[%[[ID]], %[[I]]]
// CHECK: } {spl.work_items = 8 : i64}
// CHECK: scf.for %{{.*}} to %{{.*}} step
// CHECK: scf.for %[[I2:.*]] = %{{.*}} to %[[X]]
// CHECK: scf.for %[[G2:.*]] = %{{.*}} to %[[GROUPS]]
// CHECK: spl.store %{{.*}}, %[[CELLS]][%[[I2]], %[[G2]]]
// CHECK: } {spl.side_by_side, spl.work_items = 16 : i64}
// CHECK: scf.for %[[I3:.*]] = %{{.*}} to %[[X]]
// CHECK: scf.for %[[G3:.*]] = %{{.*}} to %[[GROUPS]]
// CHECK: spl.load %[[CELLS]][%{{.*}}, %[[G3]]]
// The check names the work-item of the first group: those of the others come after it.
// CHECK: %[[BEFORE:.*]] = arith.muli %[[G3]], %[[X]]
// CHECK: %[[ITEM:.*]] = arith.addi %[[BEFORE]], %[[I3]]
// CHECK: spl.check %{{.*}}, <"index-out-of-bounds">({{.*}}) work_item(%[[ITEM]], %{{.*}}, %{{.*}})
spl.kernel @turn(%a: !spl.slice<f32, mut, rank 2>, %n: i64)
    attributes {signature = #spl.signature<"#[gpu(block: [8])] turn(a: &mut [f32, 2], n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %three = arith.constant 3 : i64
  %cells = spl.shared "turn.0"[8] : <f32, mut>
  %g = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %first = spl.load %a[%g, %i] : <f32, mut, rank 2>
  %other = arith.xori %i, %three : i64
  %last = scf.for %k = %zero to %n step %one iter_args(%sum = %first) -> f32 : i64 {
    spl.store %sum, %cells[%i] : <f32, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
    %its = spl.load %cells[%other] : <f32, mut>
    %in = arith.cmpi ult, %other, %n : i64
    spl.check %in, <"index-out-of-bounds">(%other, %n)
    spl.intrinsic "gpu.barrier" : () -> ()
    %next = arith.addf %sum, %its : f32
    scf.yield %next : f32
  }
  spl.store %last, %a[%g, %i] : <f32, mut, rank 2>
  spl.return
}

// -----

// Groups of any size. The shared memory of more than 8 of them would not fit in the first cache.
// CHECK-LABEL: spl.kernel @any_size(
// CHECK-SAME: spl.side_by_side = array<i64: 8, 16>
// CHECK: spl.shared "any_size.0"[1024] : <i32, mut>
// CHECK: } else {
// CHECK: spl.shared "any_size.0.groups"[1024, 8] : <i32, mut, rank 2>
spl.kernel @any_size(%n: i64)
    attributes {signature = #spl.signature<"any_size(n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %value = arith.constant 1 : i32
  %cells = spl.shared "any_size.0"[1024] : <i32, mut>
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  scf.for %k = %zero to %n step %one : i64 {
    spl.store %value, %cells[%i] : <i32, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// These run one after the other: the number of iterations differs between groups;
// CHECK-LABEL: spl.kernel @differ(
// CHECK-NOT: spl.side_by_side
spl.kernel @differ(%n: i64)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] differ(n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %g = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  scf.for %k = %zero to %g step %one : i64 {
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// a value is promised to be the same in one group;
// CHECK-LABEL: spl.kernel @promise(
// CHECK-NOT: spl.side_by_side
spl.kernel @promise(%n: i64, %a: !spl.slice<i64, mut>)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] promise(n: i64, a: &mut [i64])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %g = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  scf.for %k = %zero to %n step %one : i64 {
    %same = spl.intrinsic "gpu.uniform"(%g) : (i64) -> i64
    spl.store %same, %a[%k] : <i64, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// the groups are not small;
// CHECK-LABEL: spl.kernel @large(
// CHECK-NOT: spl.side_by_side
spl.kernel @large(%n: i64)
    attributes {signature = #spl.signature<"#[gpu(block: [9, 2])] large(n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %k = %zero to %n step %one : i64 {
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// a group waits for another one;
// CHECK-LABEL: spl.kernel @waits(
// CHECK-NOT: spl.side_by_side
spl.kernel @waits(%n: i64, %flags: !spl.slice<i32, mut>)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] waits(n: i64, flags: &mut [i32])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %none = arith.constant 0 : i32
  %g = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  scf.for %k = %zero to %n step %one : i64 {
    scf.while : () -> () {
      %flag = spl.atomic load %flags[%g] acquire device : !spl.slice<i32, mut>, () -> i32
      %unset = arith.cmpi eq, %flag, %none : i32
      scf.condition(%unset)
    } do {
      scf.yield
    }
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// it waits for a number of iterations;
// CHECK-LABEL: spl.kernel @polls(
// CHECK-NOT: spl.side_by_side
spl.kernel @polls(%n: i64, %flags: !spl.slice<i64, mut>)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] polls(n: i64, flags: &mut [i64])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %g = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  %last = scf.for %k = %zero to %n step %one iter_args(%before = %zero) -> i64 : i64 {
    %flag = spl.atomic load %flags[%g] acquire device : !spl.slice<i64, mut>, () -> i64
    spl.intrinsic "gpu.barrier" : () -> ()
    scf.yield %flag : i64
  }
  spl.store %last, %flags[%g] : <i64, mut>
  spl.return
}

// -----

// Atomics of the shared memory of a group do not wait for another one.
// CHECK-LABEL: spl.kernel @counts(
// CHECK-SAME: spl.side_by_side
spl.kernel @counts(%n: i64, %out: !spl.slice<i64, mut>)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] counts(n: i64, out: &mut [i64])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %cells = spl.shared "counts.0"[4] : <i64, mut>
  scf.for %k = %zero to %n step %one : i64 {
    %old = spl.atomic add %cells[%zero](%one) relaxed group : !spl.slice<i64, mut>, (i64) -> i64
    spl.store %old, %out[%k] : <i64, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// These run one after the other, too: there is a third axis;
// CHECK-LABEL: spl.kernel @deep(
// CHECK-NOT: spl.side_by_side
spl.kernel @deep(%n: i64)
    attributes {signature = #spl.signature<"#[gpu(block: [2, 2, 2])] deep(n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %k = %zero to %n step %one : i64 {
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// lanes have ids;
// CHECK-LABEL: spl.kernel @lanes(
// CHECK-NOT: spl.side_by_side
spl.kernel @lanes(%n: i64, %a: !spl.slice<i64, mut>)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] lanes(n: i64, a: &mut [i64])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %k = %zero to %n step %one : i64 {
    %lane = spl.intrinsic "gpu.lane_id" : () -> i64
    spl.store %lane, %a[%k] : <i64, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// warps compute something together;
// CHECK-LABEL: spl.kernel @warps(
// CHECK-NOT: spl.side_by_side
spl.kernel @warps(%n: i64, %a: !spl.slice<i64, mut>)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] warps(n: i64, a: &mut [i64])">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %k = %zero to %n step %one : i64 {
    %sum = spl.intrinsic "gpu.warp_sum"(%k) : (i64) -> i64
    spl.store %sum, %a[%k] : <i64, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// a function is called;
// CHECK-LABEL: spl.kernel @calls(
// CHECK-NOT: spl.side_by_side
spl.func private @f() {
  spl.return
}
spl.kernel @calls(%n: i64)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] calls(n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  scf.for %k = %zero to %n step %one : i64 {
    spl.call @f() : () -> ()
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// the launch gives shared memory;
// CHECK-LABEL: spl.kernel @dynamic(
// CHECK-NOT: spl.side_by_side
spl.kernel @dynamic(%n: i64)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] dynamic(n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %cells = spl.shared_dyn %zero : <i64, mut>
  scf.for %k = %zero to %n step %one : i64 {
    spl.store %one, %cells[%k] : <i64, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// a part of a shared array is a slice;
// CHECK-LABEL: spl.kernel @cut(
// CHECK-NOT: spl.side_by_side
spl.kernel @cut(%n: i64)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] cut(n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %cells = spl.shared "cut.0"[8] : <i64, mut>
  %part = spl.subslice %cells[%zero to %one] : <i64, mut>
  scf.for %k = %zero to %n step %one : i64 {
    spl.store %one, %part[%k] : <i64, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// a shared array has four axes;
// CHECK-LABEL: spl.kernel @axes(
// CHECK-NOT: spl.side_by_side
spl.kernel @axes(%n: i64)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] axes(n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %cells = spl.shared "axes.0"[2, 2, 2, 2] : <i64, mut, rank 4>
  scf.for %k = %zero to %n step %one : i64 {
    spl.store %one, %cells[%k, %k, %k, %k] : <i64, mut, rank 4>
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// the shared memory of four groups would not fit in the first cache;
// CHECK-LABEL: spl.kernel @big(
// CHECK-NOT: spl.side_by_side
spl.kernel @big(%n: i64)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] big(n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %cells = spl.shared "big.0"[1025] : <i64, mut>
  scf.for %k = %zero to %n step %one : i64 {
    spl.store %one, %cells[%k] : <i64, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}

// -----

// or shared memory has vectors.
// CHECK-LABEL: spl.kernel @others(
// CHECK-NOT: spl.side_by_side
spl.kernel @others(%n: i64)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] others(n: i64)">} {
  %zero = arith.constant 0 : i64
  %one = arith.constant 1 : i64
  %cells = spl.shared "others.0"[4] : <vector<4xf32>, mut>
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  scf.for %k = %zero to %n step %one : i64 {
    %v = spl.load %cells[%i] : <vector<4xf32>, mut>
    spl.intrinsic "gpu.barrier" : () -> ()
    spl.store %v, %cells[%k] : <vector<4xf32>, mut>
  }
  spl.return
}

// -----

// Sums of groups: each group has a partial sum, to which its work-items are added in turn. If no barrier is in a
// loop, fewer work-items are few.
// CHECK-LABEL: spl.kernel @sums(
// CHECK-SAME: spl.side_by_side = array<i64: 16, 8>
// CHECK: %[[GROUPS:.*]] = spl.intrinsic "gpu.local_size" axis 0 {spl.ungrouped}
// CHECK: } else {
// CHECK: scf.for %[[G:.*]] = %{{.*}} to %[[GROUPS]]
// CHECK: scf.for %[[G0:.*]] = %{{.*}} to %[[GROUPS]]
// CHECK-NEXT: spl.store %c0_i64, %[[PARTIAL:.*]][%[[G0]]]
// CHECK-NEXT: } {spl.side_by_side, spl.work_items = 16 : i64}
// CHECK: scf.for %[[I:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NEXT: %[[ROW:.*]] = arith.muli %[[I]], %[[GROUPS]]
// CHECK-NEXT: scf.for %[[G2:.*]] = %{{.*}} to %[[GROUPS]]
// CHECK-NEXT: %[[AT:.*]] = arith.addi %[[ROW]], %[[G2]]
// CHECK-NEXT: %[[BEFORE:.*]] = spl.load %[[PARTIAL]][%[[G2]]]
// CHECK-NEXT: %[[MINE:.*]] = spl.load %{{.*}}[%[[AT]]]
// CHECK-NEXT: %[[AFTER:.*]] = arith.addi %[[BEFORE]], %[[MINE]]
// CHECK-NEXT: spl.store %[[AFTER]], %[[PARTIAL]][%[[G2]]]
spl.kernel @sums(%a: !spl.slice<i64, mut>)
    attributes {signature = #spl.signature<"#[gpu(block: [4])] sums(a: &mut [i64])">} {
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %x = spl.load %a[%i] : <i64, mut>
  %sum = spl.intrinsic "gpu.group_sum"(%x) : (i64) -> i64
  spl.store %sum, %a[%i] : <i64, mut>
  spl.return
}
