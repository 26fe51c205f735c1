// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that compute nothing themselves: constants, names, extents and calls.
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Aggregates.h"
#include "frontend/mirgen/Leaves.h"
#include "frontend/mirgen/Memory.h"
#include "frontend/mirgen/Operators.h"
#include "frontend/mirgen/Places.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "spl/abi/Limits.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

static Value emitConstant(FunctionContext &fn, const sema::ConstantExpr &expr);
static Value emitExtent(FunctionContext &fn, const sema::ExtentExpr &expr);
static Value emitIntrinsicValue(FunctionContext &fn, const sema::IntrinsicExpr &expr);
static Value emitPlaceValue(FunctionContext &fn, const sema::PlaceValueExpr &expr);

Value mirgen::emitExpr(FunctionContext &fn, const sema::Expr &expr) {
  using Kind = sema::Expr::Kind;
  if (isLeaf(expr))
    return emitLeaf(fn, expr);
  switch (expr.kind) {
  case Kind::Constant:
    return emitConstant(fn, *cast<sema::ConstantExpr>(&expr));
  case Kind::Local:
    return expr.type.isAggregate() ? emitPlace(fn, expr).slice
                                   : read(fn, emitPlace(fn, expr), fn.locationOf(expr));
  case Kind::PlaceValue:
    return emitPlaceValue(fn, *cast<sema::PlaceValueExpr>(&expr));
  case Kind::Unary:
    return emitUnary(fn, *cast<sema::UnaryExpr>(&expr));
  case Kind::Binary:
    return emitBinary(fn, *cast<sema::BinaryExpr>(&expr));
  case Kind::Logical:
    return emitLogical(fn, *cast<sema::LogicalExpr>(&expr));
  case Kind::CompareChain:
    return emitCompareChain(fn, *cast<sema::CompareChainExpr>(&expr));
  case Kind::Conditional:
    return emitConditional(fn, *cast<sema::ConditionalExpr>(&expr));
  case Kind::Cast:
    return emitCast(fn, *cast<sema::CastExpr>(&expr));
  case Kind::Fma:
    return emitFma(fn, *cast<sema::FmaExpr>(&expr));
  case Kind::Index:
    if (expr.type.isSlice())
      return emitRow(fn, *cast<sema::IndexExpr>(&expr));
    return read(fn, emitPlace(fn, expr), fn.locationOf(expr));
  case Kind::Field:
    return read(fn, emitPlace(fn, expr), fn.locationOf(expr));
  case Kind::Lane:
    return emitLane(fn, *cast<sema::LaneExpr>(&expr));
  case Kind::Subslice:
    return emitSubslice(fn, *cast<sema::SubsliceExpr>(&expr));
  case Kind::Reference:
    return emitReference(fn, *cast<sema::ReferenceExpr>(&expr));
  case Kind::Build:
    return emitVector(fn, *cast<sema::BuildExpr>(&expr));
  case Kind::Extent:
    return emitExtent(fn, *cast<sema::ExtentExpr>(&expr));
  case Kind::Intrinsic:
    return emitIntrinsicValue(fn, *cast<sema::IntrinsicExpr>(&expr));
  case Kind::Call:
    return emitCall(fn, *cast<sema::CallExpr>(&expr));
  case Kind::Atomic:
    return emitAtomic(fn, *cast<sema::AtomicExpr>(&expr));
  case Kind::Shared:
    return emitShared(fn, *cast<sema::SharedExpr>(&expr));
  case Kind::SharedDyn:
    return emitSharedDyn(fn, *cast<sema::SharedDynExpr>(&expr));
  case Kind::Access:
    return emitAccess(fn, *cast<sema::AccessExpr>(&expr));
  case Kind::ConstantData:
    llvm_unreachable("an array is kept in memory");
  }
  llvm_unreachable("an expression has a kind");
}

static Value emitConstant(FunctionContext &fn, const sema::ConstantExpr &expr) {
  Type type = fn.module.type(expr.type);
  TypedAttr value;
  if (expr.isFloat)
    value = FloatAttr::get(type, expr.floatValue);
  else
    value = IntegerAttr::get(type, expr.intValue);
  return arith::ConstantOp::create(fn.builder, fn.locationOf(expr), value);
}

static Value emitPlaceValue(FunctionContext &fn, const sema::PlaceValueExpr &expr) {
  return read(fn, fn.assigned, fn.locationOf(expr));
}

