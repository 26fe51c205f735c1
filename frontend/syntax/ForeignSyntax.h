// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Syntax of other languages. Each function reports one form of it, with a hint that says what to
// write instead. A function fail* returns whether it has reported an error. A function accept*
// continues as if the text had the correct form.
#pragma once

#include "frontend/syntax/ParserContext.h"

namespace spl::syntax {

/// Reports the current token if only other languages have it, or if it is a stray bracket.
bool failForeign(Parser &parser);

//===-- Items (ForeignItems.cpp) --===//

/// Whether a declaration such as 'int n' begins here. Reports nothing.
bool atForeignDeclaration(Parser &parser);
/// 'def f(x):' inside a function.
bool failForeignItem(Parser &parser, TokenKind replacement);
/// The name that an alias of another language declares: 'type Real = f32', 'using Real = float',
/// 'typedef float real'. Empty if no alias begins here. Reports nothing.
StringRef aliasHere(Parser &parser);
/// Reports such an alias, or 'using namespace std'. Later uses of the alias are not reported.
/// Returns false if neither begins here.
bool failForeignAlias(Parser &parser);
/// Accepts a keyword of another language. The current token becomes the corresponding keyword.
bool acceptForeignWord(Parser &parser, TokenKind replacement);
/// Whether a result without '->' follows the ')', as in 'f(x: i32) f32:', 'f(x: i32): f32:' and
/// 'f(x: i32) => f32:'. Reports nothing.
bool atResultWithoutArrow(Parser &parser);
/// The hint for a parameter that does not begin with its name, or an empty text.
std::string parameterHint(Parser &parser);
/// 'float x', 'float *x', 'mut x: T', '&mut x: T', 'const x: T' and 'var x: T' as a parameter.
bool failForeignParameter(Parser &parser);

//===-- Types (ForeignTypes.cpp) --===//

/// 'mut &[f32]', 'out &[f32]' and 'const &[f32]'.
bool failForeignMode(Parser &parser);
/// 'unsigned int' and 'long long'.
bool failTypeOfWords(Parser &parser);
/// The type of this language for 'unsigned int', 'long long' and similar types; empty for other
/// words.
std::string typeOfWords(ArrayRef<StringRef> words);

//===-- Statements (ForeignStatements.cpp) --===//

/// 'assert!(c)', 'println!("x")'.
bool failMacro(Parser &parser);
/// 'default:' and 'else:' in a match.
bool acceptForeignDefault(Parser &parser);
/// 'if let P = x:'. Uses of the names in the pattern are not reported.
Expr *failPatternCondition(Parser &parser);
/// 'for (int i = 0; ...)', at the parenthesis.
void failForeignLoop(Parser &parser);
/// 'for i, x in enumerate(a):', at the comma.
void failForeignPair(Parser &parser);
/// 'for i in range(n):'.
bool failForeignRange(Parser &parser, const Expr &iterable);
/// '--x', which is two minus signs in this language.
Stmt *failDecrement(Parser &parser);
/// 'float *p = x'.
bool failForeignPointer(Parser &parser);
/// 'int x = 1', 'unsigned int x', 'float x[4]'. `first` is the name of a type.
bool failForeignLet(Parser &parser, const Token &first);

//===-- Expressions (ForeignExpressions.cpp) --===//

/// 'p->x', 'P{1, 2}', '[4]f32'.
bool failForeignPostfix(Parser &parser, const Expr &value);
/// 'a[i:j]', or a name with '::' inside the brackets, at the ':'.
void failSliceColon(Parser &parser, StringRef base, StringRef lower);
/// The text of the source for a hint, or \p byDefault where it is empty, long or has several lines.
StringRef shortOr(StringRef text, StringRef byDefault);

} // namespace spl::syntax
