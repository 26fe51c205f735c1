// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// print and assert.
#include "frontend/mirgen/Print.h"
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Operators.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "spl/abi/PrintKind.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;
using abi::PrintKind;

static PrintKind kindOf(sema::Type type) {
  switch (type.kind()) {
  case sema::TypeKind::Bool:
    return PrintKind::Bool;
  case sema::TypeKind::F16:
    return PrintKind::F16;
  case sema::TypeKind::BF16:
    return PrintKind::BF16;
  case sema::TypeKind::F32:
    return PrintKind::F32;
  case sema::TypeKind::F64:
    return PrintKind::F64;
  case sema::TypeKind::I8:
  case sema::TypeKind::I16:
  case sema::TypeKind::I32:
  case sema::TypeKind::I64:
  case sema::TypeKind::Enum:
    return PrintKind::Signed;
  case sema::TypeKind::U8:
  case sema::TypeKind::U16:
  case sema::TypeKind::U32:
  case sema::TypeKind::U64:
    return PrintKind::Unsigned;
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

  void add(Value value, PrintKind kind, int precision) {
    texts.push_back(std::exchange(text, ""));
    values.push_back(value);
    kinds += char(kind);
    precisions.push_back(precision);
  }
};
} // namespace

void mirgen::emitPrint(FunctionContext &fn, ArrayRef<sema::FormatPiece> format, bool isMessage,
                       Location location) {
  Line line;
  for (const sema::FormatPiece &piece : format) {
    line.text += piece.text;
    if (!piece.value)
      break;
    sema::Type type = piece.value->type;
    Location at = fn.locationOf(*piece.value);
    Value whole = emitExpr(fn, *piece.value);
    PrintKind kind = kindOf(type.lane());
    auto add = [&](Value value) {
      if (kind == PrintKind::Signed || kind == PrintKind::Unsigned)
        value = emitIntegerCast(fn, value, kind == PrintKind::Signed, fn.builder.getI64Type(), at);
      line.add(value, kind, piece.precision);
    };
    if (!type.isVector()) {
      add(whole);
      continue;
    }
    for (unsigned lane = 0; lane < type.lanes(); ++lane) {
      line.text += lane ? ", " : "(";
      add(vector::ExtractOp::create(fn.builder, at, whole, int64_t(lane)));
    }
    line.text += ")";
  }
  line.texts.push_back(line.text);
  SmallVector<StringRef> texts(line.texts.begin(), line.texts.end());
  mir::PrintOp::create(fn.builder, location, fn.builder.getStrArrayAttr(texts), line.values,
                       fn.builder.getStringAttr(line.kinds),
                       fn.builder.getDenseI32ArrayAttr(line.precisions), isMessage);
}

// A message with values is made only where the condition fails.
void mirgen::emitAssert(FunctionContext &fn, const sema::AssertStmt &stmt) {
  if (!fn.module.checks.asserts || fn.isUnchecked())
    return;
  Location location = fn.locationOf(stmt);
  auto fail = [&](Value condition, StringRef text) {
    mir::CheckOp::create(fn.builder, location, condition, mir::FaultKind::AssertionFailed,
                         ValueRange(), fn.builder.getStringAttr(text));
  };
  const sema::FormatPiece &first = stmt.format.front();
  if (!first.value && !first.text.empty())
    return fail(emitExpr(fn, *stmt.condition), stmt.format.front().text);
  Value fails = emitNegated(fn, *stmt.condition);
  auto branch = scf::IfOp::create(fn.builder, location, fails, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(fn.builder);
  fn.builder.setInsertionPointToStart(branch.thenBlock());
  emitPrint(fn, stmt.format, /*isMessage=*/true, location);
  fail(fn.boolean(false, location), "");
}
