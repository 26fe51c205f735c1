// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Places: locals, lanes, elements of slices and arrays, fields; and the slices that rows, ranges
// and arrays are. A place in memory is a chain of views with an access at its end, so that only the
// part that is read or written is touched.
#include "frontend/mirgen/Places.h"
#include "frontend/mirgen/Aggregates.h"
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Leaves.h"
#include "frontend/mirgen/Operators.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

static Place emitElementPlace(FunctionContext &fn, const sema::IndexExpr &expr);
static Place emitLanePlace(FunctionContext &fn, const sema::LaneExpr &expr);

/// The text of an index in a name.
static std::string indexText(const sema::Expr &index) {
  if (auto *known = dyn_cast<sema::ConstantExpr>(&index))
    return std::to_string(known->intValue.getLimitedValue());
  constexpr size_t maxLength = 20;
  StringRef text = index.range.text();
  return text.size() <= maxLength && !text.contains('\n') ? text.str() : "...";
}

/// The name by which the source calls what is indexed; empty where it is computed.
static std::string sourceName(const sema::Expr &base) {
  switch (base.kind) {
  case sema::Expr::Kind::Local: {
    StringRef name = cast<sema::LocalExpr>(&base)->local->name;
    return name.starts_with("$") ? "" : name.str();
  }
  case sema::Expr::Kind::ConstantData:
    return cast<sema::ConstantDataExpr>(&base)->constant->name.str();
  case sema::Expr::Kind::Cast:
    return sourceName(*cast<sema::CastExpr>(&base)->operand);
  case sema::Expr::Kind::Index: {
    auto &index = *cast<sema::IndexExpr>(&base);
    std::string whole = sourceName(*index.base);
    if (whole.empty() || !index.base->type.holdsSlices())
      return whole;
    return whole + "[" + indexText(*index.indices.front()) + "]";
  }
  case sema::Expr::Kind::Field: {
    auto &field = *cast<sema::FieldExpr>(&base);
    sema::Type type = field.base->type;
    if (!type.isStruct())
      return "";
    StringRef name = type.structInfo().fields[field.field].name;
    std::string whole = type.holdsSlices() ? sourceName(*field.base) : "";
    return whole.empty() ? name.str() : (whole + "." + name).str();
  }
  case sema::Expr::Kind::Constant:
  case sema::Expr::Kind::PlaceValue:
  case sema::Expr::Kind::Unary:
  case sema::Expr::Kind::Binary:
  case sema::Expr::Kind::Logical:
  case sema::Expr::Kind::CompareChain:
  case sema::Expr::Kind::Conditional:
  case sema::Expr::Kind::Fma:
  case sema::Expr::Kind::Subslice:
  case sema::Expr::Kind::Reference:
  case sema::Expr::Kind::Lane:
  case sema::Expr::Kind::Extent:
  case sema::Expr::Kind::Intrinsic:
  case sema::Expr::Kind::Atomic:
  case sema::Expr::Kind::Shared:
  case sema::Expr::Kind::SharedDyn:
  case sema::Expr::Kind::Access:
  case sema::Expr::Kind::Call:
  case sema::Expr::Kind::Build:
    return "";
  }
  llvm_unreachable("every kind is above");
}

StringAttr mirgen::nameOf(const sema::Expr &base, Builder &builder) {
  const std::string name = sourceName(base);
  return name.empty() ? StringAttr() : builder.getStringAttr(name);
}

void mirgen::annotate(Operation *access, StringAttr name, ArrayRef<int64_t> unsignedIndices) {
  if (name)
    access->setDiscardableAttr(mir::SplDialect::nameAttr, name);
  if (!unsignedIndices.empty())
    access->setDiscardableAttr(mir::SplDialect::unsignedAttr,
                               DenseI64ArrayAttr::get(access->getContext(), unsignedIndices));
}

bool mirgen::isUnsigned(const sema::Expr &index) {
  return index.type.isUnsignedInt() && index.type.bits() == 64;
}

