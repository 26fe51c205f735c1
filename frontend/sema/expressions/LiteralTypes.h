// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The types of literals. A tree of literals such as 2 * 3 has no type of its own: it takes the type
// that is expected, or that of the other operand.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

struct ExpressionContext;

/// The class of the literals in a tree of literals. Rigid is any other expression, which has a type
/// of its own.
enum class LiteralClass : uint8_t { Int, Float, Rigid };
/// Cache of classes, because every level of a deep expression needs the classes of the levels below
/// it.
using LiteralClasses = llvm::DenseMap<const syntax::Expr *, LiteralClass>;

LiteralClass classify(LiteralClasses &literals, const syntax::Expr &expr);
/// The type of a tree of literals of the given class. `expected` may be null.
Type literalType(Session &session, LiteralClass literals, Type expected);
/// Checks two operands that must have the same type. A tree of literals takes the type of the other
/// operand.
std::pair<const Expr *, const Expr *> checkPair(ExpressionContext &context, const syntax::Expr &lhs,
                                                const syntax::Expr &rhs, Type expected);

/// Whether `expr` is one literal: 1, 0.5f64, math.PI.
bool isLiteral(const syntax::Expr &expr);
/// Returns the literal if `expr` is one, with or without a minus before it, else null.
const syntax::Expr *literalOf(const syntax::Expr &expr, bool &isNegative);
/// The digits of math.PI, E, TAU, INF and NAN. Empty for other members.
StringRef mathConstant(const syntax::MemberExpr &member);

} // namespace spl::sema
