// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/AdjacentVectors.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace spl::mir;

bool spl::mir::isOfAdjacentVectors(const Gang &gang, Value slice, ValueRange indices,
                                   Type element) {
  auto vector = dyn_cast<VectorType>(element);
  return vector && !gang.mask && vector.getElementTypeBitWidth() >= 8 &&
         isAdjacent(gang.shapes, slice, indices);
}

/// The components of the vectors of all lanes, as one slice.
static Value componentsOf(Gang &gang, Value slice, ValueRange indices) {
  slice = scalarOf(gang, slice);
  Values first;
  for (Value index : indices)
    first.push_back(scalarOf(gang, index));
  auto vectors = cast<SliceType>(slice.getType());
  auto type =
      SliceType::get(slice.getContext(), cast<VectorType>(vectors.getElement()).getElementType(),
                     vectors.getIsMut(), 1);
  return PartOp::create(gang.builder, gang.loc, type, slice, first, IntegerAttr(),
                        /*unchecked=*/true);
}

static VectorType typeOfAll(Gang &gang, Type element) {
  auto vector = cast<VectorType>(element);
  return VectorType::get(gang.lanes * vector.getNumElements(), vector.getElementType());
}

Values spl::mir::loadVectors(Gang &gang, LoadOp load) {
  const int64_t count = cast<VectorType>(load.getType()).getNumElements();
  Value slice = componentsOf(gang, load.getSlice(), load.getIndices());
  Value all = LoadLanesOp::create(gang.builder, gang.loc, typeOfAll(gang, load.getType()), slice,
                                  integer(gang, 0, gang.builder.getI64Type()), Value());
  Values components;
  for (int64_t component = 0; component < count; ++component) {
    SmallVector<int64_t> places;
    for (int64_t lane = 0; lane < gang.lanes; ++lane)
      places.push_back(lane * count + component);
    components.push_back(vector::ShuffleOp::create(gang.builder, gang.loc, all, all, places));
  }
  return components;
}

void spl::mir::storeVectors(Gang &gang, StoreOp store, const Values &components) {
  const auto count = int64_t(components.size());
  Values parts = components;
  while (parts.size() != 1) { // a shuffle has two operands
    Values pairs;
    for (size_t number = 0; number < parts.size(); number += 2) {
      const int64_t length = 2 * cast<VectorType>(parts[number].getType()).getNumElements();
      pairs.push_back(vector::ShuffleOp::create(gang.builder, gang.loc, parts[number],
                                                parts[number + 1],
                                                llvm::to_vector(llvm::seq<int64_t>(length))));
    }
    parts = pairs;
  }
  SmallVector<int64_t> places;
  for (int64_t lane = 0; lane < gang.lanes; ++lane)
    for (int64_t component = 0; component < count; ++component)
      places.push_back(component * gang.lanes + lane);
  Value all =
      vector::ShuffleOp::create(gang.builder, gang.loc, parts.front(), parts.front(), places);
  StoreLanesOp::create(gang.builder, gang.loc, all,
                       componentsOf(gang, store.getSlice(), store.getIndices()),
                       integer(gang, 0, gang.builder.getI64Type()), Value());
}