// An index of u64 from 2^63 becomes negative, and any negative one is outside.
Value mirgen::emitIndexValue(FunctionContext &fn, const sema::Expr &index) {
  return emitIntegerCast(fn, emitExpr(fn, index), index.type.isSignedInt(), fn.builder.getI64Type(),
                         fn.locationOf(index));
}

static void addIndex(FunctionContext &fn, Place &place, const sema::Expr &index) {
  if (isUnsigned(index))
    place.unsignedIndices.push_back(place.indices.size());
  place.indices.push_back(emitIndexValue(fn, index));
}

Place mirgen::wholeOf(FunctionContext &fn, Value slice, Location location) {
  Place place;
  place.slice = slice;
  place.indices = {fn.integer(fn.builder.getI64Type(), 0, location)};
  place.isInside = true;
  return place;
}

Place mirgen::emitPlace(FunctionContext &fn, const sema::Expr &expr) {
  using Kind = sema::Expr::Kind;
  if (isLeaf(expr))
    return emitLeafPlace(fn, expr);
  Location location = fn.locationOf(expr);
  switch (expr.kind) {
  case Kind::Local: {
    const sema::Local *local = cast<sema::LocalExpr>(&expr)->local;
    if (fn.facts.isInMemory(local))
      return wholeOf(fn, fn.env.get(fn.facts.slot(local)), location);
    Place place;
    place.slots = {fn.facts.slot(local)};
    return place;
  }
  case Kind::Index:
    return emitElementPlace(fn, *cast<sema::IndexExpr>(&expr));
  case Kind::Field: {
    auto &field = *cast<sema::FieldExpr>(&expr);
    Place base = emitPlace(fn, *field.base);
    return wholeOf(fn, openPlace(fn, base, field.field, fn.module.type(expr.type), location),
                   location);
  }
  case Kind::Lane:
    return emitLanePlace(fn, *cast<sema::LaneExpr>(&expr));
  case Kind::ConstantData: {
    const sema::Constant &constant = *cast<sema::ConstantDataExpr>(&expr)->constant;
    Type type = fn.module.valueType(expr.type, /*isMut=*/false);
    ArrayAttr data = fn.builder.getArrayAttr(constantAttribute(fn, *constant.value));
    return wholeOf(fn, mir::ConstantDataOp::create(fn.builder, location, type, data), location);
  }
  case Kind::Constant:
  case Kind::PlaceValue:
  case Kind::Unary:
  case Kind::Binary:
  case Kind::Logical:
  case Kind::CompareChain:
  case Kind::Conditional:
  case Kind::Cast:
  case Kind::Fma:
  case Kind::Subslice:
  case Kind::Reference:
  case Kind::Extent:
  case Kind::Intrinsic:
  case Kind::Atomic:
  case Kind::Shared:
  case Kind::SharedDyn:
  case Kind::Access:
  case Kind::Call:
  case Kind::Build: {
    Place place = wholeOf(fn, emitLocal(fn, expr.type, location), location);
    if (expr.type.isAggregate())
      emitInto(fn, expr, place);
    else
      write(fn, emitExpr(fn, expr), place, location);
    return place;
  }
  }
  llvm_unreachable("every kind is above");
}

static Place emitElementPlace(FunctionContext &fn, const sema::IndexExpr &expr) {
  Place place;
  place.slice = emitElements(fn, *expr.base);
  for (const sema::Expr *index : expr.indices)
    addIndex(fn, place, *index);
  place.isInside = expr.isInside || fn.isUnchecked();
  place.name = nameOf(*expr.base, fn.builder);
  return place;
}

/// Whether a vector is kept in memory.
static bool isInMemory(const sema::Expr &vector) {
  return isa<sema::IndexExpr, sema::FieldExpr>(&vector);
}

