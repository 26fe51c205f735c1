// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a call of a gpu.* name that works on memory was given, and the words that such calls take.
#pragma once

#include "frontend/sema/Program.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

namespace spl::sema {

/// A word that stands for a value, in one place of a call only.
template <class Word> struct NamedWord {
  llvm::StringLiteral name;
  Word value;
};

inline constexpr NamedWord<MemoryScope> scopeWords[] = {
#define SCOPE(Name, Word) {Word, MemoryScope::Name},
#include "frontend/sema/MemoryWords.def"
};

struct MemoryArguments {
  llvm::SmallVector<const syntax::Expr *, 4> positional;
  llvm::StringMap<const syntax::Expr *> named; ///< "scope: device"
};

} // namespace spl::sema
