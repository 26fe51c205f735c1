// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/ModuleGen.h"
#include "frontend/mirgen/IntegerPower.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/IR/Location.h"
#include <cstring>
#include <functional>

using namespace spl;
using namespace spl::mirgen;

ModuleGen::ModuleGen(const diag::SourceManager &sources, const Checks &checks,
                     mlir::MLIRContext &context)
    : checks(checks), builder(&context), module(mlir::ModuleOp::create(builder.getUnknownLoc())),
      sources(sources) {
  builder.setInsertionPointToEnd(module->getBody());
}

mlir::Type ModuleGen::type(sema::Type type) {
  using sema::TypeKind;
  mlir::MLIRContext *context = builder.getContext();
  switch (type.kind()) {
  case TypeKind::F16:
    return builder.getF16Type();
  case TypeKind::BF16:
    return builder.getBF16Type();
  case TypeKind::F32:
    return builder.getF32Type();
  case TypeKind::F64:
    return builder.getF64Type();
  case TypeKind::Vector:
    return mlir::VectorType::get(type.lanes(), this->type(type.element()));
  case TypeKind::Slice:
    return mir::SliceType::get(context, this->type(type.element()), type.isMut(), type.rank());
  case TypeKind::Array:
    return mir::ArrayType::get(context, type.length(), this->type(type.element()));
  case TypeKind::Tuple:
  case TypeKind::Struct:
    return recordType(type);
  case TypeKind::Bool:
  case TypeKind::I8:
  case TypeKind::I16:
  case TypeKind::I32:
  case TypeKind::I64:
  case TypeKind::U8:
  case TypeKind::U16:
  case TypeKind::U32:
  case TypeKind::U64:
  case TypeKind::Enum:
    return builder.getIntegerType(type.bits());
  case TypeKind::Error:
  case TypeKind::Unit:
    break;
  }
  llvm_unreachable("a checked value has a type");
}

// Stores the type of each record, because a record may have very many parts.
mlir::Type ModuleGen::recordType(sema::Type type) {
  if (mlir::Type known = records.lookup(type.identity()))
    return known;
  auto parts = type.isTuple() ? types(type.elements())
                              : llvm::map_to_vector(type.structInfo().fields, [&](auto &field) {
                                  return this->type(field.type);
                                });
  return records[type.identity()] = mir::StructType::get(builder.getContext(), parts);
}

mlir::Type ModuleGen::valueType(sema::Type type, bool isMut) {
  mlir::Type inMemory = this->type(type);
  return type.isAggregate() ? mir::SliceType::get(builder.getContext(), inMemory, isMut, 1)
                            : inMemory;
}

llvm::SmallVector<mlir::Type> ModuleGen::types(llvm::ArrayRef<sema::Type> types) {
  return llvm::map_to_vector(types, [&](sema::Type type) { return this->type(type); });
}

mlir::Location ModuleGen::location(diag::SourceRange range) {
  const char *place = range.begin;
  std::less<const char *> before;
  if (!lineBegin || before(place, lineBegin) || before(lineEnd, place)) {
    diag::Position position = sources.position(place);
    if (position.line == 0)
      return builder.getUnknownLoc();
    file = builder.getStringAttr(position.file);
    line = position.line;
    lineBegin = place - (position.column - 1);
    // Not byte by byte: places may alternate between other lines and one of megabytes.
    lineEnd = strchrnul(place, '\n');
  }
  return mlir::FileLineColLoc::get(file, line, unsigned(place - lineBegin) + 1);
}

mlir::FlatSymbolRefAttr ModuleGen::powHelper(unsigned width, mlir::Location location) {
  powWidths.try_emplace(width, location);
  return mlir::FlatSymbolRefAttr::get(builder.getContext(), powHelperName(width));
}

void ModuleGen::emitHelpers() {
  for (auto [width, location] : powWidths)
    emitPowHelper(builder, location, width);
}