static Place emitLanePlace(FunctionContext &fn, const sema::LaneExpr &expr) {
  Location location = fn.locationOf(expr);
  Place place = emitPlace(fn, *expr.base);
  StringAttr name = nameOf(*expr.base, fn.builder);
  if (place.isInMemory()) {
    Type lane = fn.module.type(expr.type);
    Place lanes;
    lanes.slice = openPlace(fn, place, std::nullopt, lane, location);
    addIndex(fn, lanes, *expr.index);
    lanes.isInside = isa<sema::ConstantExpr>(expr.index) || fn.isUnchecked();
    lanes.name = name;
    return lanes;
  }
  place.lane = emitIndexValue(fn, *expr.index);
  if (isa<sema::ConstantExpr>(expr.index)) // sema has looked at it
    return place;
  Value count = fn.integer(fn.builder.getI64Type(), expr.base->type.lanes(), location);
  Value inside =
      arith::CmpIOp::create(fn.builder, location, arith::CmpIPredicate::ult, place.lane, count);
  emitCheck(fn, inside, mir::FaultKind::IndexOutOfBounds, {place.lane, count}, location, name,
            isUnsigned(*expr.index));
  return place;
}

//===-- Reading and writing --===//

static Value emitExtractedLane(FunctionContext &fn, Value vector, Value lane, Location location) {
  Value index =
      fn.builder.createOrFold<arith::IndexCastOp>(location, fn.builder.getIndexType(), lane);
  return vector::ExtractOp::create(fn.builder, location, vector, OpFoldResult(index));
}

Value mirgen::read(FunctionContext &fn, const Place &place, Location location) {
  if (!place.isInMemory()) {
    SmallVector<Value> values;
    for (Slot slot : place.slots)
      values.push_back(fn.env.get(slot));
    Value value =
        place.slots.size() == 1 ? values.front() : select(fn, place.selector, values, location);
    return place.lane ? emitExtractedLane(fn, value, place.lane, location) : value;
  }
  Type type = cast<mir::SliceType>(place.slice.getType()).getElement();
  auto load =
      mir::LoadOp::create(fn.builder, location, type, place.slice, place.indices, place.isInside);
  annotate(load, place.name, place.unsignedIndices);
  return load;
}

void mirgen::write(FunctionContext &fn, Value value, const Place &place, Location location) {
  if (place.isInMemory()) {
    auto store = mir::StoreOp::create(fn.builder, location, value, place.slice, place.indices,
                                      place.isInside);
    return annotate(store, place.name, place.unsignedIndices);
  }
  for (auto [number, slot] : llvm::enumerate(place.slots)) {
    Value before = fn.env.get(slot), after = value;
    if (place.lane) {
      Value index = fn.builder.createOrFold<arith::IndexCastOp>(location, fn.builder.getIndexType(),
                                                                place.lane);
      after = vector::InsertOp::create(fn.builder, location, value, before, OpFoldResult(index));
    }
    if (place.slots.size() > 1) {
      Value own = fn.integer(place.selector.getType(), int64_t(number), location);
      Value isIt = arith::CmpIOp::create(fn.builder, location, arith::CmpIPredicate::eq,
                                         place.selector, own);
      after = arith::SelectOp::create(fn.builder, location, isIt, after, before);
    }
    fn.env.set(slot, after);
  }
}

void mirgen::copy(FunctionContext &fn, const Place &from, const Place &to, Location location) {
  auto copy = mir::CopyOp::create(fn.builder, location, from.slice, from.indices, to.slice,
                                  to.indices, from.isInside && to.isInside);
  SmallVector<int64_t, 2> unsignedIndices = from.unsignedIndices;
  for (int64_t position : to.unsignedIndices)
    unsignedIndices.push_back(from.indices.size() + position);
  annotate(copy, from.isInside ? to.name : from.name, unsignedIndices);
}

//===-- Slices --===//

Value mirgen::openPlace(FunctionContext &fn, const Place &place, std::optional<unsigned> field,
                        Type element, Location location) {
  bool isMut = cast<mir::SliceType>(place.slice.getType()).getIsMut();
  Type type = mir::SliceType::get(fn.builder.getContext(), element, isMut, 1);
  IntegerAttr number = field ? fn.builder.getI64IntegerAttr(*field) : IntegerAttr();
  auto part = mir::PartOp::create(fn.builder, location, type, place.slice, place.indices, number,
                                  place.isInside);
  annotate(part, place.name, place.unsignedIndices);
  return part;
}

