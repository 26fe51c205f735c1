// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// print and assert, and the values in their texts.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/Wording.h"

namespace spl::sema {

bool BodyChecker::checkFormat(ArrayRef<syntax::FormatPiece> format, ArrayRef<FormatPiece> &result) {
  llvm::SmallVector<FormatPiece, 4> pieces;
  bool isGood = true;
  for (const syntax::FormatPiece &piece : format) {
    const Expr *value = piece.value ? checkValue(*piece.value) : nullptr;
    isGood &= !piece.value || value;
    if (value && !value->type.isScalar() && !value->type.isEnum()) {
      diagnostics.emit(value->range, diag::NotPrintable, quoted(value->range), value->type.str());
      isGood = false;
    } else if (value && piece.precision && !value->type.isFloat()) {
      diagnostics.emit(value->range, diag::PrecisionNotFloat, quoted(value->range),
                       value->type.str());
      isGood = false;
    }
    pieces.push_back({piece.text, value, piece.precision ? int(*piece.precision) : -1});
  }
  result = ArrayRef(pieces).copy(arena);
  return isGood;
}

const Stmt *BodyChecker::checkPrint(const syntax::PrintStmt &stmt) {
  ArrayRef<FormatPiece> format;
  return checkFormat(stmt.format, format) ? make(PrintStmt{{stmt.range}, format}) : nullptr;
}

const Stmt *BodyChecker::checkAssert(const syntax::AssertStmt &stmt) {
  const Expr *condition = checkCondition(*stmt.condition);
  ArrayRef<FormatPiece> format;
  bool isGood = checkFormat(stmt.format, format);
  if (format.empty())
    format = ArrayRef(FormatPiece{stmt.conditionText, nullptr, -1}).copy(arena);
  return condition && isGood ? make(AssertStmt{{stmt.range}, condition, format}) : nullptr;
}

} // namespace spl::sema
