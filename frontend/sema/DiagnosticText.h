// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parts of the texts of diagnostics: quotations of the source, and hints. A hint begins with "; "
// and comes last in a message. It is empty if there is none. No function here fails.
#pragma once

#include "frontend/sema/Program.h"
#include "frontend/syntax/SyntaxHints.h"
#include "spl/abi/TypoCorrection.h"
#include <string>

namespace spl::sema {

using abi::didYouMean;
using abi::TypoCorrection;

/// Returns the source in quotes if it is short and on one line. Otherwise returns "this
/// expression".
std::string quoted(SourceRange range);
/// Returns the source if it is short and on one line, else an empty text.
StringRef shortText(SourceRange range);
/// Returns a name, truncated if it is very long.
StringRef shown(StringRef name);
/// Returns the source of `expr` as an operand of a tighter operator, in parentheses if they are
/// needed.
std::string asOperand(const Expr &expr);

/// Returns the text that converts the expression, "n as i64". Returns an empty text if there is no
/// conversion, or if the text is too long.
std::string castText(const Expr &expr, Type to);
/// Returns "a as f32 / b as f32" for a quotient of integers if a float is expected, else an empty
/// text.
std::string divisionText(const Expr &expr, Type expected);
/// The hint for a named argument of a built-in function.
constexpr const char *inOrder = "; pass its arguments in order, without names";
/// "; write 'text'".
std::string writeHint(const std::string &text);
/// The hint for a name of another language. `operands` are source texts that the hint may quote.
std::string foreignHint(syntax::Foreign kind, StringRef name, ArrayRef<StringRef> operands = {});
/// Returns the source texts of a call's arguments.
llvm::SmallVector<StringRef, 4> argumentTexts(const syntax::CallExpr &call);
/// The hint for a type of another language: "; write 'i32'".
std::string foreignTypeHint(StringRef name);
/// Returns the text that makes a condition of a number, "n != 0", of a literal, "true", or of a
/// mask, "math.all(m)". Returns an empty text for other types.
std::string conditionText(const Expr &expr);

/// Returns "; its values are its members, as in 'Level.Low'". There is no example if the enum has
/// no valid member.
std::string membersHint(Type type);

/// "; 'b' and 'c' are missing", for the arguments that a call lacks.
std::string missingHint(ArrayRef<StringRef> names);

/// "; its rank is 1, not 2". If the rank of the slice is too high, also a row of it that has the
/// expected rank: "; 'm[i]' is a row of that rank". Empty if the expression is no slice or has the
/// expected rank.
std::string rankHint(const Expr &expr, unsigned rank);

/// "1 argument", "2 arguments".
std::string counted(size_t count, StringRef noun);

} // namespace spl::sema
