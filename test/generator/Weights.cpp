// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/generator/Context.h"

#include <span>

namespace spl::generator {
namespace {

struct Weights {
  int of[3];
  int in(Flavour flavour) const { return of[static_cast<int>(flavour)]; }
};

constexpr Weights statements[] = {
#define STATEMENT(Id, Indices, Groups, Data) {{Indices, Groups, Data}},
#include "test/generator/Weights.def"
};
constexpr Weights expressions[] = {
#define EXPRESSION(Id, Indices, Groups, Data) {{Indices, Groups, Data}},
#include "test/generator/Weights.def"
};

constexpr Weights features[] = {
#define FEATURE(Id, Indices, Groups, Data) {{Indices, Groups, Data}},
#include "test/generator/Weights.def"
};

template <class F> int choose(Context &context, std::span<const Weights> table, F &&isAllowed) {
  int total = 0;
  for (std::size_t i = 0; i != table.size(); ++i)
    total += isAllowed(static_cast<int>(i)) ? table[i].in(context.program.flavour) : 0;
  int at = context.below(total);
  for (std::size_t i = 0;; ++i)
    if (isAllowed(static_cast<int>(i)) && (at -= table[i].in(context.program.flavour)) < 0)
      return static_cast<int>(i);
}

} // namespace

Statement chooseStatement(Context &context, bool mayNest, bool isUniform) {
  return static_cast<Statement>(choose(context, statements, [&](int at) {
    const auto statement = static_cast<Statement>(at);
    if (context.isConstant && (statement == Statement::Call || statement == Statement::Assertion ||
                               statement == Statement::EmptyLoop || statement == Statement::Print))
      return false;
    if (statement == Statement::Print)
      return context.program.prints;
    if (statement == Statement::GroupStep)
      return isUniform;
    return mayNest || statement < Statement::Guarded;
  }));
}

bool chooseFeature(Context &context, Feature feature) {
  return context.below(100) < features[static_cast<int>(feature)].in(context.program.flavour);
}

Expression chooseExpression(Context &context) {
  return static_cast<Expression>(choose(context, expressions, [&](int at) {
    return !context.isConstant || static_cast<Expression>(at) != Expression::Warp;
  }));
}

} // namespace spl::generator
