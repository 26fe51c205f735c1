// RUN: simple-opt %s --spl-to-llvm="target=sm_90" | FileCheck %s --check-prefixes=CHECK,GPU
// RUN: simple-opt %s --spl-work-item-loops --spl-to-llvm="target=cpu" | FileCheck %s --check-prefixes=CHECK,CPU
// Structs, arrays and vectors in memory, views of slices, local and constant memory.

!inner = !spl.struct<i8, f64>
!p = !spl.struct<vector<4xf32>, i1, !spl.array<3 x !inner>>

// A struct parameter is byval on a GPU and a pointer on the CPU. Equal constant data is one array,
// in constant memory if the target has it.
// GPU-DAG: llvm.mlir.global private unnamed_addr constant @spl.constant.1([5.000000e-01 : f32, 2.500000e-01 : f32]) {addr_space = 4 : i32, alignment = 4 : i64}
// CPU-DAG: llvm.mlir.global private unnamed_addr constant @spl.constant.1([5.000000e-01 : f32, 2.500000e-01 : f32]) {addr_space = 0 : i32, alignment = 4 : i64}
// A bool takes a byte. A vector has no padding.
// CHECK-DAG: @spl.constant.2({{.*}}1 : i8, dense<[7, -1]> : vector<2xi16>{{.*}}) {{.*}}!llvm.array<1 x struct<(i8, vector<2xi16>)>>

