// Loops over ranges with a variable step count in 32 bits what is left, where that is small.
// RUN: simple-opt %s -spl-narrow-distances | FileCheck %s
// RUN: simple-opt %s -spl-narrow-distances -spl-batch-loops | FileCheck %s --check-prefix=BATCH

// The step is limited to a number that no distance reaches. The sum of the variable and the step may need more bits.
// CHECK-LABEL: spl.kernel @grid_stride$unchecked(
// CHECK: %[[LIMIT:.*]] = arith.constant 2147483647 : i64
// CHECK: %[[LEAST:.*]] = arith.minui %{{.*}}, %[[LIMIT]] : i64
// CHECK: %[[SIZE:.*]] = arith.trunci %[[LEAST]] : i64 to i32
// CHECK: %[[LEFT:.*]] = arith.trunci %{{.*}} : i64 to i32
// CHECK: scf.while ({{.*}} = %[[LEFT]], {{.*}}) : (i64, i1, i32, f32)
// CHECK: arith.addi %{{.*}} : i64
// CHECK: arith.cmpi uge, %{{.*}}, %[[SIZE]] : i32
// CHECK: arith.subi %{{.*}}, %[[SIZE]] : i32
// CHECK-NOT: spl.small_range
// The batches start where the sum of four steps fits in 32 bits, and the rest continues at the
// first value and what the batches have gone.
// BATCH-LABEL: spl.kernel @grid_stride$unchecked(
// BATCH: arith.constant 536870912 : i32
// BATCH: scf.while {{.*}} : (i64, i1, i32, f32)
// BATCH: %[[GONE:.*]] = arith.subi %{{.*}}, %{{.*}}#2 : i32
// BATCH-NEXT: %[[WIDE:.*]] = arith.extui %[[GONE]] : i32 to i64
// BATCH-NEXT: arith.addi %{{.*}}, %[[WIDE]] : i64
// BATCH: scf.while {{.*}} : (i64, i1, i32, f32)
spl.kernel @grid_stride$unchecked(%a: !spl.slice<f32, mut> {spl.name = "a"}, %b: !spl.slice<f32> {spl.name = "b"}, %step: i64 {spl.name = "step"})
    attributes {signature = #spl.signature<"grid_stride(a: &mut [f32], b: &[f32], step: i64)">, spl.small_sizes, spl.version = 1 : i64} {
  %one = arith.constant 1 : i64
  %first = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %end = spl.extent %a, 0 : <f32, mut>
  %some = arith.cmpi slt, %first, %end : i64
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  %zero = arith.constant 0.0 : f32
  %all:4 = scf.while (%i = %first, %more = %some, %left = %last, %sum = %zero) : (i64, i1, i64, f32) -> (i64, i1, i64, f32) {
    scf.condition(%more) %i, %more, %left, %sum : i64, i1, i64, f32
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64, %sum: f32):
    %x = spl.load %b[%i] : <f32>
    %more_sum = arith.addf %sum, %x : f32
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest, %more_sum : i64, i1, i64, f32
  }
  spl.store %all#3, %a[%first] : <f32, mut>
  spl.return
}

// The global size of a launch with small sizes is small.
// CHECK-LABEL: spl.kernel @global_size$unchecked(
// CHECK-NOT: arith.minui
// CHECK: scf.while {{.*}} : (i64, i1, i32)
// CHECK: attributes {spl.small_range}
spl.kernel @global_size$unchecked(%a: !spl.slice<f32, mut> {spl.name = "a"})
    attributes {signature = #spl.signature<"global_size(a: &mut [f32])">, spl.small_sizes, spl.version = 1 : i64} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %first = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %step = spl.intrinsic "gpu.global_size" axis 0 : () -> i64
  %end = spl.extent %a, 0 : <f32, mut>
  %some = arith.cmpi slt, %first, %end : i64
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  scf.while (%i = %first, %more = %some, %left = %last) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    spl.store %zero, %a[%i] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}

// In a kernel for any sizes, the global size may be large, and the distance to an extent too. From an id in the group to a
// constant it is small.
// CHECK-LABEL: spl.kernel @any_sizes(
// CHECK: %[[LEAST:.*]] = arith.minui %{{.*}}, %c2147483647_i64
// CHECK: arith.trunci %[[LEAST]]
// CHECK: scf.while {{.*}} : (i64, i1, i32)
// CHECK-NOT: spl.small_range
// CHECK: scf.while {{.*}} : (i64, i1, i64)
// CHECK-LABEL: spl.kernel @cold(
// CHECK: scf.while {{.*}} : (i64, i1, i64)
spl.kernel @any_sizes(%a: !spl.slice<f32, mut> {spl.name = "a"})
    attributes {signature = #spl.signature<"any_sizes(a: &mut [f32])">} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %id = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %step = spl.intrinsic "gpu.global_size" axis 0 : () -> i64
  %end = arith.constant 256 : i64
  %some = arith.cmpi slt, %id, %end : i64
  %whole = arith.subi %end, %id : i64
  %last = arith.subi %whole, %one : i64
  scf.while (%i = %id, %more = %some, %left = %last) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    spl.store %zero, %a[%i] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  %far = spl.extent %a, 0 : <f32, mut>
  %some_far = arith.cmpi slt, %id, %far : i64
  %whole_far = arith.subi %far, %id : i64
  %last_far = arith.subi %whole_far, %one : i64
  scf.while (%i = %id, %more = %some_far, %left = %last_far) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    spl.store %zero, %a[%i] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}
