// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands functions that combine the lanes of a vector.
#include "mir/transforms/Expansion.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace spl::mir {
namespace {

class Vectors : public Expansion {
public:
  explicit Vectors(const Expansion &expansion) : Expansion(expansion) {}
  Value run();

private:
  Value lane(Value vector, int64_t index);
  int64_t lanes() { return cast<VectorType>(operand(0).getType()).getNumElements(); }
  Value dot(Value a, Value b);
  Value cross();
  Value reduce(bool isAny);
};

} // namespace

Value Vectors::run() {
  switch (op.getRow().id) {
  case Id::Dot:
    return dot(operand(0), operand(1));
  case Id::Length:
    return call(Id::Sqrt, dot(operand(0), operand(0)));
  case Id::Normalize: {
    Value length = call(Id::Sqrt, dot(operand(0), operand(0)));
    return div(operand(0), make<vector::BroadcastOp>(op.getType(), length));
  }
  case Id::Cross:
    return cross();
  case Id::AnyLane:
    return reduce(/*isAny=*/true);
  case Id::AllLanes:
    return reduce(/*isAny=*/false);
  default:
    return {};
  }
}

Value Vectors::lane(Value vector, int64_t index) { return make<vector::ExtractOp>(vector, index); }

Value Vectors::dot(Value a, Value b) {
  Value sum = mul(lane(a, 0), lane(b, 0));
  for (int64_t index = 1; index != lanes(); ++index)
    sum = fma(lane(a, index), lane(b, index), sum);
  return sum;
}

// Each difference is fused in the same way as a * b - c * d in the source.
Value Vectors::cross() {
  SmallVector<Value, 4> results;
  for (int64_t index = 0; index != 3; ++index) {
    const int64_t next = (index + 1) % 3, last = (index + 2) % 3;
    Value taken = mul(lane(operand(0), last), lane(operand(1), next));
    results.push_back(fma(lane(operand(0), next), lane(operand(1), last), neg(taken)));
  }
  results.push_back(number(0, results.front()));
  return make<vector::FromElementsOp>(op.getType(), results);
}

Value Vectors::reduce(bool isAny) {
  Value result = lane(operand(0), 0);
  for (int64_t index = 1; index != lanes(); ++index) {
    Value next = lane(operand(0), index);
    result = isAny ? make<arith::OrIOp>(result, next) : make<arith::AndIOp>(result, next);
  }
  return result;
}

Value expandVectors(const Expansion &expansion) { return Vectors(expansion).run(); }

} // namespace spl::mir