// GPU-LABEL: llvm.func ptx_kernelcc @spl.kernel.k(
// CPU-LABEL: llvm.func internal @spl.body.k(
// GPU-SAME: %[[S:[^:]*]]: !llvm.ptr {llvm.align = 16 : i64, llvm.byval = !llvm.struct<(vector<4xf32>, i8, array<3 x struct<(i8, f64)>>)>, llvm.noalias, llvm.nocapture, llvm.readonly}
// CPU-SAME: %[[S:[^:]*]]: !llvm.ptr {llvm.align = 16 : i64, llvm.noalias, llvm.nocapture, llvm.readonly}
// CHECK-SAME: {llvm.align = 16 : i64, llvm.noalias
spl.kernel @k(%s: !spl.slice<!p> {spl.by_value}, %ps: !spl.slice<!p, mut>, %m: !spl.slice<f32, mut, rank 3>, %b: !spl.slice<i1, mut>, %i: i64, %j: i64, %v: vector<2xf64>) attributes {signature = #spl.signature<"k()">} {
  %c0 = arith.constant 0 : i64
  // CHECK: %[[LOCAL:.*]] = llvm.alloca %{{.*}} x !llvm.array<2 x struct<(vector<4xf32>, i8, array<3 x struct<(i8, f64)>>)>> {alignment = 16 : i64}
  // CHECK: llvm.mlir.constant(1 : i64)
  // CHECK: llvm.br
  // CHECK: llvm.intr.lifetime.start %[[LOCAL]]
  %l = spl.local 2 : !spl.slice<!p, mut>
  // 16 + 1, padded to 24, + 3 * 16, padded to 80.
  // CHECK: llvm.mlir.constant(80 : i64)
  // CHECK: "llvm.intr.memcpy"{{.*}}arg_attrs = [{llvm.align = 16 : i64}, {llvm.align = 16 : i64}, {}]
  spl.copy %s[%c0], %l[%c0] : !spl.slice<!p>, !spl.slice<!p, mut>
  // CHECK: llvm.getelementptr inbounds|nuw %{{.*}}[0, 1] : {{.*}}struct<(vector<4xf32>, i8, array<3 x struct<(i8, f64)>>)>
  %flag = spl.part %l[%c0] field 1 : !spl.slice<!p, mut> -> !spl.slice<i1, mut>
  // CHECK: llvm.load {{.*}} -> i8
  // CHECK: llvm.icmp "ne"
  %on = spl.load %flag[%c0] : !spl.slice<i1, mut>
  // CHECK: llvm.zext {{.*}} : i1 to i8
  spl.store %on, %b[%i] : !spl.slice<i1, mut>
  // CHECK: llvm.getelementptr inbounds|nuw %{{.*}}[0, 2]
  // CHECK: llvm.mlir.constant(3 : i64)
  %array = spl.part %ps[%i] field 2 : !spl.slice<!p, mut> -> !spl.slice<!spl.array<3 x !inner>, mut>
  %elements = spl.part %array[%c0] : !spl.slice<!spl.array<3 x !inner>, mut> -> !spl.slice<!inner, mut>
  // CHECK: llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : {{.*}} !llvm.struct<(i8, f64)>
  // CHECK: llvm.getelementptr inbounds|nuw %{{.*}}[0, 1] : {{.*}} !llvm.struct<(i8, f64)>
  %number = spl.part %elements[%j] field 1 : !spl.slice<!inner, mut> -> !spl.slice<f64, mut>
  %pos = spl.part %ps[%i] field 0 : !spl.slice<!p, mut> -> !spl.slice<vector<4xf32>, mut>
  // CHECK: llvm.mlir.constant(4 : i64)
  %lanes = spl.part %pos[%c0] : !spl.slice<vector<4xf32>, mut> -> !spl.slice<f32, mut>
  %lane = spl.load %lanes[%j] : !spl.slice<f32, mut>
  // A reference to an element is its address with the extent 1.
  // CHECK: llvm.getelementptr inbounds|nuw %{{.*}}[%{{.*}}] : {{.*}} vector<4xf32>
  // CHECK-NEXT: llvm.mlir.constant(1 : i64)
  %place = spl.part %pos[%c0] : !spl.slice<vector<4xf32>, mut> -> !spl.slice<vector<4xf32>, mut>
  %at = spl.load %place[%c0] : !spl.slice<vector<4xf32>, mut>
  // m[i, j] of rank 3 is (i * extent 1 + j) * extent 2.
  // CHECK: %[[A:.*]] = llvm.mul %[[I:.*]], %{{.*}} overflow<nsw, nuw>
  // CHECK: %[[B:.*]] = llvm.add %[[A]], %{{.*}} overflow<nsw, nuw>
  // CHECK: %[[C:.*]] = llvm.mul %[[B]], %[[WIDTH:.*]] overflow<nsw, nuw>
  // CHECK: %[[ROW:.*]] = llvm.getelementptr inbounds|nuw %{{.*}}[%[[C]]]
  %row = spl.row %m[%i, %j] : !spl.slice<f32, mut, rank 3> -> !spl.slice<f32, mut>
  // CHECK: %[[SUB:.*]] = llvm.getelementptr inbounds|nuw %[[ROW]][%[[FROM:.*]]]
  // The length may be negative until that is checked.
  // CHECK: %[[COUNT:.*]] = llvm.sub %[[WIDTH]], %[[FROM]] : i64
  %n = spl.extent %row, 0 : !spl.slice<f32, mut>
  %sub = spl.subslice %row[%j to %n] : !spl.slice<f32, mut>
  %count = spl.extent %sub, 0 : !spl.slice<f32, mut>
  %last = arith.subi %count, %i : i64
  // CHECK: llvm.sub %[[COUNT]]
  // CHECK: llvm.mlir.addressof @spl.constant.1
  // GPU: llvm.addrspacecast {{.*}} !llvm.ptr<4> to !llvm.ptr
  %w = spl.constant_data [0.5 : f32, 0.25 : f32] : !spl.slice<f32>
  %w0 = spl.load %w[%last] : !spl.slice<f32>
  %again = spl.constant_data [0.5 : f32, 0.25 : f32] : !spl.slice<f32>
  %w1 = spl.load %again[%c0] : !spl.slice<f32>
  %other = spl.constant_data [[true, [7 : i16, -1 : i16]]] : !spl.slice<!spl.struct<i1, vector<2xi16>>>
  %second = spl.part %other[%c0] field 1 : !spl.slice<!spl.struct<i1, vector<2xi16>>> -> !spl.slice<vector<2xi16>>
  // CHECK: llvm.load {{.*}} -> vector<2xi16>
  %v16 = spl.load %second[%c0] : !spl.slice<vector<2xi16>>
  // CHECK: llvm.extractelement %{{.*}}[%{{.*}} : i64] : vector<2xi16>
  %h = vector.extract %v16[1] : i16 from vector<2xi16>
  // CHECK: llvm.insertelement %{{.*}}, %{{.*}}[%{{.*}} : i64] : vector<2xi16>
  %lane_index = arith.index_cast %j : i64 to index
  %changed = vector.insert %h, %v16[%lane_index] : i16 into vector<2xi16>
  // CHECK: llvm.insertelement
  // CHECK: llvm.insertelement
  %made = vector.from_elements %w0, %w1 : vector<2xf32>
  // CHECK: llvm.shufflevector {{.*}} [0, 0]
  %splat = vector.broadcast %lane : f32 to vector<2xf32>
  %sum = arith.addf %made, %splat : vector<2xf32>
  // CHECK: llvm.fcmp "olt" {{.*}} : vector<2xf32>
  %mask = arith.cmpf olt, %sum, %made : vector<2xf32>
  %masks = spl.local 1 : !spl.slice<vector<2xi1>, mut>
  // CHECK: llvm.zext {{.*}} vector<2xi1> to vector<2xi8>
  spl.store %mask, %masks[%c0] : !spl.slice<vector<2xi1>, mut>
  // CHECK: llvm.load {{.*}} -> vector<2xi8>
  // CHECK: llvm.icmp "ne" {{.*}} : vector<2xi8>
  %mask2 = spl.load %masks[%c0] : !spl.slice<vector<2xi1>, mut>
  spl.return
}

