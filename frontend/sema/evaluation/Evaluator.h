// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Evaluates typed trees to constants. The result has the same bits as at run time: integers wrap,
// floats are rounded in their own type, and a fault is an error. Functions that are not correctly
// rounded at run time, such as exp, may differ within their documented error. An Evaluator is used
// for one expression, or for the body of one function that it calls.
#pragma once

#include "frontend/sema/Session.h"
#include "frontend/sema/evaluation/ConstantMath.h"
#include "frontend/sema/evaluation/Frame.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Casting.h"

namespace spl::sema {

class Evaluator {
public:
  /// `hint` is appended to the error about an expression that is not constant.
  Evaluator(Session &session, bool reports, StringRef hint = {})
      : session(session), arena(session.arena), types(session.types), reports(reports), hint(hint) {
  }
  /// Evaluates what a function does, or arguments that refer to its locals.
  Evaluator(Session &session, Execution &execution, Frame &frame, StringRef hint)
      : session(session), arena(execution.arena), types(session.types), reports(true), hint(hint),
        execution(&execution), frame(&frame) {}

  /// Returns null if the expression is not constant or faults. Reports this if `reports` is set.
  const Expr *evaluate(const Expr &expr);

  /// Counts an operation. Returns false, and reports it, if there are too many.
  bool step(const Expr &expr);
  std::nullptr_t fault(SourceRange range, StringRef what);
  std::nullptr_t notConstant(const Expr &expr);

  static bool isSigned(Type type) { return type.isSignedInt() || type.isEnum(); }

private:
  using APFloat = llvm::APFloat;
  using APInt = llvm::APInt;
  using Op = syntax::BinaryOp;
  using Scalar = const ConstantExpr *;

  const Expr *evaluateBuild(const BuildExpr &expr);
  const Expr *evaluateIndex(const IndexExpr &expr);
  const Expr *evaluateField(const FieldExpr &expr);
  const Expr *evaluateLane(const LaneExpr &expr);
  const Expr *evaluateLogical(const LogicalExpr &expr);
  const Expr *evaluateChain(const CompareChainExpr &expr);
  const Expr *evaluateConditional(const ConditionalExpr &expr);
  const Expr *evaluateUnary(const UnaryExpr &expr);
  const Expr *evaluateBinary(const BinaryExpr &expr);
  const Expr *evaluateFma(const FmaExpr &expr);
  const Expr *evaluateCast(const CastExpr &expr);
  const Expr *evaluateIntrinsic(const IntrinsicExpr &expr);
  const Expr *evaluateCall(const CallExpr &expr);
  const Expr *evaluateExtent(const ExtentExpr &expr);
  const Expr *sincos(const IntrinsicExpr &expr, const Expr *argument);
  const Expr *bitcast(const IntrinsicExpr &expr, const Expr &argument);
  /// Evaluates a function that needs all lanes of its vectors at once, such as dot. Returns null
  /// for other functions.
  const Expr *acrossLanes(const IntrinsicExpr &expr, ArrayRef<const Expr *> arguments);
  /// The lanes of a vector of floats. 16-bit lanes are converted to f32.
  llvm::SmallVector<APFloat, 8> floatLanes(const Expr *vector, unsigned count);
  /// The lanes of a vector, or the scalar itself.
  llvm::SmallVector<Scalar, 8> lanesOf(const Expr *value, Type type);

  Scalar unary(const UnaryExpr &expr, Scalar operand);
  Scalar binary(Op op, SourceRange range, Type result, Scalar lhs, Scalar rhs);
  Scalar floats(Op op, SourceRange range, Type result, APFloat lhs, const APFloat &rhs);
  Scalar integers(Op op, SourceRange range, Type result, bool isSigned, const APInt &lhs,
                  const APInt &rhs);
  Scalar power(SourceRange range, Type result, bool isSigned, APInt base, APInt exponent);
  Scalar cast(Type to, SourceRange range, Scalar operand);
  Scalar fuse(const FmaExpr &expr, Scalar a, Scalar b, Scalar c);

  /// Applies the function to each lane of the operands, or to the operands if they are scalars.
  template <class Function, class... Operands>
  const Expr *laneByLane(Type type, SourceRange range, Function function, Operands... operands);

  Scalar number(Type type, SourceRange range, APInt value) {
    return make(ConstantExpr{{type, range}, false, std::move(value), APFloat(0.0f)});
  }
  Scalar number(Type type, SourceRange range, APFloat value) {
    return make(ConstantExpr{{type, range}, true, APInt(1, 0), std::move(value)});
  }
  Scalar truth(SourceRange range, bool value) {
    return number(types.get(TypeKind::Bool), range, APInt(1, value));
  }
  Scalar number(Type type, SourceRange range, const Number &value);
  template <class Node> Node *make(Node node) { return new (arena) Node(std::move(node)); }

  Session &session;
  llvm::BumpPtrAllocator &arena;
  TypeContext &types;
  bool reports;
  StringRef hint;
  Execution *execution = nullptr; ///< null outside of functions
  Frame *frame = nullptr;         ///< null outside of functions
};

template <class Function, class... Operands>
const Expr *Evaluator::laneByLane(Type type, SourceRange range, Function function,
                                  Operands... operands) {
  if (!type.isVector())
    return function(llvm::cast<ConstantExpr>(operands)...);
  llvm::SmallVector<const Expr *> lanes;
  for (unsigned lane = 0; lane != type.lanes(); ++lane) {
    lanes.push_back(function(llvm::cast<ConstantExpr>(partOf(operands, lane))...));
    if (!lanes.back())
      return nullptr;
  }
  return make(BuildExpr{{type, range}, ArrayRef<const Expr *>(lanes).copy(arena), {}});
}

} // namespace spl::sema
