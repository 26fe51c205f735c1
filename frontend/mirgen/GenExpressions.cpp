// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that compute nothing themselves: constants, names, extents and calls.
#include "frontend/mirgen/FunctionGen.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

Value FunctionGen::emitExpr(const sema::Expr &expr) {
  using Kind = sema::Expr::Kind;
  switch (expr.kind) {
  case Kind::Constant:
    return emitConstant(*cast<sema::ConstantExpr>(&expr));
  case Kind::Local:
    return env.get(facts.slot(cast<sema::LocalExpr>(&expr)->local));
  case Kind::PlaceValue:
    return emitPlaceValue(*cast<sema::PlaceValueExpr>(&expr));
  case Kind::Unary:
    return emitUnary(*cast<sema::UnaryExpr>(&expr));
  case Kind::Binary:
    return emitBinary(*cast<sema::BinaryExpr>(&expr));
  case Kind::Logical:
    return emitLogical(*cast<sema::LogicalExpr>(&expr));
  case Kind::CompareChain:
    return emitCompareChain(*cast<sema::CompareChainExpr>(&expr));
  case Kind::Conditional:
    return emitConditional(*cast<sema::ConditionalExpr>(&expr));
  case Kind::Cast:
    return emitCast(*cast<sema::CastExpr>(&expr));
  case Kind::Fma:
    return emitFma(*cast<sema::FmaExpr>(&expr));
  case Kind::Index:
    if (expr.type.isSlice())
      return emitRow(*cast<sema::IndexExpr>(&expr));
    return read(emitPlace(expr), locationOf(expr));
  case Kind::Field:
    return read(emitPlace(expr), locationOf(expr));
  case Kind::Lane:
    return emitLane(*cast<sema::LaneExpr>(&expr));
  case Kind::Subslice:
    return emitSubslice(*cast<sema::SubsliceExpr>(&expr));
  case Kind::Build:
    return emitVector(*cast<sema::BuildExpr>(&expr));
  case Kind::Extent:
    return emitExtent(*cast<sema::ExtentExpr>(&expr));
  case Kind::Intrinsic:
    return emitIntrinsicValue(*cast<sema::IntrinsicExpr>(&expr));
  case Kind::Call:
    return emitCall(*cast<sema::CallExpr>(&expr));
  case Kind::Atomic:
    return emitAtomic(*cast<sema::AtomicExpr>(&expr));
  case Kind::Shared:
    return emitShared(*cast<sema::SharedExpr>(&expr));
  case Kind::SharedDyn:
    return emitSharedDyn(*cast<sema::SharedDynExpr>(&expr));
  case Kind::Access:
    return emitAccess(*cast<sema::AccessExpr>(&expr));
  case Kind::ConstantData:
    llvm_unreachable("an array is kept in memory");
  }
  llvm_unreachable("an expression has a kind");
}

Value FunctionGen::emitConstant(const sema::ConstantExpr &expr) {
  Type type = module.type(expr.type);
  TypedAttr value;
  if (expr.isFloat)
    value = FloatAttr::get(type, expr.floatValue);
  else
    value = IntegerAttr::get(type, expr.intValue);
  return arith::ConstantOp::create(builder, locationOf(expr), value);
}

Value FunctionGen::emitPlaceValue(const sema::PlaceValueExpr &expr) {
  return read(place, locationOf(expr));
}

Value FunctionGen::emitExtent(const sema::ExtentExpr &expr) {
  Value slice = emitElements(*expr.slice);
  Location location = locationOf(expr);
  auto extent = [&](unsigned axis) -> Value {
    return mir::ExtentOp::create(builder, location, builder.getI64Type(), slice, uint64_t(axis));
  };
  Value count = extent(expr.axis.value_or(0));
  for (unsigned axis = 1; !expr.axis && axis != expr.slice->type.rank(); ++axis)
    count = arith::MulIOp::create(builder, location, count, extent(axis));
  return count;
}

//===-- Calls --===//

/// gpu.trap is a check that fails; what the group does may have no value.
Value FunctionGen::emitIntrinsicValue(const sema::IntrinsicExpr &expr) {
  if (expr.id != intrinsics::Id::Trap) {
    mir::IntrinsicOp op = emitIntrinsic(expr);
    return op.getNumResults() == 0 ? Value() : op.getResult();
  }
  Location location = locationOf(expr);
  mir::CheckOp::create(builder, location, boolean(false, location), mir::FaultKind::Trap,
                       ValueRange(), builder.getStringAttr(expr.text));
  return {};
}

mir::IntrinsicOp FunctionGen::emitIntrinsic(const sema::IntrinsicExpr &expr) {
  const intrinsics::Signature &signature = intrinsics::signature(expr.id);
  SmallVector<Value, 3> operands;
  SmallVector<int64_t, 1> unsignedIndices; // among the operands
  for (auto [argument, slot] : llvm::zip_equal(expr.arguments, signature.values())) {
    operands.push_back(emitExpr(*argument));
    if (slot.kind != intrinsics::Signature::Kind::Index)
      continue;
    if (mirgen::isUnsigned(*argument))
      unsignedIndices.push_back(int64_t(operands.size()) - 1);
    operands.back() = emitIntegerCast(operands.back(), argument->type.isSignedInt(),
                                      builder.getI64Type(), locationOf(*argument));
  }
  IntegerAttr axis;
  if (signature.hasAxis())
    axis = builder.getI64IntegerAttr(expr.axis);
  bool isUnsigned = !expr.arguments.empty() && expr.arguments.front()->type.lane().isUnsignedInt();
  SmallVector<Type, 2> results;
  if (expr.type.isTuple())
    results = module.types(expr.type.elements());
  else if (!expr.type.isUnit())
    results = {module.type(expr.type)};
  auto op = mir::IntrinsicOp::create(builder, locationOf(expr), results,
                                     intrinsics::row(expr.id).name, operands, axis, isUnsigned);
  annotate(op, StringAttr(), unsignedIndices);
  op.setExclusive(expr.isExclusive);
  if (signature.has(intrinsics::Signature::Kind::Scope))
    op.setScope(scopeOf(expr.scope));
  return op;
}

Value FunctionGen::emitCall(const sema::CallExpr &expr, Value into) {
  SmallVector<Value> operands(expr.arguments.size());
  for (size_t i = 0; i != operands.size(); ++i) {
    size_t index = expr.written.empty() ? i : expr.written[i];
    operands[index] = emitArgument(*expr.arguments[index]);
  }
  if (into)
    operands.push_back(into);
  SmallVector<Type, 1> results;
  if (!into && !expr.type.isUnit())
    results.push_back(module.type(expr.type));
  auto call = mir::CallOp::create(builder, locationOf(expr), results, expr.callee->name, operands,
                                  /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
  return results.empty() ? Value() : call.getResult(0);
}
