// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the attributes of a function.
#include "frontend/sema/declarations/Attributes.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Expressions.h"
#include "spl/abi/Limits.h"

namespace spl::sema {

using abi::maxGroupSize;

/// The maximum group size along x, y and z that every device supports.
static constexpr unsigned maxExtents[] = {maxGroupSize, maxGroupSize, 64};

/// Evaluates an extent or a count. Returns nothing if it reports an error.
static std::optional<int64_t> checkCount(Session &session, const syntax::Expr &expr) {
  FunctionEntry noFunction{nullptr, nullptr, session.names};
  ExpressionContext context(session, noFunction);
  const ConstantExpr *value = checkLength(context, expr);
  return value ? std::optional(countOf(*value)) : std::nullopt;
}

static void checkGroupSize(Session &session, FunctionEntry &entry) {
  static constexpr StringRef axes[] = {"x", "y", "z"};
  FunctionTraits &traits = entry.function->traits;
  uint64_t all = 1;
  const syntax::FunctionAttributes &attributes = entry.item->attributes;
  for (auto [axis, extent] : llvm::enumerate(attributes.block.take_front(3))) {
    const std::optional<int64_t> value = checkCount(session, *extent);
    if (!value)
      continue;
    if (*value < 1 || *value > maxExtents[axis]) {
      session.diagnostics.emit(extent->range, diag::GroupSize, maxExtents[axis], axes[axis]);
      continue;
    }
    traits.block.push_back(*value);
    all *= uint64_t(*value);
  }
  if (all > maxGroupSize)
    session.diagnostics.emit(attributes.range, diag::GroupSize, maxGroupSize, "all its axes");
}

static void checkMinBlocks(Session &session, FunctionEntry &entry, const syntax::Expr &expr) {
  const std::optional<int64_t> value = checkCount(session, expr);
  if (!value)
    return;
  if (*value < 1 || *value > 32)
    session.diagnostics.emit(expr.range, diag::MinBlocks);
  entry.function->traits.minBlocks = *value;
}

void checkAttributes(Session &session, FunctionEntry &entry) {
  const syntax::FunctionAttributes &written = entry.item->attributes;
  Function &function = *entry.function;
  FunctionTraits &traits = function.traits;
  traits.isInline = written.isInline;
  traits.isNoinline = written.isNoinline;
  traits.isFastMath = written.isFastMath;
  traits.isUnchecked = written.isUnchecked;
  if (function.isKernel && (traits.isInline || traits.isNoinline))
    session.diagnostics.emit(written.range, diag::KernelNotInlined,
                             traits.isInline ? "inline" : "noinline");
  checkGroupSize(session, entry);
  if (written.minBlocks)
    checkMinBlocks(session, entry, *written.minBlocks);

  unsigned first =
      function.parameters.size() -
      entry.item->parameters.size(); // not 0 in a method, whose first parameter is self
  for (auto [index, parameter] : llvm::enumerate(entry.item->parameters)) {
    if (!parameter.isAlias)
      continue;
    Type type = function.parameters[first + index]->type;
    if (!type.isSlice() && !type.holdsSlices() && !type.isError())
      session.diagnostics.emit(parameter.name.range, diag::AliasNotSlice,
                               shown(parameter.name.name), type.str());
    traits.aliases.resize(function.parameters.size());
    traits.aliases[first + index] = true;
  }
}

} // namespace spl::sema
