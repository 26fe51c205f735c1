// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Syntax of other languages: each function reports one form of it, with a hint that says what to
// write here. fail* returns whether it reported anything; accept* continues as if the correct form
// were there.
#pragma once

#include "frontend/syntax/ParserContext.h"

namespace spl::syntax {

/// The current token, where only other languages have it, or a stray bracket.
bool failForeign(Parser &parser);

//===-- Items (ForeignItems.cpp) --===//

/// 'int n'. Reports nothing.
bool atForeignDeclaration(Parser &parser);
/// 'def f(x):' inside a function.
bool failForeignItem(Parser &parser, TokenKind replacement);
/// A keyword of another language; the token becomes the keyword that was meant.
bool acceptForeignWord(Parser &parser, TokenKind replacement);
/// 'f(x: i32) f32:', 'f(x: i32): f32:' and 'f(x: i32) => f32:', after the ')'. Reports nothing.
bool atResultWithoutArrow(Parser &parser);
/// What to write for a parameter that begins with another word than its name, or nothing.
std::string parameterHint(Parser &parser);
/// 'float x', 'float *x', 'mut x: T', '&mut x: T', 'const x: T' and 'var x: T' as a parameter.
bool failForeignParameter(Parser &parser);

//===-- Types (ForeignTypes.cpp) --===//

/// 'mut &[f32]', 'out &[f32]' and 'const &[f32]'.
bool failForeignMode(Parser &parser);
/// 'unsigned int' and 'long long'.
bool failTypeOfWords(Parser &parser);
/// Our type for 'unsigned int', 'long long' and the like; empty where the words are no such type.
std::string typeOfWords(ArrayRef<StringRef> words);

//===-- Statements (ForeignStatements.cpp) --===//

/// 'assert!(c)', 'println!("x")'.
bool failMacro(Parser &parser);
/// 'default:' and 'else:' in a match.
bool acceptForeignDefault(Parser &parser);
/// 'if let P = x:'. The names in the pattern are not reported where they are used.
Expr *failPatternCondition(Parser &parser);
/// 'for (int i = 0; ...)', at the parenthesis.
void failForeignLoop(Parser &parser);
/// 'for i, x in enumerate(a):', at the comma.
void failForeignPair(Parser &parser);
/// 'for i in range(n):'.
bool failForeignRange(Parser &parser, const Expr &iterable);
/// '--x', which would be two minus signs.
Stmt *failDecrement(Parser &parser);
/// 'float *p = x'.
bool failForeignPointer(Parser &parser);
/// 'int x = 1', 'unsigned int x', 'float x[4]', where the first word is the name of a type.
bool failForeignLet(Parser &parser, const Token &first);

//===-- Expressions (ForeignExpressions.cpp) --===//

/// 'p->x', 'P{1, 2}'.
bool failForeignPostfix(Parser &parser, const Expr &value);
/// 'a[i:j]', or a name with '::' inside the brackets, at the ':'.
void failSliceColon(Parser &parser, StringRef base, StringRef lower);
/// The text of the source for a hint, or \p byDefault where it is empty, long or has several lines.
StringRef shortOr(StringRef text, StringRef byDefault);

} // namespace spl::syntax