spl.kernel @cold(%a: !spl.slice<f32, mut> {spl.name = "a"})
    attributes {signature = #spl.signature<"cold(a: &mut [f32])">, spl.cold} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %id = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %step = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
  %end = arith.constant 256 : i64
  %some = arith.cmpi slt, %id, %end : i64
  %whole = arith.subi %end, %id : i64
  %last = arith.subi %whole, %one : i64
  scf.while (%i = %id, %more = %some, %left = %last) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    spl.store %zero, %a[%i] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}

// The variable may be negative.
// CHECK-LABEL: spl.kernel @negative$unchecked(
// CHECK: scf.while {{.*}} : (i64, i1, i32)
// CHECK-NOT: spl.small_range
spl.kernel @negative$unchecked(%a: !spl.slice<f32, mut> {spl.name = "a"})
    attributes {signature = #spl.signature<"negative(a: &mut [f32])">, spl.small_sizes, spl.version = 1 : i64} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %id = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %first = arith.subi %id, %one : i64
  %step = spl.intrinsic "gpu.global_size" axis 0 : () -> i64
  %end = spl.extent %a, 0 : <f32, mut>
  %some = arith.cmpi slt, %first, %end : i64
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  scf.while (%i = %first, %more = %some, %left = %last) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    %at = arith.addi %i, %one : i64
    spl.store %zero, %a[%at] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}

// The end may be above the limit, though the distance is small.
// CHECK-LABEL: spl.kernel @far$unchecked(
// CHECK: scf.while {{.*}} : (i64, i1, i32)
// CHECK-NOT: spl.small_range
spl.kernel @far$unchecked(%a: !spl.slice<f32, mut> {spl.name = "a"})
    attributes {signature = #spl.signature<"far(a: &mut [f32])">, spl.small_sizes, spl.version = 1 : i64} {
  %one = arith.constant 1 : i64
  %far = arith.constant 200000000 : i64
  %zero = arith.constant 0.0 : f32
  %id = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %first = arith.addi %id, %far : i64
  %step = spl.intrinsic "gpu.global_size" axis 0 : () -> i64
  %length = spl.extent %a, 0 : <f32, mut>
  %end = arith.addi %length, %far : i64
  %some = arith.cmpi slt, %first, %end : i64
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  scf.while (%i = %first, %more = %some, %left = %last) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    %at = arith.subi %i, %far : i64
    spl.store %zero, %a[%at] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}

// The end is an argument of 64 bits.
// CHECK-LABEL: spl.kernel @large_end$unchecked(
// CHECK: scf.while {{.*}} : (i64, i1, i64)
spl.kernel @large_end$unchecked(%a: !spl.slice<f32, mut> {spl.name = "a"}, %end: i64 {spl.name = "end"}, %step: i64 {spl.name = "step"})
    attributes {signature = #spl.signature<"large_end(a: &mut [f32], end: i64, step: i64)">, spl.small_sizes, spl.version = 1 : i64} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %first = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %some = arith.cmpi slt, %first, %end : i64
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  scf.while (%i = %first, %more = %some, %left = %last) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    spl.store %zero, %a[%i] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}

// The first value may be far below the end, and the distance large.
// CHECK-LABEL: spl.kernel @large_distance$unchecked(
// CHECK: scf.while {{.*}} : (i64, i1, i64)
spl.kernel @large_distance$unchecked(%a: !spl.slice<f32, mut> {spl.name = "a"}, %first: i64 {spl.name = "first"}, %step: i64 {spl.name = "step"})
    attributes {signature = #spl.signature<"large_distance(a: &mut [f32], first: i64, step: i64)">, spl.small_sizes, spl.version = 1 : i64} {
  %one = arith.constant 1 : i64
  %end = spl.extent %a, 0 : <f32, mut>
  %some = arith.cmpi slt, %first, %end : i64
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  scf.while (%i = %first, %more = %some, %left = %last) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    spl.check %more, <"index-out-of-bounds">(%i, %end) {subject = "a"}
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}

// Another condition does not show that the distance is not negative.
// CHECK-LABEL: spl.kernel @other_condition$unchecked(
// CHECK: scf.while {{.*}} : (i64, i1, i64)
spl.kernel @other_condition$unchecked(%a: !spl.slice<f32, mut> {spl.name = "a"}, %some: i1 {spl.name = "some"}, %step: i64 {spl.name = "step"})
    attributes {signature = #spl.signature<"other_condition(a: &mut [f32], some: bool, step: i64)">, spl.small_sizes, spl.version = 1 : i64} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %first = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %end = spl.extent %a, 0 : <f32, mut>
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  scf.while (%i = %first, %more = %some, %left = %last) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    spl.store %zero, %a[%i] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}

// The kernel's sizes may be large.
// CHECK-LABEL: spl.kernel @large_sizes(
// CHECK: scf.while {{.*}} : (i64, i1, i64)
spl.kernel @large_sizes(%a: !spl.slice<f32, mut> {spl.name = "a"})
    attributes {signature = #spl.signature<"large_sizes(a: &mut [f32])">} {
  %one = arith.constant 1 : i64
  %zero = arith.constant 0.0 : f32
  %first = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %step = spl.intrinsic "gpu.global_size" axis 0 : () -> i64
  %end = spl.extent %a, 0 : <f32, mut>
  %some = arith.cmpi slt, %first, %end : i64
  %whole = arith.subi %end, %first : i64
  %last = arith.subi %whole, %one : i64
  scf.while (%i = %first, %more = %some, %left = %last) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%more) %i, %more, %left : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    spl.store %zero, %a[%i] : <f32, mut>
    %next = arith.addi %i, %step : i64
    %again = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %again, %rest : i64, i1, i64
  }
  spl.return
}
