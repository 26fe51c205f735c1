// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expands functions of math.fast without an instruction to those with an instruction. For f64,
// which has no such instructions, expands them to the precise functions.
#include "mir/transforms/Expansion.h"

using namespace mlir;

namespace spl::mir {
namespace {

class Fast : public Expansion {
public:
  explicit Fast(const Expansion &expansion) : Expansion(expansion) {}
  Value run();
};

} // namespace

/// The precise function for a function of math.fast, or std::nullopt for other rows.
static std::optional<intrinsics::Id> preciseOf(intrinsics::Id id) {
  using intrinsics::Id;
  switch (id) {
#define FAST(Name)                                                                                 \
  case Id::Fast##Name:                                                                             \
    return Id::Name;
    FAST(Sqrt)
    FAST(Rsqrt)
    FAST(Exp)
    FAST(Exp2)
    FAST(Exp10)
    FAST(Log)
    FAST(Log2)
    FAST(Log10)
    FAST(Sin)
    FAST(Cos)
    FAST(Tan)
    FAST(Tanh)
    FAST(Pow)
#undef FAST
  default:
    return std::nullopt;
  }
}

Value Fast::run() {
  std::optional<Id> precise = preciseOf(op.getRow().id);
  if (!precise)
    return {};
  Value x = operand(0);
  if (!isDouble())
    switch (op.getRow().id) {
    case Id::FastExp:
      return call(Id::FastExp2, mul(x, number(0x1.71547652b82fep+0))); // log2(e)
    case Id::FastExp10:
      return call(Id::FastExp2, mul(x, number(0x1.a934f0979a371p+1))); // log2(10)
    case Id::FastLog:
      return mul(call(Id::FastLog2, x), number(0x1.62e42fefa39efp-1)); // log(2)
    case Id::FastLog10:
      return mul(call(Id::FastLog2, x), number(0x1.34413509f79ffp-2)); // log10(2)
    case Id::FastTan:
      return div(call(Id::FastSin, x), call(Id::FastCos, x));
    case Id::FastPow:
      return call(Id::FastExp2, mul(operand(1), call(Id::FastLog2, x)));
    default: // uses the precise function
      break;
    }
  return call(*precise, op.getOperands());
}

Value expandFast(const Expansion &expansion) { return Fast(expansion).run(); }

} // namespace spl::mir
