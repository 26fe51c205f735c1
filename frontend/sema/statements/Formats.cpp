// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/statements/Formats.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Expressions.h"

namespace spl::sema {

/// The maximum number of values of CUDA's vprintf.
static constexpr unsigned maxValues = 32;

static bool isPrintable(Type type) { return type.isScalar() || type.isVector() || type.isEnum(); }

/// Returns the hint for a value that cannot be printed: a part of it that can be printed.
static std::string partText(const Expr &value) {
  Type type = value.type;
  if (quoted(value.range).front() != '\'')
    return {};
  std::string name = asOperand(value);
  if (type.isTuple())
    return name + ".0";
  if (type.isStruct()) { // there is no such part if the struct has no valid fields
    if (type.structInfo().fields.empty())
      return {};
    name += "." + type.structInfo().fields.front().name.str();
    type = type.structInfo().fields.front().type;
    if (!type.isSlice())
      return name;
  }
  if (type.isSlice() && type.rank() > 1)
    return name + (type.rank() == 2 ? "[i, j]" : type.rank() == 3 ? "[i, j, k]" : "[i, j, k, l]");
  return name + "[i]";
}

/// Returns false if it reports an error.
static bool checkFormat(ExpressionContext &context, ArrayRef<syntax::FormatPiece> format,
                        ArrayRef<FormatPiece> &result) {
  llvm::SmallVector<FormatPiece, 4> pieces;
  bool isGood = true;
  unsigned count = 0;
  for (const syntax::FormatPiece &piece : format) {
    const Expr *value = piece.value ? checkValue(context, *piece.value) : nullptr;
    isGood &= !piece.value || value;
    const unsigned before = std::exchange(count, count + (value ? value->type.lanes() : 0));
    if (value && !isPrintable(value->type)) {
      context.diagnostics.emit(value->range, diag::NotPrintable, quoted(value->range),
                               value->type.str(), writeHint(partText(*value)));
      isGood = false;
    } else if (value && piece.precision && !value->type.lane().isFloat()) {
      context.diagnostics.emit(value->range, diag::PrecisionNotFloat, quoted(value->range),
                               value->type.str());
      isGood = false;
    } else if (before <= maxValues && count > maxValues) {
      context.diagnostics.emit(value->range, diag::PrintValues, maxValues);
      isGood = false;
    }
    pieces.push_back({piece.text, value, piece.precision ? int(*piece.precision) : -1});
  }
  result = ArrayRef(pieces).copy(context.arena);
  return isGood;
}

const Stmt *checkPrint(ExpressionContext &context, const syntax::PrintStmt &stmt) {
  ArrayRef<FormatPiece> format;
  return checkFormat(context, stmt.format, format) ? context.make(PrintStmt{{stmt.range}, format})
                                                   : nullptr;
}

const Stmt *checkAssert(ExpressionContext &context, const syntax::AssertStmt &stmt) {
  const Expr *condition = checkCondition(context, *stmt.condition);
  ArrayRef<FormatPiece> format;
  bool isGood = checkFormat(context, stmt.format, format);
  if (format.empty())
    format = ArrayRef(FormatPiece{stmt.conditionText, nullptr, -1}).copy(context.arena);
  return condition && isGood ? context.make(AssertStmt{{stmt.range}, condition, format}) : nullptr;
}

} // namespace spl::sema
