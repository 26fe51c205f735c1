// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Structs, tuples and arrays, which are computed into memory; vectors, which are values.
#include "frontend/mirgen/Aggregates.h"
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Places.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

static void emitBuildInto(FunctionContext &fn, const sema::BuildExpr &expr, const Place &to);
static void fillArray(FunctionContext &fn, const sema::BuildExpr &expr, const Place &to);
static void emitExchange(FunctionContext &fn, const sema::IntrinsicExpr &expr, const Place &to);
static Place partPlace(FunctionContext &fn, const Place &whole, sema::Type type, unsigned part,
                       Location location);

Value mirgen::emitLocal(FunctionContext &fn, sema::Type type, Location location,
                        llvm::StringRef name) {
  Type memory = mir::SliceType::get(fn.builder.getContext(), fn.module.type(type), true, 1);
  auto local = mir::LocalOp::create(fn.builder, location, memory, 1);
  if (!name.empty())
    local->setDiscardableAttr(mir::SplDialect::nameAttr, fn.builder.getStringAttr(name));
  return local;
}

void mirgen::emitInto(FunctionContext &fn, const sema::Expr &expr, const Place &to) {
  Location location = fn.locationOf(expr);
  if (!expr.type.isAggregate())
    return write(fn, emitExpr(fn, expr), to, location);
  if (auto *build = dyn_cast<sema::BuildExpr>(&expr))
    return emitBuildInto(fn, *build, to);
  if (auto *conditional = dyn_cast<sema::ConditionalExpr>(&expr)) {
    auto arm = [&](const sema::Expr &value) {
      emitInto(fn, value, to);
      return SmallVector<Value, 2>();
    };
    emitChoice(
        fn, location, emitExpr(fn, *conditional->condition), TypeRange(),
        [&] { return arm(*conditional->then); }, [&] { return arm(*conditional->other); });
    return;
  }
  auto *intrinsic = dyn_cast<sema::IntrinsicExpr>(&expr);
  if (intrinsic && intrinsic->arguments.front()->type == expr.type)
    return emitExchange(fn, *intrinsic, to);
  if (intrinsic) {
    mir::IntrinsicOp op = emitIntrinsic(fn, *intrinsic);
    for (auto [part, value] : llvm::enumerate(op.getResults()))
      write(fn, value, partPlace(fn, to, expr.type, part, location), location);
    return;
  }
  auto *call = dyn_cast<sema::CallExpr>(&expr);
  if (!call)
    return copy(fn, emitPlace(fn, expr), to, location);
  // Where the call stores its result has one element: a part of a struct has, an array's has not.
  if (to.isInside && to.indices.size() == 1 && to.slice.getDefiningOp<mir::LocalOp>()) {
    emitCall(fn, *call, to.slice);
    return;
  }
  Place temporary = wholeOf(fn, emitLocal(fn, expr.type, location), location);
  emitCall(fn, *call, temporary.slice);
  copy(fn, temporary, to, location);
}

static sema::Type partType(sema::Type type, unsigned part) {
  if (type.isStruct())
    return type.structInfo().fields[part].type;
  return type.isTuple() ? type.elements()[part] : type.element();
}

/// The part's place of the struct, tuple or array there.
static Place partPlace(FunctionContext &fn, const Place &whole, sema::Type type, unsigned part,
                       Location location) {
  std::optional<unsigned> field;
  if (!type.isArray())
    field = part;
  Value slice = openPlace(fn, whole, field, fn.module.type(partType(type, part)), location);
  Place place = wholeOf(fn, slice, location);
  if (type.isArray())
    place.indices = {fn.integer(fn.builder.getI64Type(), part, location)};
  return place;
}

/// `operands` are the operands after the value.
static void exchangeParts(FunctionContext &fn, const sema::IntrinsicExpr &expr, ValueRange operands,
                          sema::Type type, const Place &from, const Place &to) {
  Location location = fn.locationOf(expr);
  if (!type.isAggregate()) {
    SmallVector<Value, 2> all{read(fn, from, location)};
    llvm::append_range(all, operands);
    write(fn, createIntrinsic(fn, expr, all, all.front().getType()).getResult(), to, location);
    return;
  }
  if (!type.isArray()) {
    const size_t count = type.isStruct() ? type.structInfo().fields.size() : type.elements().size();
    for (unsigned part = 0; part != count; ++part)
      exchangeParts(fn, expr, operands, partType(type, part),
                    partPlace(fn, from, type, part, location),
                    partPlace(fn, to, type, part, location));
    return;
  }
  Place element = partPlace(fn, from, type, 0, location),
        target = partPlace(fn, to, type, 0, location);
  Type i64 = fn.builder.getI64Type();
  auto loop = scf::ForOp::create(fn.builder, location, fn.integer(i64, 0, location),
                                 fn.integer(i64, int64_t(type.length()), location),
                                 fn.integer(i64, 1, location));
  OpBuilder::InsertionGuard guard(fn.builder);
  fn.builder.setInsertionPointToStart(loop.getBody());
  element.indices = target.indices = {loop.getInductionVar()};
  exchangeParts(fn, expr, operands, type.element(), element, target);
}

