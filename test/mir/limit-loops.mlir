// RUN: simple-opt %s --spl-limit-loops -split-input-file | FileCheck %s
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop whose body is one `if` runs only the iterations in which the condition holds.

// CHECK-LABEL: @less
// CHECK-SAME: %[[N:[^ ]*]]: i64, %[[SIZE:[^ ]*]]: i64
// CHECK: %[[BOUND:.*]] = arith.maxsi %[[N]], %c0_i64
// CHECK: %[[END:.*]] = arith.minsi %[[SIZE]], %[[BOUND]]
// CHECK: scf.for %[[X:.*]] = %c0_i64 to %[[END]] step %c1_i64
// CHECK-NOT: scf.if
// CHECK-NOT: arith.cmpi
// CHECK: spl.store %{{.*}}, %{{.*}}[%[[X]]]
spl.kernel @less(%n: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"less()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %inside = arith.cmpi slt, %x, %n : i64
    scf.if %inside {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  spl.return
}

// -----

// The number after the bound could wrap.
// CHECK-LABEL: @at_most
// CHECK: %[[BOUND:.*]] = arith.maxsi %arg0, %c-1_i64
// CHECK: %[[LAST:.*]] = arith.minsi %[[BOUND]], %c9223372036854775806_i64
// CHECK: %[[AFTER:.*]] = arith.addi %[[LAST]], %c1_i64
// CHECK: %[[END:.*]] = arith.minsi %arg1, %[[AFTER]]
// CHECK: scf.for %{{.*}} = %c0_i64 to %[[END]]
// CHECK-NEXT: spl.store
spl.kernel @at_most(%n: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"at_most()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %inside = arith.cmpi sge, %n, %x : i64
    scf.if %inside {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  spl.return
}

// -----

// Lower limits, and a condition that says nothing about the variable, which stays.
// CHECK-LABEL: @from
// CHECK: %[[BOUND:.*]] = arith.maxsi %arg0, %c0_i64
// CHECK: %[[FIRST:.*]] = arith.maxsi %c0_i64{{.*}}, %[[BOUND]]
// CHECK: scf.for %[[X:.*]] = %[[FIRST]] to %arg1
// CHECK: %[[ODD:.*]] = arith.andi %[[X]], %c1_i64
// CHECK: %[[IS:.*]] = arith.cmpi ne, %[[ODD]], %c0_i64
// CHECK: scf.if %[[IS]] {
// CHECK-NEXT: spl.store
spl.kernel @from(%n: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"from()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %inside = arith.cmpi sge, %x, %n : i64
    %odd = arith.andi %x, %c1 : i64
    %is = arith.cmpi ne, %odd, %c0 : i64
    %both = arith.andi %inside, %is : i1
    scf.if %both {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  spl.return
}

// -----

// After n comes the first of `x > n`. If n is the largest number, there is no iteration.
// CHECK-LABEL: @above
// CHECK: %[[BOUND:.*]] = arith.maxsi %arg0, %c-1_i64
// CHECK: %[[LAST:.*]] = arith.minsi %[[BOUND]], %c9223372036854775806_i64
// CHECK: %[[AFTER:.*]] = arith.addi %[[LAST]], %c1_i64
// CHECK: %[[FIRST:.*]] = arith.maxsi %c0_i64{{.*}}, %[[AFTER]]
// CHECK: scf.for %{{.*}} = %[[FIRST]] to %arg1
// CHECK-NEXT: spl.store
spl.kernel @above(%n: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"above()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %inside = arith.cmpi sgt, %x, %n : i64
    scf.if %inside {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  spl.return
}

// -----

// CHECK-LABEL: @first
// CHECK: scf.for %{{.*}} = %[[FIRST:.*]] to %[[END:.*]] step
// CHECK-NEXT: spl.store
spl.kernel @first(%n: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"first()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %is = arith.cmpi eq, %x, %n : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  spl.return
}

// -----

// Early returns: `if x >= n or x >= a.len(): return`, with the rest in the other branch.
// CHECK-LABEL: @returns
// CHECK: %[[LEN:.*]] = spl.extent %arg2, 0
// CHECK: %[[BOUND:.*]] = arith.maxsi %arg0, %c0_i64
// CHECK: %[[END:.*]] = arith.minsi %arg1, %[[BOUND]]
// CHECK: %[[BOTH:.*]] = arith.minsi %[[END]], %[[LEN]]
// CHECK: scf.for %{{.*}} = %c0_i64{{.*}} to %[[BOTH]]
// CHECK-NEXT: spl.store
spl.kernel @returns(%n: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"returns()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %len = spl.extent %a, 0 : !spl.slice<i64, mut>
    %past = arith.cmpi sge, %x, %n : i64
    %behind = arith.cmpi sge, %x, %len : i64
    %either = arith.ori %past, %behind : i1
    scf.if %either {
    } else {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  spl.return
}

// -----

// Two axes, and the first work-item of the group: what does not depend on x limits y.
// CHECK-LABEL: @axes
// CHECK: %[[GROUP:.*]] = spl.intrinsic "gpu.group_id" axis 0
// CHECK: %[[BASE:.*]] = arith.muli %[[GROUP]], %{{.*}} overflow<nsw, nuw>
// CHECK-DAG: %[[WIDTH:.*]] = spl.extent %arg2, 1
// CHECK-DAG: %[[LEFT:.*]] = arith.subi %[[WIDTH]], %[[BASE]]
// CHECK-DAG: %[[XEND:.*]] = arith.minsi %arg0, %[[LEFT]]
// CHECK-DAG: %[[YEND:.*]] = arith.minsi %arg1, %{{.*}}
// CHECK: scf.for %[[Y:.*]] = %c0_i64{{.*}} to %[[YEND]]
// CHECK-NEXT: scf.for %[[X:.*]] = %c0_i64{{.*}} to %[[XEND]]
// CHECK-NEXT: %[[I:.*]] = arith.addi %[[BASE]], %[[X]] overflow<nsw, nuw>
// CHECK-NEXT: spl.store %{{.*}}, %arg2[%[[Y]], %[[I]]]
spl.kernel @axes(%sx: i64, %sy: i64, %a: !spl.slice<i64, mut, rank 2>, %n: i64) attributes {signature = #spl.signature<"axes()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %group = spl.intrinsic "gpu.group_id" axis 0 : () -> i64
  %size = spl.intrinsic "gpu.local_size" axis 0 : () -> i64
  scf.for %y = %c0 to %sy step %c1 : i64 {
    scf.for %x = %c0 to %sx step %c1 : i64 {
      %base = arith.muli %group, %size overflow<nsw, nuw> : i64
      %i = arith.addi %base, %x overflow<nsw, nuw> : i64
      %width = spl.extent %a, 1 : !spl.slice<i64, mut, rank 2>
      %inx = arith.cmpi slt, %i, %width : i64
      %iny = arith.cmpi slt, %y, %n : i64
      %both = arith.andi %inx, %iny : i1
      scf.if %both {
        spl.store %n, %a[%y, %i] : <i64, mut, rank 2>
      }
    }
  }
  spl.return
}

// -----

// Nothing is said about these: a sum that may wrap, an offset that may be negative, another step, a
// body that does something else, `!=`, unsigned comparisons, and loops that carry values.
// CHECK-LABEL: @unchanged
// CHECK-COUNT-7: scf.if
spl.kernel @unchanged(%n: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"unchanged()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %next = arith.addi %x, %c1 : i64
    %is = arith.cmpi slt, %next, %n : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  scf.for %x = %c0 to %size step %c1 : i64 {
    %next = arith.addi %x, %n overflow<nsw> : i64
    %is = arith.cmpi slt, %next, %size : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  scf.for %x = %c0 to %size step %c2 : i64 {
    %is = arith.cmpi slt, %x, %n : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  scf.for %x = %c0 to %size step %c1 : i64 {
    %is = arith.cmpi slt, %x, %n : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
    spl.store %x, %a[%c0] : <i64, mut>
  }
  scf.for %x = %c0 to %size step %c1 : i64 {
    %is = arith.cmpi ne, %x, %n : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  scf.for %x = %c0 to %size step %c1 : i64 {
    %is = arith.cmpi ult, %x, %n : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  %sum = scf.for %x = %c0 to %size step %c1 iter_args(%acc = %c0) -> (i64) : i64 {
    %is = arith.cmpi slt, %x, %n : i64
    scf.if %is {
      spl.store %x, %a[%x] : <i64, mut>
    }
    %next = arith.addi %acc, %x : i64
    scf.yield %next : i64
  }
  spl.store %sum, %a[%c0] : <i64, mut>
  spl.return
}

// -----

// A step of a tree of sums. The variable has a factor, and the sum may wrap, so that the comparison stays. If nothing
// wraps, the loop ends where the comparison fails.
// CHECK-LABEL: @tree
// CHECK: %[[OFFSET:.*]] = arith.subi %{{.*}}, %c1_i64
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %[[OFFSET]]
// CHECK: %[[QUOTIENT:.*]] = arith.divui
// CHECK: %[[LAST:.*]] = arith.minsi %arg1, %[[QUOTIENT]]
// CHECK: %[[END:.*]] = arith.select %{{.*}}, %[[LAST]], %arg1
// CHECK: scf.for %[[X:.*]] = %c0_i64{{.*}} to %[[END]]
// CHECK: arith.cmpi slt
// CHECK-NEXT: scf.if
spl.kernel @tree(%stride: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"tree()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c256 = arith.constant 256 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %next = arith.addi %x, %c1 : i64
    %product = arith.muli %next, %stride : i64
    %at = arith.subi %product, %c1 : i64
    %inside = arith.cmpi slt, %at, %c256 : i64
    scf.if %inside {
      spl.store %x, %a[%at] : <i64, mut>
    }
  }
  spl.return
}

// -----

// LLVM unrolls a short loop. A loop in which the comparison holds at the end, or that is not a line, stays as it is.
// CHECK-LABEL: @others
// CHECK-NOT: arith.divui
// CHECK: spl.return
spl.kernel @others(%stride: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"others()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c256 = arith.constant 256 : i64
  scf.for %x = %c0 to %c4 step %c1 : i64 {
    %at = arith.muli %x, %stride : i64
    %inside = arith.cmpi slt, %at, %c256 : i64
    scf.if %inside {
      spl.store %x, %a[%at] : <i64, mut>
    }
  }
  scf.for %x = %c0 to %size step %c1 : i64 {
    %at = arith.muli %x, %stride : i64
    %inside = arith.cmpi sgt, %at, %c256 : i64
    scf.if %inside {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  scf.for %x = %c0 to %size step %c1 : i64 {
    %at = arith.muli %x, %x : i64
    %inside = arith.cmpi slt, %at, %c256 : i64
    scf.if %inside {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  spl.return
}

// -----

// What a single work-item does after what all do is a loop of its own, of one iteration at most.
// CHECK-LABEL: @single
// CHECK: scf.for %[[X:.*]] = %c0_i64{{.*}} to %arg1
// CHECK-NOT: scf.if
// CHECK: spl.store %[[X]], %arg2[%[[X]]]
// CHECK: } {spl.work_items = 0 : i64}
// CHECK: %[[FIRST:.*]] = arith.subi %arg0, %
// CHECK: scf.for %[[ONLY:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NOT: scf.if
// CHECK: spl.store %{{.*}}, %arg2[%c0_i64
// CHECK: spl.return
spl.kernel @single(%n: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"single()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c3 = arith.constant 3 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    spl.store %x, %a[%x] : <i64, mut>
    %moved = arith.subi %x, %c3 : i64
    %is = arith.cmpi eq, %moved, %n : i64
    scf.if %is {
      spl.store %moved, %a[%c0] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// It stays where it needs what the body loads, where more follows, and where several work-items do it.
// CHECK-LABEL: @together
// CHECK-COUNT-3: scf.if
spl.kernel @together(%n: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"together()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %old = spl.load %a[%x] : <i64, mut>
    spl.store %x, %a[%x] : <i64, mut>
    %is = arith.cmpi eq, %x, %n : i64
    scf.if %is {
      spl.store %old, %a[%c0] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  scf.for %x = %c0 to %size step %c1 : i64 {
    spl.store %x, %a[%x] : <i64, mut>
    %is = arith.cmpi eq, %x, %n : i64
    scf.if %is {
      spl.store %c1, %a[%c0] : <i64, mut>
    }
    spl.store %n, %a[%x] : <i64, mut>
  } {spl.work_items = 0 : i64}
  scf.for %x = %c0 to %size step %c1 : i64 {
    spl.store %x, %a[%x] : <i64, mut>
    %odd = arith.andi %x, %c1 : i64
    %is = arith.cmpi eq, %odd, %n : i64
    scf.if %is {
      spl.store %c1, %a[%x] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// The sum may wrap. If it cannot, the loop is limited, and else a copy with the guard runs.
// CHECK-LABEL: @sum
// CHECK: %[[LEFT:.*]] = arith.subi %{{.*}}, %{{.*}}
// CHECK: %[[END:.*]] = arith.minsi %arg1, %[[LEFT]]
// CHECK: scf.for %[[X:.*]] = %c0_i64{{.*}} to %[[END]] step
// CHECK-NOT: scf.if
// CHECK: } {spl.work_items = 0 : i64}
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %c0_i64{{.*}} to %arg1 step
// CHECK: scf.if
// CHECK-NOT: spl.work_items
// CHECK: spl.return
spl.kernel @sum(%n: i64, %size: i64, %a: !spl.slice<i64, mut>, %offset: i64) attributes {signature = #spl.signature<"sum()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %at = arith.addi %x, %offset : i64
    %inside = arith.cmpi slt, %at, %n : i64
    scf.if %inside {
      spl.store %x, %a[%at] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// Only the function with the loop loses its dead operations, so that the result for one kernel does not depend on others.
// CHECK-LABEL: @limited
// CHECK-NOT: arith.muli
// CHECK-LABEL: @other
// CHECK: arith.muli
spl.kernel @limited(%n: i64, %size: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"limited()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %dead = arith.muli %n, %size : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %inside = arith.cmpi slt, %x, %n : i64
    scf.if %inside {
      spl.store %x, %a[%x] : <i64, mut>
    }
  }
  spl.return
}
spl.kernel @other(%n: i64) attributes {signature = #spl.signature<"other()">} {
  %dead = arith.muli %n, %n : i64
  spl.return
}

// -----

// The second part of a condition is in a branch. Both limit their loops, so that one work-item runs.
// CHECK-LABEL: @one_item
// CHECK-NOT: scf.if
// CHECK: scf.for %[[Y:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NOT: scf.if
// CHECK: scf.for %[[X:.*]] = %{{.*}} to %{{.*}} step
// CHECK-NOT: scf.if
// CHECK: spl.store
spl.kernel @one_item(%height: i64, %width: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"one_item()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %y = %c0 to %height step %c1 : i64 {
    scf.for %x = %c0 to %width step %c1 : i64 {
      %is_column = arith.cmpi eq, %x, %c0 : i64
      %is_one = scf.if %is_column -> (i1) {
        %is_row = arith.cmpi eq, %y, %c0 : i64
        scf.yield %is_row : i1
      } else {
        %false = arith.constant false
        scf.yield %false : i1
      }
      scf.if %is_one {
        spl.store %x, %a[%y] : <i64, mut>
      }
    } {spl.work_items = 0 : i64}
  }
  spl.return
}

// -----

// A part that may be poison where the first part does not hold stays in its branch: a sum that may not wrap, a comparison
// in front of the branch, and a number that a loop carries.
// CHECK-LABEL: @poison
// CHECK: scf.if %{{.*}} -> (i1)
// CHECK-LABEL: @compared_before
// CHECK: scf.if %{{.*}} -> (i1)
// CHECK-LABEL: @carried
// CHECK: scf.if %{{.*}} -> (i1)
spl.kernel @poison(%width: i64, %a: !spl.slice<i64, mut>, %n: i64) attributes {signature = #spl.signature<"poison()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %width step %c1 : i64 {
    %next = arith.addi %x, %n overflow<nsw> : i64
    %is_small = arith.cmpi slt, %x, %n : i64
    %is_one = scf.if %is_small -> (i1) {
      %is_last = arith.cmpi eq, %next, %n : i64
      scf.yield %is_last : i1
    } else {
      %false = arith.constant false
      scf.yield %false : i1
    }
    scf.if %is_one {
      spl.store %x, %a[%x] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
spl.kernel @compared_before(%width: i64, %a: !spl.slice<i64, mut>, %n: i64) attributes {signature = #spl.signature<"compared_before()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %width step %c1 : i64 {
    %next = arith.addi %x, %n overflow<nsw> : i64
    %is_small = arith.cmpi slt, %x, %n : i64
    %is_last = arith.cmpi eq, %next, %n : i64
    %is_one = scf.if %is_small -> (i1) {
      scf.yield %is_last : i1
    } else {
      %false = arith.constant false
      scf.yield %false : i1
    }
    scf.if %is_one {
      spl.store %x, %a[%x] : <i64, mut>
    }
  } {spl.work_items = 0 : i64}
  spl.return
}
spl.kernel @carried(%width: i64, %a: !spl.slice<i64, mut>, %n: i64) attributes {signature = #spl.signature<"carried()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %width step %c1 : i64 {
    %sum = scf.for %k = %c0 to %n step %c1 iter_args(%before = %x) -> (i64) : i64 {
      %is_small = arith.cmpi slt, %k, %x : i64
      %is_one = scf.if %is_small -> (i1) {
        %is_last = arith.cmpi eq, %before, %n : i64
        scf.yield %is_last : i1
      } else {
        %false = arith.constant false
        scf.yield %false : i1
      }
      scf.if %is_one {
        spl.store %k, %a[%x] : <i64, mut>
      }
      %next = arith.addi %before, %k overflow<nsw> : i64
      scf.yield %next : i64
    }
  } {spl.work_items = 0 : i64}
  spl.return
}

// -----

// A row of few work-items, whose number is known, has a copy for the case that the guard selects all of them.
// CHECK-LABEL: @narrow
// CHECK: %[[END:.*]] = arith.minsi %c8{{.*}}, %{{.*}}
// CHECK: %[[WHOLE:.*]] = arith.cmpi eq, %c8{{.*}}, %[[END]]
// CHECK: scf.if %[[WHOLE]] {
// CHECK-NEXT: scf.for %{{.*}} = %c0{{.*}} to %c8{{.*}} step
// CHECK: } {spl.work_items = 8 : i64}
// CHECK: } else {
// CHECK: scf.for %{{.*}} = %c0{{.*}} to %[[END]] step
// CHECK: } {spl.unroll = 0 : i64}
spl.kernel @narrow(%n: i64, %a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"narrow()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c8 = arith.constant 8 : i64
  scf.for %x = %c0 to %c8 step %c1 : i64 {
    %inside = arith.cmpi slt, %x, %n : i64
    scf.if %inside {
      spl.store %x, %a[%x] : <i64, mut>
    }
  } {spl.work_items = 8 : i64}
  spl.return
}

// -----

// A constant limits a narrow row, which is never whole then.
// CHECK-LABEL: @half
// CHECK-COUNT-1: scf.for
// CHECK-NOT: scf.for
// CHECK: spl.return
spl.kernel @half(%a: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"half()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c4 = arith.constant 4 : i64
  %c8 = arith.constant 8 : i64
  scf.for %x = %c0 to %c8 step %c1 : i64 {
    %inside = arith.cmpi slt, %x, %c4 : i64
    scf.if %inside {
      spl.store %x, %a[%x] : <i64, mut>
    }
  } {spl.work_items = 8 : i64}
  spl.return
}

// -----

// A counted loop that only loads is left out with the rest of the body, and one that may not end is not.
// CHECK-LABEL: @after_sum
// CHECK: %[[END:.*]] = arith.minsi
// CHECK: scf.for %{{.*}} = %{{.*}} to %[[END]] step
// CHECK: scf.for
// CHECK-NOT: scf.if
// CHECK: spl.store
// CHECK-LABEL: @after_search
// CHECK-NOT: arith.minsi
// CHECK: scf.while
// CHECK: scf.if
spl.kernel @after_sum(%n: i64, %size: i64, %a: !spl.slice<i64>, %b: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"after_sum()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %sum = scf.for %k = %c0 to %size step %c1 iter_args(%before = %c0) -> (i64) : i64 {
      %value = spl.load %a[%k] : !spl.slice<i64>
      %next = arith.addi %before, %value : i64
      scf.yield %next : i64
    }
    %inside = arith.cmpi slt, %x, %n : i64
    scf.if %inside {
      spl.store %sum, %b[%x] : <i64, mut>
    }
  }
  spl.return
}
spl.kernel @after_search(%n: i64, %size: i64, %a: !spl.slice<i64>, %b: !spl.slice<i64, mut>) attributes {signature = #spl.signature<"after_search()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  scf.for %x = %c0 to %size step %c1 : i64 {
    %found = scf.while (%k = %c0) : (i64) -> i64 {
      %value = spl.load %a[%k] : !spl.slice<i64>
      %other = arith.cmpi ne, %value, %x : i64
      scf.condition(%other) %k : i64
    } do {
    ^bb0(%k: i64):
      %next = arith.addi %k, %c1 : i64
      scf.yield %next : i64
    }
    %inside = arith.cmpi slt, %x, %n : i64
    scf.if %inside {
      spl.store %found, %b[%x] : <i64, mut>
    }
  }
  spl.return
}
