// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/fission/LaneVectors.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace spl::mir;

static int64_t lanesIn(Value lanes) { return cast<VectorType>(lanes.getType()).getNumElements(); }

bool spl::mir::fitsLanes(Type type) {
  return type.isSignlessInteger() || type.isF32() || type.isF64();
}

Value spl::mir::loadLanes(FissionContext &fission, Value slots, Value index, int64_t count) {
  auto type = VectorType::get(count, cast<SliceType>(slots.getType()).getElement());
  return LoadLanesOp::create(fission.builder, fission.loc, type, slots, index, Value());
}

void spl::mir::storeLanes(FissionContext &fission, Value lanes, Value slots, Value index) {
  StoreLanesOp::create(fission.builder, fission.loc, lanes, slots, index, Value());
}

Value spl::mir::everyLane(FissionContext &fission, Value scalar, int64_t count) {
  return vector::BroadcastOp::create(fission.builder, fission.loc,
                                     VectorType::get(count, scalar.getType()), scalar);
}

Value spl::mir::extractLane(FissionContext &fission, Value lanes, int64_t number) {
  return vector::ExtractOp::create(fission.builder, fission.loc, lanes, number);
}

/// Lane i of the result is lane source(i) of both vectors, one after the other.
static Value permute(FissionContext &fission, Value lanes, Value others,
                     llvm::function_ref<int64_t(int64_t)> source) {
  SmallVector<int64_t> sources;
  for (int64_t lane = 0; lane != lanesIn(lanes); ++lane)
    sources.push_back(source(lane));
  return vector::ShuffleOp::create(fission.builder, fission.loc, lanes, others, sources);
}

Value spl::mir::permute(FissionContext &fission, Value lanes,
                        llvm::function_ref<int64_t(int64_t)> source) {
  return ::permute(fission, lanes, lanes, source);
}

Value spl::mir::moveUp(FissionContext &fission, Value lanes, Value padding, int64_t distance,
                       int64_t segment) {
  return ::permute(fission, lanes, padding, [&](int64_t lane) {
    return lane % segment < distance ? lanesIn(lanes) + lane : lane - distance;
  });
}

Value spl::mir::scanLanes(FissionContext &fission, Value lanes, Value neutral, int64_t segment,
                          Combine combine) {
  for (int64_t distance = 1; distance < segment; distance *= 2)
    lanes = combine(moveUp(fission, lanes, neutral, distance, segment), lanes);
  return lanes;
}

Value spl::mir::combineLanes(FissionContext &fission, Value lanes, int64_t segment,
                             Combine combine) {
  for (int64_t bit = segment / 2; bit != 0; bit /= 2)
    lanes = combine(lanes, permute(fission, lanes, [&](int64_t lane) { return lane ^ bit; }));
  return lanes;
}

Value spl::mir::permuteBy(FissionContext &fission, Value lanes, Value number, int64_t segment,
                          LaneSource ifSet, LaneSource ifClear) {
  for (int64_t bit = 1; bit < segment; bit *= 2) {
    Value isSet = arith::CmpIOp::create(
        fission.builder, fission.loc, arith::CmpIPredicate::ne,
        fission.compute<arith::AndIOp>(number, fission.integer(bit)), fission.integer(0));
    Value set = permute(fission, lanes, [&](int64_t lane) { return ifSet(lane, bit); });
    Value clear = permute(fission, lanes, [&](int64_t lane) { return ifClear(lane, bit); });
    lanes = arith::SelectOp::create(fission.builder, fission.loc, isSet, set, clear);
  }
  return lanes;
}
