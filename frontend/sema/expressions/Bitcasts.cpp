// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Bitcasts.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Calls.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/GenericArguments.h"

namespace spl::sema {

/// The number of bits of a number or of a vector of numbers; 0 for other types.
static unsigned sizeOf(Type type) {
  return type.lane().isNumber() ? type.lane().bits() * type.lanes() : 0;
}

// The hint for a literal without a suffix that would have the right size with one: "; write
// '0x3f800000u32'".
static std::string suffixHint(const syntax::Expr &literal, unsigned bits) {
  const auto *whole = llvm::dyn_cast<syntax::IntExpr>(&literal);
  const auto *fraction = llvm::dyn_cast<syntax::FloatExpr>(&literal);
  bool isPlain = (whole && whole->suffix.empty()) || (fraction && fraction->suffix.empty());
  if (!isPlain || !llvm::is_contained(fraction ? llvm::ArrayRef<unsigned>{16, 32, 64}
                                               : llvm::ArrayRef<unsigned>{8, 16, 32, 64},
                                      bits))
    return {};
  return writeHint(literal.range.text().str() + (fraction ? "f" : "u") + std::to_string(bits));
}

const Expr *checkBitcast(ExpressionContext &context, const syntax::CallExpr &call,
                         const intrinsics::Row &row, ArrayRef<const syntax::Expr *> brackets) {
  Type to = readTypeArgument(context, row.name, call.callee->range, brackets, "u32");
  if (!requirePositional(context.session, call))
    return abandonCall(context, call);
  if (call.arguments.size() != 1) {
    context.diagnostics.emit(call.range, diag::ArgumentCount, row.name.str(),
                             counted(1, "argument"), call.arguments.size(), "");
    return abandonCall(context, call);
  }
  const Expr *value = checkValue(context, *call.arguments.front().value);
  if (!value || to.isError())
    return nullptr;
  unsigned fromSize = sizeOf(value->type), toSize = sizeOf(to);
  if (fromSize == 0 || toSize == 0) {
    bool isValue = fromSize == 0;
    context.diagnostics.emit(isValue ? value->range : brackets.front()->range, diag::BitcastType,
                             isValue ? value->type.str() : to.str());
    return nullptr;
  }
  if (fromSize != toSize) {
    context.diagnostics.emit(value->range, diag::BitcastSize, quoted(value->range),
                             value->type.str(), fromSize, to.str(), toSize,
                             suffixHint(*call.arguments.front().value, toSize));
    return nullptr;
  }
  const Expr *arguments[] = {value};
  return context.make(
      IntrinsicExpr{{to, call.range}, row.id, ArrayRef(arguments).copy(context.arena), 0});
}

} // namespace spl::sema
