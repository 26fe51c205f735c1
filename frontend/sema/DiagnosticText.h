// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How checking's messages name pieces of the source, and the hints they end with. All answer
// text; none fails.
#pragma once

#include "frontend/sema/Program.h"
#include "frontend/syntax/SyntaxHints.h"
#include <string>

namespace spl::sema {

/// The source in quotes where it is short and on one line, else "this expression".
std::string quoted(SourceRange range);
/// A name, cut where it is absurdly long.
StringRef shown(StringRef name);
/// The source as an operand of something tighter: in parentheses where it needs them.
std::string asOperand(const Expr &expr);

/// "n as i64": the text that converts the expression, or empty where nothing does or it is too long
/// to repeat.
std::string castText(const Expr &expr, Type to);
/// "a as f32 / b as f32" for a quotient of integers where a float is wanted; else empty.
std::string divisionText(const Expr &expr, Type wanted);
/// The hint for a named argument of what is no function of the source.
constexpr const char *inOrder = "; its arguments are given in order, without names";
/// "; write 'text'", or nothing for no text.
std::string writeHint(const std::string &text);
/// "; hint" for a name of another language, or nothing.
std::string foreignHint(syntax::Foreign kind, StringRef name);
/// The same for a type's: "; write 'i32'".
std::string foreignTypeHint(StringRef name);
/// "; write '2147483647'" for MAX, which other languages have as a member of an integer type; empty
/// for what is no limit of a number.
std::string limitHint(StringRef member, Type type);
/// The text that makes a condition of a number, "n != 0", or of a mask, "math.all(m)"; or empty.
std::string conditionText(const Expr &expr);

/// "; its values are its members, as in 'Level.Low'". Shows none of an enum whose members are all
/// mistakes.
std::string membersHint(Type type);

/// "1 argument", "2 arguments".
std::string counted(size_t count, StringRef noun);

} // namespace spl::sema
