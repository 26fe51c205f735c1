// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that this process loads: an archive with the code of each part of a module, and with the MIR
// of the parts that are compiled when a launch needs them. The archive depends on nothing else, so
// it can be kept in the cache.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>
#include <vector>

namespace spl::codegen {

/// A part of a module that is compiled later (codegen/Parts.h). Target::emitLater compiles it.
struct LaterPart {
  std::string symbol;             ///< the entry that the part exists for
  llvm::SmallVector<char, 0> mir; ///< after prepareModule (lower/LowerToLlvm.h), as MLIR's bytecode
};

/// What an archive contains. It refers to the archive's bytes.
struct ArchiveContent {
  struct Later {
    llvm::StringRef symbol, mir; ///< as in LaterPart
  };
  std::vector<llvm::StringRef> codes; ///< object files, or one text of PTX
  std::vector<Later> later;
};

/// Writes an archive. The same content has the same bytes.
llvm::Expected<llvm::SmallVector<char, 0>>
writeArchive(llvm::ArrayRef<llvm::SmallVector<char, 0>> codes, llvm::ArrayRef<LaterPart> later);

/// Reads an archive. Bytes that are no archive are the code itself. Fails for a damaged archive.
llvm::Expected<ArchiveContent> readArchive(llvm::StringRef bytes);

} // namespace spl::codegen