Value mirgen::emitElements(FunctionContext &fn, const sema::Expr &base) {
  if (base.type.isSlice())
    return emitExpr(fn, base);
  return openPlace(fn, emitPlace(fn, base), std::nullopt, fn.module.type(base.type.element()),
                   fn.locationOf(base));
}

Value mirgen::readOnly(FunctionContext &fn, Value slice, Location location) {
  auto type = cast<mir::SliceType>(slice.getType());
  if (!type.getIsMut())
    return slice;
  auto view =
      mir::SliceType::get(fn.builder.getContext(), type.getElement(), false, type.getRank());
  return mir::ReadOnlyOp::create(fn.builder, location, view, slice);
}

Value mirgen::emitRow(FunctionContext &fn, const sema::IndexExpr &expr) {
  Place place = emitElementPlace(fn, expr);
  auto row = mir::RowOp::create(fn.builder, fn.locationOf(expr), fn.module.type(expr.type),
                                place.slice, place.indices, place.isInside);
  annotate(row, place.name, place.unsignedIndices);
  return row;
}

Value mirgen::emitSubslice(FunctionContext &fn, const sema::SubsliceExpr &expr) {
  Location location = fn.locationOf(expr);
  Value base = emitElements(fn, *expr.base);
  if (!expr.type.isMut())
    base = readOnly(fn, base, location);
  Value from =
      expr.from ? emitIndexValue(fn, *expr.from) : fn.integer(fn.builder.getI64Type(), 0, location);
  Value to = expr.to ? emitIndexValue(fn, *expr.to)
                     : Value(mir::ExtentOp::create(fn.builder, location, base, 0));
  auto view = mir::SubsliceOp::create(fn.builder, location, base.getType(), base, from, to,
                                      fn.isUnchecked());
  StringAttr name = nameOf(*expr.base, fn.builder);
  SmallVector<int64_t, 2> unsignedBounds;
  if (expr.from && isUnsigned(*expr.from))
    unsignedBounds.push_back(0);
  if (expr.to && isUnsigned(*expr.to))
    unsignedBounds.push_back(1);
  annotate(view, name, unsignedBounds);
  if (name && expr.to)
    view->setDiscardableAttr(
        mir::SplDialect::rangeAttr,
        fn.builder.getStringAttr(name.getValue() + "[.." + expr.to->range.text() + "]"));
  return view;
}

// A val or a parameter that is an SSA value never changes, and a var that is one has no `&mut`: the
// callee may see a copy.
Value mirgen::emitReference(FunctionContext &fn, const sema::ReferenceExpr &expr) {
  Location location = fn.locationOf(expr);
  const sema::Type type = expr.place->type;
  Place place = emitPlace(fn, *expr.place);
  if (!place.isInMemory()) {
    Place copy = wholeOf(fn, emitLocal(fn, type, location), location);
    write(fn, read(fn, place, location), copy, location);
    place = copy;
  }
  Value view = openPlace(fn, place, std::nullopt, fn.module.type(type), location);
  return expr.type.isMut() ? view : readOnly(fn, view, location);
}

Value mirgen::emitLane(FunctionContext &fn, const sema::LaneExpr &expr) {
  Location location = fn.locationOf(expr);
  if (isa<sema::LocalExpr, sema::LaneExpr>(expr.base) || isInMemory(*expr.base))
    return read(fn, emitLanePlace(fn, expr), location);
  Value vector = emitExpr(fn, *expr.base);
  if (auto *constant = dyn_cast<sema::ConstantExpr>(expr.index))
    return vector::ExtractOp::create(fn.builder, location, vector,
                                     int64_t(constant->intValue.getZExtValue()));
  Place place = wholeOf(fn, {}, location); // a value: its lanes are those of a temporary
  place.slice = mir::LocalOp::create(
      fn.builder, location, mir::SliceType::get(fn.builder.getContext(), vector.getType(), true, 1),
      1);
  write(fn, vector, place, location);
  Place lanes;
  lanes.slice = openPlace(fn, place, std::nullopt, fn.module.type(expr.type), location);
  addIndex(fn, lanes, *expr.index);
  lanes.isInside = fn.isUnchecked();
  return read(fn, lanes, location);
}
