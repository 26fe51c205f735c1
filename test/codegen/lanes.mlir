// RUN: simple-opt %s --spl-to-llvm="target=cpu" | FileCheck %s
// Accesses of the lanes of a gang. An index that is the same for all lanes stays a scalar until it meets one that is not. A
// bool takes a byte.

// CHECK-LABEL: @spl.fn.gather(
// CHECK: %[[ROW:.*]] = llvm.mul %{{.*}}, %{{.*}} : i64
// CHECK: %[[ROWS:.*]] = llvm.shufflevector
// CHECK: %[[FLAT:.*]] = llvm.add %[[ROWS]], %{{.*}} : vector<8xi64>
// CHECK: %[[PLACES:.*]] = llvm.getelementptr %{{.*}}[%[[FLAT]], 1] : (!llvm.ptr, vector<8xi64>) -> vector<8x!llvm.ptr>, vector<2xf32>
// CHECK: llvm.intr.masked.gather %[[PLACES]], %{{.*}}, %{{.*}} {alignment = 4 : i32}
spl.func @gather(%a: !spl.slice<vector<2xf32>, rank 2>, %i: i64, %at: vector<8xi64>, %m: vector<8xi1>) -> vector<8xf32> {
  %v = spl.gather_lanes %a[%i, %at] mask(%m) component 1 : !spl.slice<vector<2xf32>, rank 2>[i64, vector<8xi64>], vector<8xi1> -> vector<8xf32>
  spl.return %v : vector<8xf32>
}

// CHECK-LABEL: @spl.fn.scatter(
// CHECK: %[[BYTES:.*]] = llvm.zext %{{.*}} : vector<8xi1> to vector<8xi8>
// CHECK: %[[ALL:.*]] = llvm.mlir.constant(dense<true> : vector<8xi1>)
// CHECK: llvm.intr.masked.scatter %[[BYTES]], %{{.*}}, %[[ALL]] {alignment = 1 : i32}
spl.func @scatter(%a: !spl.slice<i1, mut>, %v: vector<8xi1>, %at: vector<8xi64>) {
  spl.scatter_lanes %v, %a[%at] : vector<8xi1>, !spl.slice<i1, mut>[vector<8xi64>]
  spl.return
}

// The element may be outside of the memory, so the address has no `inbounds`.
// CHECK-LABEL: @spl.fn.fetch(
// CHECK: %[[PLACE:.*]] = llvm.getelementptr %{{[^:]*}} : (!llvm.ptr, i64) -> !llvm.ptr, f32
// CHECK: "llvm.intr.prefetch"(%[[PLACE]]) <{cache = 1 : i32, hint = 3 : i32, rw = 0 : i32}>
spl.func @fetch(%a: !spl.slice<f32, rank 2>, %i: i64) {
  spl.prefetch %a[%i, %i] : !spl.slice<f32, rank 2>
  spl.return
}

// CHECK-LABEL: @spl.fn.reduce(
// CHECK: llvm.intr.vector.reduce.add
// CHECK: llvm.intr.vector.reduce.fadd{{.*}}reassoc
// CHECK: llvm.intr.vector.reduce.xor
// CHECK: llvm.bitcast %{{.*}} : vector<32xi1> to vector<1xi32>
spl.func @reduce(%i: vector<8xi32>, %f: vector<8xf32>, %m: vector<32xi1>) -> i32 {
  %a = vector.reduction <add>, %i : vector<8xi32> into i32
  %b = vector.reduction <add>, %f fastmath<reassoc> : vector<8xf32> into f32
  %c = vector.reduction <xor>, %i : vector<8xi32> into i32
  %d = vector.bitcast %m : vector<32xi1> to vector<1xi32>
  %e = vector.extract %d[0] : i32 from vector<1xi32>
  spl.return %e : i32
}

// CHECK-LABEL: @spl.fn.some(
// CHECK: %[[FEW:.*]] = llvm.shufflevector %arg0, %arg0 [0, 1] : vector<4xf32>
// CHECK: %[[ALL:.*]] = llvm.shufflevector %[[FEW]], %[[FEW]] [0, 1, -1, -1] : vector<2xf32>
// CHECK: llvm.shufflevector %[[ALL]], %arg1 [0, 1, 6, 7] : vector<4xf32>
spl.func @some(%a: vector<4xf32>, %b: vector<4xf32>) -> vector<4xf32> {
  %few = vector.extract_strided_slice %a {offsets = [0], sizes = [2], strides = [1]} : vector<4xf32> to vector<2xf32>
  %all = vector.insert_strided_slice %few, %b {offsets = [0], strides = [1]} : vector<2xf32> into vector<4xf32>
  spl.return %all : vector<4xf32>
}