// A shuffle, broadcast or gpu.uniform of a struct, tuple or array: one for each scalar and vector
// in it.
static void emitExchange(FunctionContext &fn, const sema::IntrinsicExpr &expr, const Place &to) {
  Location location = fn.locationOf(expr);
  const sema::Expr &value = *expr.arguments[0];
  Place from = wholeOf(fn, emitLocal(fn, value.type, location), location);
  emitInto(fn, value, from);
  SmallVector<Value, 1> operands;
  for (const sema::Expr *index : expr.arguments.drop_front())
    operands.push_back(emitIndexValue(fn, *index));
  exchangeParts(fn, expr, operands, value.type, from, to);
}

SmallVector<unsigned> mirgen::evaluationOrder(const sema::BuildExpr &expr) {
  if (!expr.written.empty())
    return SmallVector<unsigned>(expr.written);
  return llvm::to_vector(llvm::seq<unsigned>(0, expr.parts.size()));
}

static void emitBuildInto(FunctionContext &fn, const sema::BuildExpr &expr, const Place &to) {
  if (expr.type.isArray() && expr.parts.size() == 1 && expr.type.length() != 1)
    return fillArray(fn, expr, to);
  for (unsigned part : evaluationOrder(expr))
    emitInto(fn, *expr.parts[part],
             partPlace(fn, to, expr.type, part, fn.locationOf(*expr.parts[part])));
}

// [value; count]: the value once, then a loop that stores it.
static void fillArray(FunctionContext &fn, const sema::BuildExpr &expr, const Place &to) {
  Location location = fn.locationOf(expr);
  const sema::Expr &part = *expr.parts.front();
  Place first = partPlace(fn, to, expr.type, 0, location);
  emitInto(fn, part, first);
  Value value = part.type.isAggregate() ? Value() : read(fn, first, location);
  Type i64 = fn.builder.getI64Type();
  Value one = fn.integer(i64, 1, location);
  Value count = fn.integer(i64, int64_t(expr.type.length()), location);
  auto loop = scf::ForOp::create(fn.builder, location, one, count, one);
  OpBuilder::InsertionGuard guard(fn.builder);
  fn.builder.setInsertionPointToStart(loop.getBody());
  Place element = first;
  element.indices = {loop.getInductionVar()};
  if (value)
    write(fn, value, element, location);
  else
    copy(fn, first, element, location);
}

Value mirgen::emitVector(FunctionContext &fn, const sema::BuildExpr &expr) {
  Location location = fn.locationOf(expr);
  auto type = cast<VectorType>(fn.module.type(expr.type));
  if (expr.parts.size() == 1)
    return vector::BroadcastOp::create(fn.builder, location, type,
                                       emitExpr(fn, *expr.parts.front()));
  SmallVector<Value> lanes(expr.parts.size());
  for (unsigned part : evaluationOrder(expr))
    lanes[part] = emitExpr(fn, *expr.parts[part]);
  return vector::FromElementsOp::create(fn.builder, location, type, lanes);
}

// What the callee sees is a copy: it may write to what the argument was read from.
Value mirgen::emitArgument(FunctionContext &fn, const sema::Expr &expr) {
  if (!expr.type.isAggregate())
    return emitExpr(fn, expr);
  Location location = fn.locationOf(expr);
  auto *local = dyn_cast<sema::LocalExpr>(&expr);
  if (local && !local->local->isMutable)
    return readOnly(fn, fn.env.get(fn.facts.slot(local->local)), location);
  Value memory = emitLocal(fn, expr.type, location);
  emitInto(fn, expr, wholeOf(fn, memory, location));
  return readOnly(fn, memory, location);
}

Attribute mirgen::constantAttribute(FunctionContext &fn, const sema::Expr &expr) {
  if (auto *constant = dyn_cast<sema::ConstantExpr>(&expr)) {
    Type type = fn.module.type(expr.type);
    return constant->isFloat ? Attribute(FloatAttr::get(type, constant->floatValue))
                             : IntegerAttr::get(type, constant->intValue);
  }
  auto &build = *cast<sema::BuildExpr>(&expr);
  SmallVector<Attribute> parts;
  for (const sema::Expr *part : build.parts)
    parts.push_back(constantAttribute(fn, *part));
  size_t count = expr.type.isArray()    ? expr.type.length()
                 : expr.type.isVector() ? expr.type.lanes()
                                        : parts.size();
  parts.resize(count, parts.empty() ? Attribute() : parts.front());
  return fn.builder.getArrayAttr(parts);
}
