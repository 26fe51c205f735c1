// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/Constants.h"
#include "mlir/IR/Matchers.h"
#include "mlir/IR/Operation.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace spl::mir;

/// Adds to \p known what it finds, so that a value with many uses is computed once.
static Attribute evaluate(Value value, Constants &known, unsigned depth) {
  constexpr unsigned maxDepth = 16;
  if (auto found = known.find(value); found != known.end())
    return found->second;
  Attribute constant;
  if (matchPattern(value, m_Constant(&constant)))
    return constant;
  Operation *op = value.getDefiningOp();
  if (!op || op->getNumResults() != 1 || op->getNumRegions() != 0 || !isMemoryEffectFree(op) ||
      depth == maxDepth)
    return {};
  SmallVector<Attribute> operands;
  for (Value operand : op->getOperands()) {
    operands.push_back(evaluate(operand, known, depth + 1));
    if (!operands.back())
      return {};
  }
  SmallVector<OpFoldResult> results;
  if (failed(op->fold(operands, results)) || results.empty())
    return {};
  if (auto attribute = dyn_cast<Attribute>(results.front()))
    constant = attribute;
  else // an operand, as of a select
    constant = evaluate(cast<Value>(results.front()), known, depth + 1);
  if (constant)
    known.try_emplace(value, constant);
  return constant;
}

Attribute spl::mir::foldedConstant(Value value, const Constants &known) {
  Constants all = known;
  return evaluate(value, all, 0);
}
