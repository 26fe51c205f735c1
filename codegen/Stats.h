// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel takes, read from the text that was generated for it. Targets read their own text
// into Listings (targets/*/Stats.cpp). Values; text that is not understood counts as nothing.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include <cstdint>
#include <optional>

namespace spl::codegen {

struct KernelStats {
  uint64_t instructions = 0; ///< of the kernel and the functions that it reaches, each once
  uint64_t sharedBytes = 0;  ///< that it declares
  /// What only an assembler knows.
  struct Assembled {
    uint64_t registers = 0, spillStores = 0, spillLoads = 0; ///< spills in bytes
  };
  std::optional<Assembled> assembled;
};

/// A function of a text in assembly.
struct Listing {
  uint64_t instructions = 0;
  uint64_t sharedBytes = 0;
  llvm::StringSet<> names; ///< that its instructions mention
};

struct Listings {
  llvm::StringMap<Listing> functions;
  llvm::StringMap<uint64_t> shared; ///< variables of the module, in bytes
};

bool isNameCharacter(char c);
/// Adds the names in an instruction.
void addNames(llvm::StringRef text, Listing &listing);
/// Calls f for the lines of a text, without comments and the spaces around.
void forEachLine(llvm::StringRef text, llvm::function_ref<void(llvm::StringRef)> f);

/// What the kernel with that entry takes.
KernelStats statsOf(llvm::StringRef entry, const Listings &listings);

} // namespace spl::codegen
