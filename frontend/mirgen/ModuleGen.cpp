// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/ModuleGen.h"
#include "frontend/mirgen/IntegerPower.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/IR/Location.h"
#include <functional>

using namespace spl;
using namespace spl::mirgen;

ModuleGen::ModuleGen(const diag::SourceManager &sources, mlir::MLIRContext &context)
    : builder(&context), module(mlir::ModuleOp::create(builder.getUnknownLoc())), sources(sources) {
  builder.setInsertionPointToEnd(module->getBody());
}

mlir::Type ModuleGen::type(sema::Type type) {
  if (type.isSlice())
    return mir::SliceType::get(builder.getContext(), this->type(type.element()), type.isMut(),
                               type.rank());
  if (type.isFloat())
    return type.bits() == 32 ? mlir::Type(builder.getF32Type()) : builder.getF64Type();
  return builder.getIntegerType(type.bits());
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
    for (lineEnd = place; *lineEnd != '\n' && *lineEnd != '\0';)
      ++lineEnd;
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
