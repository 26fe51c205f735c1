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

/// The code of a part of a module (codegen/Parts.h). For a part that is compiled later, it is the
/// MIR after prepareModule (lower/LowerToLlvm.h), as MLIR's bytecode, which Target::emitLater
/// compiles.
struct PartCode {
  llvm::SmallVector<char, 0> code;
  std::string later; ///< Part::later
};

/// What an archive contains. It refers to the archive's bytes.
struct ArchiveContent {
  struct Later {
    llvm::StringRef symbol, mir; ///< the members of PartCode
  };
  std::vector<llvm::StringRef> codes; ///< object files, or one text of PTX
  std::vector<Later> later;
};

/// Writes an archive of parts, where those with PartCode::later are MIR. The same content has the
/// same bytes.
llvm::Expected<llvm::SmallVector<char, 0>> writeArchive(llvm::ArrayRef<PartCode> parts);

/// Reads an archive. Bytes that are no archive are the code itself. Fails for a damaged archive.
llvm::Expected<ArchiveContent> readArchive(llvm::StringRef bytes);

} // namespace spl::codegen
