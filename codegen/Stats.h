// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The resources of a kernel, counted in the assembly text that was generated for it. Targets parse
// their text into Listings (targets/*/Stats.cpp). Text that they do not recognise is ignored.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <cstdint>
#include <optional>

namespace spl::codegen {

struct KernelStats {
  /// The instructions of the kernel and of all functions that it calls, each function once.
  uint64_t instructions = 0;
  uint64_t sharedBytes = 0; ///< of its shared arrays
  /// The values that only an assembler knows.
  struct Assembled {
    uint64_t registers = 0, spillStores = 0, spillLoads = 0; ///< spills in bytes
  };
  std::optional<Assembled> assembled;
};

/// A function in assembly text.
struct Listing {
  uint64_t instructions = 0;
  uint64_t sharedBytes = 0;
  llvm::StringSet<> names; ///< names in its instructions
};

struct Listings {
  llvm::StringMap<Listing> functions;
  llvm::StringMap<uint64_t> shared; ///< sizes of the module's shared variables, in bytes
};

bool isNameCharacter(char c);
/// Adds the names in the text of an instruction to the listing.
void addNames(llvm::StringRef text, Listing &listing);
/// Calls f for each line of the text, without comments and surrounding spaces.
void forEachLine(llvm::StringRef text, llvm::function_ref<void(llvm::StringRef)> f);

/// The resources of the kernel with this entry.
KernelStats statsOf(llvm::StringRef entry, const Listings &listings);

} // namespace spl::codegen
