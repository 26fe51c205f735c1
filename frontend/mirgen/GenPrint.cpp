// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// print and assert.
#include "frontend/mirgen/FunctionGen.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

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
  case sema::TypeKind::I8:
  case sema::TypeKind::I16:
  case sema::TypeKind::I32:
  case sema::TypeKind::I64:
  case sema::TypeKind::Enum:
    return 'i';
  case sema::TypeKind::U8:
  case sema::TypeKind::U16:
  case sema::TypeKind::U32:
  case sema::TypeKind::U64:
    return 'u';
  case sema::TypeKind::Error:
  case sema::TypeKind::Unit:
  case sema::TypeKind::Vector:
  case sema::TypeKind::Slice:
  case sema::TypeKind::Array:
  case sema::TypeKind::Tuple:
  case sema::TypeKind::Struct:
    break;
  }
  llvm_unreachable("no scalar");
}

namespace {
/// The texts and values of a line, as spl.print takes them.
struct Line {
  std::string text; ///< since the last value
  SmallVector<std::string> texts;
  SmallVector<Value> values;
  std::string kinds;
  SmallVector<int32_t> precisions;

  void add(Value value, char kind, int precision) {
    texts.push_back(std::exchange(text, ""));
    values.push_back(value);
    kinds += kind;
    precisions.push_back(precision);
  }
};
} // namespace

void FunctionGen::emitPrint(ArrayRef<sema::FormatPiece> format, bool isMessage, Location location) {
  Line line;
  for (const sema::FormatPiece &piece : format) {
    line.text += piece.text;
    if (!piece.value)
      break;
    sema::Type type = piece.value->type;
    Location at = locationOf(*piece.value);
    Value whole = emitExpr(*piece.value);
    char kind = kindOf(type.lane());
    auto add = [&](Value value) {
      if (kind == 'i' || kind == 'u')
        value = emitIntegerCast(value, kind == 'i', builder.getI64Type(), at);
      line.add(value, kind, piece.precision);
    };
    if (!type.isVector()) {
      add(whole);
      continue;
    }
    for (unsigned lane = 0; lane < type.lanes(); ++lane) {
      line.text += lane ? ", " : "(";
      add(vector::ExtractOp::create(builder, at, whole, int64_t(lane)));
    }
    line.text += ")";
  }
  line.texts.push_back(line.text);
  SmallVector<StringRef> texts(line.texts.begin(), line.texts.end());
  mir::PrintOp::create(builder, location, builder.getStrArrayAttr(texts), line.values,
                       builder.getStringAttr(line.kinds),
                       builder.getDenseI32ArrayAttr(line.precisions), isMessage);
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
