// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs, tuples and arrays, which are computed into memory; vectors, which are values.
#include "frontend/mirgen/FunctionGen.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

Value FunctionGen::emitLocal(sema::Type type, Location location) {
  Type memory = mir::SliceType::get(builder.getContext(), module.type(type), true, 1);
  return mir::LocalOp::create(builder, location, memory, 1);
}

void FunctionGen::emitInto(const sema::Expr &expr, const Place &to) {
  Location location = locationOf(expr);
  if (!expr.type.isAggregate())
    return write(emitExpr(expr), to, location);
  if (auto *build = dyn_cast<sema::BuildExpr>(&expr))
    return emitBuildInto(*build, to);
  if (auto *conditional = dyn_cast<sema::ConditionalExpr>(&expr)) {
    auto arm = [&](const sema::Expr &value) {
      emitInto(value, to);
      return SmallVector<Value, 2>();
    };
    emitChoice(
        location, emitExpr(*conditional->condition), TypeRange(),
        [&] { return arm(*conditional->then); }, [&] { return arm(*conditional->other); });
    return;
  }
  if (auto *intrinsic = dyn_cast<sema::IntrinsicExpr>(&expr)) {
    mir::IntrinsicOp op = emitIntrinsic(*intrinsic);
    for (auto [part, value] : llvm::enumerate(op.getResults()))
      write(value, partPlace(to, expr.type, part, location), location);
    return;
  }
  auto *call = dyn_cast<sema::CallExpr>(&expr);
  if (!call)
    return copy(emitPlace(expr), to, location);
  // Where the call stores its result has one element: a part of a struct has, an array's has not.
  if (to.isInside && to.indices.size() == 1 && to.slice.getDefiningOp<mir::LocalOp>()) {
    emitCall(*call, to.slice);
    return;
  }
  Place temporary = wholeOf(emitLocal(expr.type, location), location);
  emitCall(*call, temporary.slice);
  copy(temporary, to, location);
}

static sema::Type partType(sema::Type type, unsigned part) {
  if (type.isStruct())
    return type.structInfo().fields[part].type;
  return type.isTuple() ? type.elements()[part] : type.element();
}

FunctionGen::Place FunctionGen::partPlace(const Place &whole, sema::Type type, unsigned part,
                                          Location location) {
  std::optional<unsigned> field;
  if (!type.isArray())
    field = part;
  Value slice = openPlace(whole, field, module.type(partType(type, part)), location);
  Place place = wholeOf(slice, location);
  if (type.isArray())
    place.indices = {integer(builder.getI64Type(), part, location)};
  return place;
}

/// The numbers of the parts in the order in which they are evaluated.
static SmallVector<unsigned> evaluationOrder(const sema::BuildExpr &expr) {
  if (!expr.written.empty())
    return SmallVector<unsigned>(expr.written);
  return llvm::to_vector(llvm::seq<unsigned>(0, expr.parts.size()));
}

void FunctionGen::emitBuildInto(const sema::BuildExpr &expr, const Place &to) {
  if (expr.type.isArray() && expr.parts.size() == 1 && expr.type.length() != 1)
    return fillArray(expr, to);
  for (unsigned part : evaluationOrder(expr))
    emitInto(*expr.parts[part], partPlace(to, expr.type, part, locationOf(*expr.parts[part])));
}

// [value; count]: the value once, then a loop that stores it.
void FunctionGen::fillArray(const sema::BuildExpr &expr, const Place &to) {
  Location location = locationOf(expr);
  const sema::Expr &part = *expr.parts.front();
  Place first = partPlace(to, expr.type, 0, location);
  emitInto(part, first);
  Value value = part.type.isAggregate() ? Value() : read(first, location);
  Type i64 = builder.getI64Type();
  Value one = integer(i64, 1, location);
  Value count = integer(i64, int64_t(expr.type.length()), location);
  auto loop = scf::ForOp::create(builder, location, one, count, one);
  OpBuilder::InsertionGuard guard(builder);
  builder.setInsertionPointToStart(loop.getBody());
  Place element = first;
  element.indices = {loop.getInductionVar()};
  if (value)
    write(value, element, location);
  else
    copy(first, element, location);
}

Value FunctionGen::emitVector(const sema::BuildExpr &expr) {
  Location location = locationOf(expr);
  auto type = cast<VectorType>(module.type(expr.type));
  if (expr.parts.size() == 1)
    return vector::BroadcastOp::create(builder, location, type, emitExpr(*expr.parts.front()));
  SmallVector<Value> lanes(expr.parts.size());
  for (unsigned part : evaluationOrder(expr))
    lanes[part] = emitExpr(*expr.parts[part]);
  return vector::FromElementsOp::create(builder, location, type, lanes);
}

// What the callee sees is a copy: it may write to what the argument was read from.
Value FunctionGen::emitArgument(const sema::Expr &expr) {
  if (!expr.type.isAggregate())
    return emitExpr(expr);
  Location location = locationOf(expr);
  auto *local = dyn_cast<sema::LocalExpr>(&expr);
  if (local && !local->local->isMutable)
    return readOnly(env.get(facts.slot(local->local)), location);
  Value memory = emitLocal(expr.type, location);
  emitInto(expr, wholeOf(memory, location));
  return readOnly(memory, location);
}

Attribute FunctionGen::constantAttribute(const sema::Expr &expr) {
  if (auto *constant = dyn_cast<sema::ConstantExpr>(&expr)) {
    Type type = module.type(expr.type);
    return constant->isFloat ? Attribute(FloatAttr::get(type, constant->floatValue))
                             : IntegerAttr::get(type, constant->intValue);
  }
  auto &build = *cast<sema::BuildExpr>(&expr);
  SmallVector<Attribute> parts;
  for (const sema::Expr *part : build.parts)
    parts.push_back(constantAttribute(*part));
  size_t count = expr.type.isArray() ? expr.type.length()
                 : expr.type.isVector() ? expr.type.lanes()
                                        : parts.size();
  parts.resize(count, parts.empty() ? Attribute() : parts.front());
  return builder.getArrayAttr(parts);
}