// Local memory of 16 bytes and more is aligned to 16. The values of a gang have an alignment of their own.
// CHECK-LABEL: @{{.*}}alignments
// CHECK-DAG: llvm.alloca %{{.*}} x !llvm.array<4 x i32> {alignment = 16 : i64}
// CHECK-DAG: llvm.alloca %{{.*}} x !llvm.array<3 x i32> {alignment = 4 : i64}
// CHECK-DAG: llvm.alloca %{{.*}} x !llvm.array<16 x i8> {alignment = 16 : i64}
// CHECK-DAG: llvm.alloca %{{.*}} x !llvm.array<2 x f64> {alignment = 8 : i64}
spl.kernel @alignments(%out: !spl.slice<i32, mut>, %i: i64, %x: i32) attributes {signature = #spl.signature<"alignments()">} {
  %c0 = arith.constant 0 : i64
  %four = spl.local 4 : !spl.slice<i32, mut>
  %three = spl.local 3 : !spl.slice<i32, mut>
  %bytes = spl.local 16 : !spl.slice<i8, mut>
  %lanes = spl.local 2 {spl.lanes = 1 : i64} : !spl.slice<f64, mut>
  spl.store %x, %four[%i] : !spl.slice<i32, mut>
  spl.store %x, %three[%i] : !spl.slice<i32, mut>
  spl.return
}

// A lane at a known place has an alignment that follows from the vector's.
// CHECK-LABEL: @{{.*}}lanes_of_vectors
// CHECK: llvm.load %{{.*}} {alignment = 16 : i64} : !llvm.ptr{{.*}} -> f32
// CHECK: llvm.load %{{.*}} {alignment = 4 : i64} : !llvm.ptr{{.*}} -> f32
// CHECK: llvm.load %{{.*}} {alignment = 8 : i64} : !llvm.ptr{{.*}} -> f32
// CHECK: llvm.load %{{[^ ]*}} : !llvm.ptr{{.*}} -> f32
// CHECK: llvm.store %{{.*}} {alignment = 8 : i64} : f32
spl.kernel @lanes_of_vectors(%v: !spl.slice<vector<4xf32>, mut>, %i: i64, %j: i64) attributes {signature = #spl.signature<"lanes_of_vectors()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %lanes = spl.part %v[%i] : !spl.slice<vector<4xf32>, mut> -> !spl.slice<f32, mut>
  %x = spl.load %lanes[%c0] : !spl.slice<f32, mut>
  %y = spl.load %lanes[%c1] : !spl.slice<f32, mut>
  %z = spl.load %lanes[%c2] : !spl.slice<f32, mut>
  %other = spl.load %lanes[%j] : !spl.slice<f32, mut>
  spl.store %x, %lanes[%c2] : !spl.slice<f32, mut>
  spl.store %y, %lanes[%j] : !spl.slice<f32, mut>
  spl.store %z, %lanes[%j] : !spl.slice<f32, mut>
  spl.store %other, %lanes[%j] : !spl.slice<f32, mut>
  spl.return
}

// The view may be outside of its slice where the condition is computed. Its address is then poison, and the condition is not.
// CHECK-LABEL: @{{.*}}aligned_view
// CHECK: %[[VIEW:.*]] = llvm.getelementptr
// CHECK: %[[START:.*]] = llvm.freeze %[[VIEW]]
// CHECK: llvm.ptrtoint %[[START]]
spl.kernel @aligned_view(%v: !spl.slice<vector<4xf32>, mut>, %b: !spl.slice<i1, mut>, %i: i64, %j: i64) attributes {signature = #spl.signature<"aligned_view()">} {
  %view = spl.subslice %v[%i to %j] : !spl.slice<vector<4xf32>, mut>
  %is = spl.is_aligned %view : !spl.slice<vector<4xf32>, mut>
  spl.store %is, %b[%i] : !spl.slice<i1, mut>
  spl.return
}
