// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to write for a name of another language that is unknown here, from SyntaxHints.def. Nothing
// fails: a name that the table does not hold has no hint.
#pragma once

#include "frontend/lex/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace spl::syntax {

/// Where the name appears: as a type, called, as a value, after 'gpu.', after a slice and '.'.
enum class Foreign : uint8_t { Type, Function, Value, Gpu, Slice };

/// A sentence without its end, or empty. \p operands are the texts in the source that the hint is
/// about: the arguments of a call, or the slice before '.'.
std::string hintForName(Foreign kind, llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> operands = {});
/// What to write for a word, a habit or an operator of other languages; empty where there is
/// nothing.
llvm::StringRef hintForWord(llvm::StringRef word, lex::TokenKind replacement);
llvm::StringRef hintForHabit(llvm::StringRef word);
llvm::StringRef hintForOperator(lex::TokenKind kind);
/// The name of our type for that of another language, or empty.
llvm::StringRef typeForForeign(llvm::StringRef name);

} // namespace spl::syntax
