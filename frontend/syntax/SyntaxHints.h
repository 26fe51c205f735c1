// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints for words and names of other languages, from SyntaxHints.def. No function here fails. A
// name that is not in the table has no hint.
#pragma once

#include "frontend/lex/Token.h"
#include "llvm/ADT/ArrayRef.h"
#include <string>

namespace spl::syntax {

/// Where a name appears: as a type, as a callee, as a value, after 'gpu.', or after a slice and
/// '.'.
enum class Foreign : uint8_t { Type, Function, Value, Gpu, Slice };

/// A hint of the tables with operands of the source in its places. Where one is missing, all are
/// the defaults.
std::string withOperands(llvm::StringRef hint, llvm::ArrayRef<llvm::StringRef> operands);

/// Returns the hint, a sentence without a full stop, or an empty text. `operands` are source texts
/// that the hint may quote: the arguments of a call, or the slice before '.'.
std::string hintForName(Foreign kind, llvm::StringRef name,
                        llvm::ArrayRef<llvm::StringRef> operands = {});
/// The hint for a keyword, a construct or an operator of other languages, or an empty text.
llvm::StringRef hintForWord(llvm::StringRef word, lex::TokenKind replacement);
llvm::StringRef hintForHabit(llvm::StringRef word);
llvm::StringRef hintForOperator(lex::TokenKind kind);
/// Returns this language's name of a type of another language, or an empty text.
llvm::StringRef typeForForeign(llvm::StringRef name);

} // namespace spl::syntax
