// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Words that some parameters take instead of a value, as in scope: device. A word is not a name, so
// a local of that name does not hide it.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

template <class Word> struct NamedWord {
  llvm::StringLiteral name;
  Word value;
};

inline constexpr NamedWord<MemoryScope> scopeWords[] = {
#define SCOPE(Name, Word) {Word, MemoryScope::Name},
#include "frontend/sema/MemoryWords.def"
};
inline constexpr NamedWord<CacheHint> cacheWords[] = {
#define CACHE(Name, Word) {Word, CacheHint::Name},
#include "frontend/sema/MemoryWords.def"
};
inline constexpr NamedWord<MemoryOrder> orderWords[] = {
#define ORDER(Name, Word) {Word, MemoryOrder::Name},
#include "frontend/sema/MemoryWords.def"
};

/// Reports an argument that is none of the words. Does not report an argument that could not be
/// parsed.
void reportNotAWord(Session &session, StringRef parameter, const syntax::Expr &expr,
                    ArrayRef<StringRef> known);

/// Returns the value of the word that is the argument. Returns nothing if it reports an error.
template <class Word>
std::optional<Word> readWord(Session &session, StringRef parameter, const syntax::Expr &expr,
                             ArrayRef<NamedWord<Word>> words) {
  llvm::SmallVector<StringRef, 4> known;
  for (const NamedWord<Word> &word : words) {
    if (expr.kind == syntax::Expr::Kind::Name &&
        static_cast<const syntax::NameExpr &>(expr).name == word.name)
      return word.value;
    known.push_back(word.name);
  }
  reportNotAWord(session, parameter, expr, known);
  return std::nullopt;
}

} // namespace spl::sema
