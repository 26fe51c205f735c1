// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Expressions that compute nothing themselves: constants, names, elements, extents and calls.
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
    return emitIndex(*cast<sema::IndexExpr>(&expr));
  case Kind::Extent:
    return emitExtent(*cast<sema::ExtentExpr>(&expr));
  case Kind::Intrinsic:
    return emitIntrinsic(*cast<sema::IntrinsicExpr>(&expr));
  case Kind::Call:
    return emitCall(*cast<sema::CallExpr>(&expr));
  case Kind::Subslice:
  case Kind::Field:
  case Kind::Lane:
  case Kind::Atomic:
  case Kind::Shared:
  case Kind::SharedDyn:
  case Kind::Access:
  case Kind::Build:
  case Kind::ConstantData:
    llvm_unreachable("sema gives none out yet");
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
  if (placeLocal)
    return env.get(facts.slot(placeLocal));
  return emitLoad(placeElement, locationOf(expr));
}

//===-- Slices --===//

/// The name by which the source calls the slice; empty where it is computed.
static StringRef sliceName(const sema::Expr &slice) {
  if (auto *local = dyn_cast<sema::LocalExpr>(&slice))
    return local->local->name;
  if (auto *view = dyn_cast<sema::CastExpr>(&slice))
    return sliceName(*view->operand);
  return "";
}

FunctionGen::Element FunctionGen::emitElement(const sema::IndexExpr &expr) {
  Element element;
  element.slice = emitExpr(*expr.base);
  element.isInside = expr.isInside || function.traits.isUnchecked;
  const sema::Expr &index = *expr.indices.front();
  // An index of u64 from 2^63 becomes negative, and any negative one is outside.
  element.index = emitIntegerCast(emitExpr(index), index.type.isSignedInt(),
                                  builder.getI64Type(), locationOf(index));
  if (StringRef name = sliceName(*expr.base); !name.empty())
    element.name = builder.getStringAttr(name);
  return element;
}

Value FunctionGen::emitLoad(const Element &element, Location location) {
  Type type = cast<mir::SliceType>(element.slice.getType()).getElement();
  auto load = mir::LoadOp::create(builder, location, type, element.slice, element.index);
  load.setUnchecked(element.isInside);
  if (element.name)
    load->setDiscardableAttr(mir::SplDialect::nameAttr, element.name);
  return load;
}

void FunctionGen::emitStore(Value value, const Element &element, Location location) {
  auto store = mir::StoreOp::create(builder, location, value, element.slice, element.index);
  store.setUnchecked(element.isInside);
  if (element.name)
    store->setDiscardableAttr(mir::SplDialect::nameAttr, element.name);
}

Value FunctionGen::emitIndex(const sema::IndexExpr &expr) {
  return emitLoad(emitElement(expr), locationOf(expr));
}

Value FunctionGen::emitExtent(const sema::ExtentExpr &expr) {
  Value slice = emitExpr(*expr.slice);
  return mir::ExtentOp::create(builder, locationOf(expr), builder.getI64Type(), slice,
                               uint64_t(expr.axis));
}

//===-- Calls --===//

Value FunctionGen::emitIntrinsic(const sema::IntrinsicExpr &expr) {
  SmallVector<Value, 3> operands;
  for (const sema::Expr *argument : expr.arguments)
    operands.push_back(emitExpr(*argument));
  IntegerAttr axis;
  if (intrinsics::signature(expr.id).hasAxis())
    axis = builder.getI64IntegerAttr(expr.axis);
  bool isUnsigned = llvm::any_of(
      expr.arguments, [](const sema::Expr *argument) { return argument->type.isUnsignedInt(); });
  return mir::IntrinsicOp::create(builder, locationOf(expr), module.type(expr.type),
                                  intrinsics::row(expr.id).name, operands, axis, isUnsigned)
      .getResult();
}

Value FunctionGen::emitCall(const sema::CallExpr &expr) {
  SmallVector<Value> operands(expr.arguments.size());
  for (size_t i = 0; i != operands.size(); ++i) {
    size_t index = expr.written.empty() ? i : expr.written[i];
    operands[index] = emitExpr(*expr.arguments[index]);
  }
  SmallVector<Type, 1> results;
  if (!expr.type.isUnit())
    results.push_back(module.type(expr.type));
  auto call = mir::CallOp::create(builder, locationOf(expr), results, expr.callee->name, operands,
                                  /*arg_attrs=*/ArrayAttr(), /*res_attrs=*/ArrayAttr());
  return results.empty() ? Value() : call.getResult(0);
}