// Where one index is linear, each lane is as far from the one before: without vectors of addresses.
// CHECK-LABEL: @spl.fn.gather_rows(
// CHECK-SAME: %[[BASE:[^:]+]]: !llvm.ptr{{[^,]*}}, %{{[^:]+}}: i64, %[[WIDTH:[^:]+]]: i64, %[[FROM:[^:]+]]: i64, %[[K:[^:]+]]: i64
// CHECK: %[[TWO:.*]] = llvm.mlir.constant(2 : i64)
// CHECK: %[[FAR:.*]] = llvm.mul %[[TWO]], %[[WIDTH]] : i64
// CHECK: %[[ROW:.*]] = llvm.mul %[[FROM]], %[[WIDTH]]
// CHECK: %[[FLAT:.*]] = llvm.add %[[ROW]], %[[K]]
// CHECK: %[[FIRST:.*]] = llvm.getelementptr inbounds{{.*}} %[[BASE]][%[[FLAT]]] : {{.*}}, vector<2xf32>
// CHECK: %[[LANE0:.*]] = llvm.getelementptr %[[FIRST]][0, 1] : (!llvm.ptr) -> !llvm.ptr, vector<2xf32>
// CHECK: %[[LANE1:.*]] = llvm.getelementptr %[[LANE0]][%[[FAR]]] : (!llvm.ptr, i64) -> !llvm.ptr, vector<2xf32>
// CHECK: %[[LANE2:.*]] = llvm.getelementptr %[[LANE1]][%[[FAR]]]
// CHECK: %[[LANE3:.*]] = llvm.getelementptr %[[LANE2]][%[[FAR]]]
// CHECK: llvm.load %[[LANE0]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK: llvm.load %[[LANE3]] {alignment = 4 : i64} : !llvm.ptr -> f32
// CHECK-NOT: masked.gather
spl.func @gather_rows(%a: !spl.slice<vector<2xf32>, rank 2>, %from: i64, %k: i64) -> vector<4xf32> {
  %first = vector.broadcast %from : i64 to vector<4xi64>
  %numbers = arith.constant dense<[0, 2, 4, 6]> : vector<4xi64>
  %rows = arith.addi %first, %numbers : vector<4xi64>
  %v = spl.gather_lanes %a[%rows, %k] component 1 : !spl.slice<vector<2xf32>, rank 2>[vector<4xi64>, i64] -> vector<4xf32>
  spl.return %v : vector<4xf32>
}

// Two indices that differ, or no constant step.
// CHECK-LABEL: @spl.fn.gather_others(
// CHECK: %[[PLACES:.*]] = llvm.getelementptr %{{.*}} : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, f32
// CHECK: llvm.extractelement %[[PLACES]]
// CHECK: %[[MORE:.*]] = llvm.getelementptr %{{.*}} : (!llvm.ptr, vector<4xi64>) -> vector<4x!llvm.ptr>, f32
// CHECK: llvm.extractelement %[[MORE]]
spl.func @gather_others(%a: !spl.slice<f32, rank 2>, %from: i64, %k: i64) -> vector<4xf32> {
  %first = vector.broadcast %from : i64 to vector<4xi64>
  %numbers = arith.constant dense<[0, 2, 4, 6]> : vector<4xi64>
  %uneven = arith.constant dense<[0, 2, 4, 7]> : vector<4xi64>
  %rows = arith.addi %first, %numbers : vector<4xi64>
  %others = arith.addi %first, %uneven : vector<4xi64>
  %v = spl.gather_lanes %a[%rows, %rows] : !spl.slice<f32, rank 2>[vector<4xi64>, vector<4xi64>] -> vector<4xf32>
  %w = spl.gather_lanes %a[%others, %k] : !spl.slice<f32, rank 2>[vector<4xi64>, i64] -> vector<4xf32>
  %sum = arith.addf %v, %w : vector<4xf32>
  spl.return %sum : vector<4xf32>
}