static Value emitExtent(FunctionContext &fn, const sema::ExtentExpr &expr) {
  Value slice = emitElements(fn, *expr.slice);
  Location location = fn.locationOf(expr);
  auto extent = [&](unsigned axis) -> Value {
    return mir::ExtentOp::create(fn.builder, location, fn.builder.getI64Type(), slice,
                                 uint64_t(axis));
  };
  Value count = extent(expr.axis.value_or(0));
  for (unsigned axis = 1; !expr.axis && axis != expr.slice->type.rank(); ++axis)
    count = arith::MulIOp::create(fn.builder, location, count, extent(axis));
  return count;
}

//===-- Calls --===//

/// gpu.trap is a check that fails; what the group does may have no value.
static Value emitIntrinsicValue(FunctionContext &fn, const sema::IntrinsicExpr &expr) {
  if (expr.id != intrinsics::Id::Trap) {
    mir::IntrinsicOp op = emitIntrinsic(fn, expr);
    return op.getNumResults() == 0 ? Value() : op.getResult();
  }
  Location location = fn.locationOf(expr);
  mir::CheckOp::create(fn.builder, location, fn.boolean(false, location), mir::FaultKind::Trap,
                       ValueRange(), fn.builder.getStringAttr(expr.text));
  return {};
}

/// Whether the integers that the operation computes with are unsigned: those of its first argument,
/// or the exponents of a float.
static bool isOfUnsigned(const sema::IntrinsicExpr &expr, const intrinsics::Signature &signature) {
  using Kind = intrinsics::Signature::Kind;
  for (auto [argument, slot] : llvm::zip(expr.arguments, signature.values()))
    if (slot.kind != Kind::Float)
      return argument->type.lane().isUnsignedInt();
  return false;
}

mir::IntrinsicOp mirgen::emitIntrinsic(FunctionContext &fn, const sema::IntrinsicExpr &expr) {
  const intrinsics::Signature &signature = intrinsics::signature(expr.id);
  SmallVector<Value, 3> operands;
  for (auto [argument, slot] : llvm::zip_equal(expr.arguments, signature.values()))
    operands.push_back(slot.kind == intrinsics::Signature::Kind::Index
                           ? emitIndexValue(fn, *argument)
                           : emitExpr(fn, *argument));
  SmallVector<Type, 2> results;
  if (expr.type.isTuple())
    results = fn.module.types(expr.type.elements());
  else if (!expr.type.isUnit())
    results = {fn.module.type(expr.type)};
  return createIntrinsic(fn, expr, operands, results);
}

mir::IntrinsicOp mirgen::createIntrinsic(FunctionContext &fn, const sema::IntrinsicExpr &expr,
                                         ValueRange operands, TypeRange results) {
  const intrinsics::Signature &signature = intrinsics::signature(expr.id);
  SmallVector<int64_t, 1> unsignedIndices; // among the operands
  for (auto [number, slot] : llvm::enumerate(signature.values()))
    if (slot.kind == intrinsics::Signature::Kind::Index &&
        mirgen::isUnsigned(*expr.arguments[number]))
      unsignedIndices.push_back(int64_t(number));
  IntegerAttr axis;
  if (signature.hasAxis())
    axis = fn.builder.getI64IntegerAttr(expr.axis);
  auto op = mir::IntrinsicOp::create(fn.builder, fn.locationOf(expr), results,
                                     intrinsics::row(expr.id).name, operands, axis,
                                     isOfUnsigned(expr, signature));
  annotate(op, StringAttr(), unsignedIndices);
  op.setExclusive(expr.isExclusive);
  if (expr.width != abi::warpSize)
    op.setWidth(expr.width);
  if (signature.has(intrinsics::Signature::Kind::Scope))
    op.setScope(scopeOf(expr.scope));
  return op;
}

Value mirgen::emitCall(FunctionContext &fn, const sema::CallExpr &expr, Value into) {
  SmallVector<LeafValues> arguments(expr.arguments.size());
  for (size_t i = 0; i != arguments.size(); ++i) {
    size_t index = expr.written.empty() ? i : expr.written[i];
    arguments[index] = emitLeaves(fn, *expr.arguments[index]);
  }
  SmallVector<Value> operands;
  for (const LeafValues &argument : arguments)
    operands.append(argument);
  if (into)
    operands.push_back(into);
  SmallVector<Type, 1> results;
  if (!into && !expr.type.isUnit())
    results.push_back(fn.module.type(expr.type));
  auto call =
      mir::CallOp::create(fn.builder, fn.locationOf(expr), results, expr.callee->name, operands,
                          /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
  return results.empty() ? Value() : call.getResult(0);
}
