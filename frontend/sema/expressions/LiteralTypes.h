// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of literals. A tree of literals such as 2 * 3 has no type of its own: it takes the type
// that is expected, or that of the other operand.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

struct ExpressionContext;

/// What a tree of literals holds. Rigid is any other expression: it has a type of its own.
enum class LiteralClass : uint8_t { Int, Float, Rigid };
/// Classes that are already known. Every level of a deep expression asks about the levels below it.
using LiteralClasses = llvm::DenseMap<const syntax::Expr *, LiteralClass>;

LiteralClass classify(LiteralClasses &literals, const syntax::Expr &expr);
/// The type of a tree of literals that has that class. expected may be null.
Type literalType(Session &session, LiteralClass literals, Type expected);
/// Checks two operands that have one type: a tree of literals takes the other operand's.
std::pair<const Expr *, const Expr *> checkPair(ExpressionContext &context, const syntax::Expr &lhs,
                                                const syntax::Expr &rhs, Type expected);

/// Whether it is one literal: 1, 0.5f64, math.PI.
bool isLiteral(const syntax::Expr &expr);
/// The literal that an expression is, with or without one minus, or null.
const syntax::Expr *literalOf(const syntax::Expr &expr, bool &isNegative);
/// The digits of math.PI, E, TAU, INF and NAN; empty for other members.
StringRef mathConstant(const syntax::MemberExpr &member);

} // namespace spl::sema
