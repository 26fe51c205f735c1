// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of one module share while it is built: the builder, types, locations, and the
// helper functions that some operators need. Refers to the sources and the context; cannot fail.
#pragma once

#include "frontend/diag/Source.h"
#include "frontend/mirgen/MirGen.h"
#include "frontend/sema/Type.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include <map>

namespace spl::mirgen {

class ModuleGen {
public:
  ModuleGen(const diag::SourceManager &sources, const Checks &checks, mlir::MLIRContext &context);

  /// The type in memory.
  mlir::Type type(sema::Type type);
  /// The type of a value. A struct, tuple or array is represented by a slice of one element, which
  /// holds it. isMut says whether that slice is mutable.
  mlir::Type valueType(sema::Type type, bool isMut);
  llvm::SmallVector<mlir::Type> types(llvm::ArrayRef<sema::Type> types);
  mlir::Location location(diag::SourceRange range);

  /// The private function that raises integers of that width to a power. location is where it is
  /// used.
  mlir::FlatSymbolRefAttr powHelper(unsigned width, mlir::Location location);
  /// Emits the helpers that were asked for.
  void emitHelpers();

  const Checks checks;
  mlir::OpBuilder builder;
  mlir::OwningOpRef<mlir::ModuleOp> module;

private:
  mlir::Type recordType(sema::Type type);

  const diag::SourceManager &sources;
  // The line of the last lookup. The next place is mostly on the same line, and to search for the
  // line again takes time.
  const char *lineBegin = nullptr;
  const char *lineEnd = nullptr;
  unsigned line = 0;
  mlir::StringAttr file;
  std::map<unsigned, mlir::Location> powWidths;
  llvm::DenseMap<const void *, mlir::Type> records; ///< structs and tuples that were asked for
};

} // namespace spl::mirgen
