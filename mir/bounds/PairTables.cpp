// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/PairTables.h"
#include "mir/bounds/Loads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;

namespace spl::mir::bounds {

/// The extent with which an element of memory is compared, if the condition is the check of an
/// index.
static ExtentOp extentForElement(Value condition) {
  auto compare = condition.getDefiningOp<arith::CmpIOp>();
  if (!compare || compare.getPredicate() != arith::CmpIPredicate::ult)
    return {};
  Value index = compare.getLhs();
  while (isa_and_nonnull<arith::ExtSIOp, arith::ExtUIOp>(index.getDefiningOp()))
    index = index.getDefiningOp()->getOperand(0);
  if (!index.getDefiningOp<LoadOp>() || parameterPart(index) || rangeOfConstants(index))
    return {};
  return compare.getRhs().getDefiningOp<ExtentOp>();
}

PairTables::PairTables(KernelOp kernel) {
  llvm::DenseMap<Value, uint64_t> axes; // the first axis along which an element is an index
  kernel.walk([&](CheckOp check) {
    ExtentOp extent = extentForElement(check.getCondition());
    if (!extent)
      return;
    const auto [place, isNew] = axes.try_emplace(extent.getSlice(), extent.getAxis());
    if (!isNew && place->second != extent.getAxis())
      tables.insert(extent.getSlice());
  });
}

bool PairTables::isIndexed(Value condition) const {
  ExtentOp extent = extentForElement(condition);
  return extent && tables.contains(extent.getSlice());
}

} // namespace spl::mir::bounds
