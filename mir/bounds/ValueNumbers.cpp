// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/ValueNumbers.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace spl::mir::bounds {

ValueNumbers::ValueNumbers(KernelOp kernel) {
  kernel.walk<WalkOrder::PreOrder>([&](Operation *op) { add(op); });
}

Value ValueNumbers::leader(Value value) const {
  auto found = leaders.find(value);
  return found == leaders.end() ? value : found->second;
}

void ValueNumbers::add(Operation *op) {
  if (op->getNumResults() == 0 || op->getNumRegions() != 0 || !isMemoryEffectFree(op))
    return;
  using Same = OperationEquivalence;
  const auto flags = Same::IgnoreLocations | Same::IgnoreDiscardableAttrs;
  llvm::hash_code hash = Same::computeHash(
      op, [&](Value operand) { return hash_value(leader(operand)); }, Same::ignoreHashValue, flags);
  auto isSameValue = [&](Value a, Value b) { return success(leader(a) == leader(b)); };
  for (Operation *other : operations[hash])
    if (Same::isEquivalentTo(op, other, isSameValue, nullptr, flags)) {
      for (auto [mine, its] : llvm::zip(op->getResults(), other->getResults()))
        leaders[mine] = its;
      return;
    }
  operations[hash].push_back(op);
}

} // namespace spl::mir::bounds
