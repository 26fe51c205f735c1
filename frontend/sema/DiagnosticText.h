// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text in diagnostics: pieces of the source, and the hints at the end. Hints begin with "; " and
// are empty if there is nothing to say. Nothing fails.
#pragma once

#include "frontend/sema/Program.h"
#include "frontend/syntax/SyntaxHints.h"
#include "spl/abi/TypoCorrection.h"
#include <string>

namespace spl::sema {

using abi::didYouMean;
using abi::TypoCorrection;

/// The source in quotes if it is short and on one line, else "this expression".
std::string quoted(SourceRange range);
/// The source if it is short and on one line, else empty.
StringRef shortText(SourceRange range);
/// A name, cut if it is very long.
StringRef shown(StringRef name);
/// The source as an operand of an operator that binds tighter, in parentheses if it needs them.
std::string asOperand(const Expr &expr);

/// "n as i64": the text that converts the expression. Empty if nothing does, or if it is too long.
std::string castText(const Expr &expr, Type to);
/// "a as f32 / b as f32" for a quotient of integers if a float is expected; else empty.
std::string divisionText(const Expr &expr, Type expected);
/// The hint for a named argument of a function that is not in the source.
constexpr const char *inOrder = "; its arguments are given in order, without names";
/// "; write 'text'".
std::string writeHint(const std::string &text);
/// The hint for a name of another language, about \p operands of the source.
std::string foreignHint(syntax::Foreign kind, StringRef name, ArrayRef<StringRef> operands = {});
/// The arguments of the call as they are in the source.
llvm::SmallVector<StringRef, 4> argumentTexts(const syntax::CallExpr &call);
/// The hint for a type of another language: "; write 'i32'".
std::string foreignTypeHint(StringRef name);
/// The hint for MAX and MIN, which other languages have as members of types: "; write
/// '2147483647'".
std::string limitHint(StringRef member, Type type);
/// The text that makes a condition of a number, "n != 0", or of a mask, "math.all(m)"; else empty.
std::string conditionText(const Expr &expr);

/// "; its values are its members, as in 'Level.Low'", without an example if the enum has no valid
/// member.
std::string membersHint(Type type);

/// "1 argument", "2 arguments".
std::string counted(size_t count, StringRef noun);

} // namespace spl::sema
