// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// print and assert.
#include "frontend/mirgen/FunctionGen.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

/// The letter by which spl.print knows the type.
static char kindOf(sema::Type type) {
  switch (type.kind()) {
  case sema::TypeKind::Bool:
    return 'b';
  case sema::TypeKind::F16:
    return 'h';
  case sema::TypeKind::BF16:
    return 't';
  case sema::TypeKind::F32:
    return 'f';
  case sema::TypeKind::F64:
    return 'd';
  default:
    return type.isUnsignedInt() ? 'u' : 'i';
  }
}

void FunctionGen::emitPrint(ArrayRef<sema::FormatPiece> format, bool isMessage, Location location) {
  SmallVector<StringRef> texts;
  SmallVector<Value> values;
  std::string kinds;
  SmallVector<int32_t> precisions;
  for (const sema::FormatPiece &piece : format) {
    texts.push_back(piece.text);
    if (!piece.value)
      break;
    sema::Type type = piece.value->type;
    Value value = emitExpr(*piece.value);
    kinds += kindOf(type);
    if (kinds.back() == 'i' || kinds.back() == 'u')
      value = emitIntegerCast(value, kinds.back() == 'i', builder.getI64Type(),
                              locationOf(*piece.value));
    values.push_back(value);
    precisions.push_back(piece.precision);
  }
  if (texts.size() == values.size())
    texts.push_back("");
  mir::PrintOp::create(builder, location, builder.getStrArrayAttr(texts), values,
                       builder.getStringAttr(kinds), builder.getDenseI32ArrayAttr(precisions),
                       isMessage);
}

// A message with values is made only where the condition fails.
void FunctionGen::emitAssert(const sema::AssertStmt &stmt) {
  if (!module.keepsAsserts() || function.traits.isUnchecked)
    return;
  Location location = locationOf(stmt);
  auto fail = [&](Value condition, StringRef text) {
    mir::CheckOp::create(builder, location, condition, mir::FaultKind::AssertionFailed,
                         ValueRange(), builder.getStringAttr(text));
  };
  const sema::FormatPiece &first = stmt.format.front();
  if (!first.value && !first.text.empty())
    return fail(emitExpr(*stmt.condition), stmt.format.front().text);
  Value fails = emitNegated(*stmt.condition);
  auto branch = scf::IfOp::create(builder, location, fails, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(branch.thenBlock());
  emitPrint(stmt.format, /*isMessage=*/true, location);
  fail(boolean(false, location), "");
}
