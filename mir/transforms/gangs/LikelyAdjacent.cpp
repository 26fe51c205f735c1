// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/gangs/LikelyAdjacent.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace spl::mir;

/// The step from lane to lane that most lanes of the value have, if there is one.
static std::optional<int64_t> likelyStep(const LaneShapes &shapes, Value value, unsigned depth) {
  if (shapes.of(value).isLinear())
    return shapes.of(value).getStep();
  Operation *op = value.getDefiningOp();
  if (!op || depth == 0)
    return std::nullopt;
  auto stepOf = [&](Value operand) { return likelyStep(shapes, operand, depth - 1); };
  using Step = std::optional<int64_t>;
  /// That of the only operand which is not the same for all lanes, or of both.
  auto common = [&](Value a, Value b) -> Step {
    const Step stepA = stepOf(a), stepB = stepOf(b);
    if (stepA == stepB || shapes.isUniform(b))
      return stepA;
    return shapes.isUniform(a) ? stepB : std::nullopt;
  };
  /// That of the first operand, if the second one is the same for all lanes.
  auto ofFirst = [&](Operation *binary) -> Step {
    return shapes.isUniform(binary->getOperand(1)) ? stepOf(binary->getOperand(0)) : std::nullopt;
  };
  return llvm::TypeSwitch<Operation *, Step>(op)
      .Case<arith::AddIOp, arith::SubIOp>([&](Operation *sum) -> Step {
        const Step a = stepOf(sum->getOperand(0)), b = stepOf(sum->getOperand(1));
        if (!a || !b)
          return std::nullopt;
        return int64_t(isa<arith::AddIOp>(sum) ? uint64_t(*a) + uint64_t(*b)
                                               : uint64_t(*a) - uint64_t(*b));
      })
      .Case([&](arith::MulIOp product) -> Step {
        APInt factor;
        const Step step = stepOf(product.getLhs());
        if (step && matchPattern(product.getRhs(), m_ConstantInt(&factor)))
          return int64_t(uint64_t(*step) * uint64_t(factor.getSExtValue()));
        return common(product.getLhs(), product.getRhs()) == 0 ? Step(0) : std::nullopt;
      })
      .Case<arith::AndIOp, arith::MinSIOp, arith::MinUIOp, arith::MaxSIOp, arith::MaxUIOp>(
          [&](Operation *choice) { return common(choice->getOperand(0), choice->getOperand(1)); })
      .Case<arith::RemSIOp, arith::RemUIOp>(ofFirst)
      .Case<arith::DivSIOp, arith::DivUIOp, arith::FloorDivSIOp>(
          [&](Operation *quotient) { return ofFirst(quotient) ? Step(0) : std::nullopt; })
      .Case<arith::ExtSIOp, arith::ExtUIOp, arith::TruncIOp>(
          [&](Operation *cast) { return stepOf(cast->getOperand(0)); })
      .Case([&](arith::SelectOp select) {
        return common(select.getTrueValue(), select.getFalseValue());
      })
      .Case([&](scf::IfOp branch) {
        const unsigned number = cast<OpResult>(value).getResultNumber();
        return common(branch.thenYield().getOperand(number), branch.elseYield().getOperand(number));
      })
      .Default(Step());
}

bool spl::mir::isLikelyAdjacent(const LaneShapes &shapes, Value slice, ValueRange indices,
                                Type element) {
  constexpr unsigned maxDepth = 8;
  return shapes.isUniform(slice) && !isa<VectorType>(element) &&
         llvm::all_of(indices.drop_back(),
                      [&](Value index) { return likelyStep(shapes, index, maxDepth) == 0; }) &&
         likelyStep(shapes, indices.back(), maxDepth) == 1;
}

/// Compares the indices of the active lanes with those that follow the ones of lane 0.
static AdjacencyTest compareIndices(Gang &gang, ValueRange indices) {
  OpBuilder &builder = gang.builder;
  AdjacencyTest result;
  Value all; // the lanes whose indices follow those of lane 0
  for (auto [number, index] : llvm::enumerate(indices)) {
    if (gang.shapes.of(index) == LaneShape::linear(number + 1 == indices.size())) {
      result.first.push_back(scalarOf(gang, index));
      continue;
    }
    // What an inactive lane computes may be poison.
    Value lanes = vectorsOf(gang, index).front();
    if (gang.mask)
      lanes = FreezeOp::create(builder, gang.loc, lanes.getType(), lanes);
    Value first = vector::ExtractOp::create(builder, gang.loc, lanes, 0);
    result.first.push_back(first);
    Value expected = everywhere(gang, first);
    if (number + 1 == indices.size())
      expected =
          arith::AddIOp::create(builder, gang.loc, expected, laneNumbers(gang, index.getType()));
    Value follow =
        arith::CmpIOp::create(builder, gang.loc, arith::CmpIPredicate::eq, lanes, expected);
    all = all ? arith::AndIOp::create(builder, gang.loc, all, follow) : follow;
  }
  result.holds = allOfActive(gang, all);
  return result;
}

std::optional<AdjacencyTest> spl::mir::testElements(Gang &gang, Value slice, ValueRange indices,
                                                    Type element) {
  if (std::optional<AdjacencyTest> test = testScalars(gang, indices, element))
    return test;
  if (isLikelyAdjacent(gang.shapes, slice, indices, element))
    return compareIndices(gang, indices);
  return std::nullopt;
}
