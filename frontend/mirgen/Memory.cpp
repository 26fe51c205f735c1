// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gpu.* names that work on memory: shared arrays, atomics, loads and stores with hints, wide
// accesses.
#include "frontend/mirgen/Memory.h"
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Leaves.h"
#include "frontend/mirgen/Operators.h"
#include "frontend/mirgen/Places.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

static std::pair<Value, Value> emitWide(FunctionContext &fn, Value slice, Value index,
                                        bool isUnsigned, mlir::Type vector, mlir::StringAttr name,
                                        Location location);

/// The name by which the source calls a slice; null where it is computed.
static StringAttr sliceName(const sema::Expr &slice, Builder &builder) {
  return isa<sema::LocalExpr>(&slice) || isLeaf(slice) ? nameOf(slice, builder) : StringAttr();
}

static void setAttribute(Operation *op, StringRef key, StringAttr value) {
  if (value)
    op->setDiscardableAttr(key, value);
}

//===-- Shared memory --===//

// The name tells the places of the source apart, in each instance of a generic.
Value mirgen::emitShared(FunctionContext &fn, const sema::SharedExpr &expr) {
  std::string name = (fn.function.name + "." + Twine(fn.sharedArrays++)).str();
  return mir::SharedOp::create(fn.builder, fn.locationOf(expr), fn.module.type(expr.type), name,
                               expr.extents);
}

Value mirgen::emitSharedDyn(FunctionContext &fn, const sema::SharedDynExpr &expr) {
  Location location = fn.locationOf(expr);
  Value count = expr.count ? emitExpr(fn, *expr.count) : Value();
  Value offset = fn.integer(fn.builder.getI64Type(), 0, location);
  if (expr.offset) {
    Type bytesType = mir::SliceType::get(fn.builder.getContext(), fn.builder.getI8Type(), true, 1);
    Value all = mir::SharedDynOp::create(fn.builder, location, bytesType, offset);
    Value bytes = mir::ExtentOp::create(fn.builder, location, all, 0);
    offset = emitExpr(fn, *expr.offset);
    StringAttr subject = fn.builder.getStringAttr("gpu.shared_dyn");
    Value inside =
        arith::CmpIOp::create(fn.builder, location, arith::CmpIPredicate::ule, offset, bytes);
    emitCheck(fn, inside, mir::FaultKind::IndexOutOfBounds, {offset, bytes}, location, subject);
  }
  Value slice = mir::SharedDynOp::create(fn.builder, location, fn.module.type(expr.type), offset);
  if (expr.offset && !isa<sema::ConstantExpr>(expr.offset)) {
    int64_t align = expr.alignment;
    Value aligned = mir::IsAlignedOp::create(fn.builder, location, fn.builder.getI1Type(), slice);
    emitCheck(fn, aligned, mir::FaultKind::MisalignedVector,
              {offset, fn.integer(fn.builder.getI64Type(), align, location)}, location,
              fn.builder.getStringAttr("gpu.shared_dyn"));
  }
  if (!count)
    return slice;
  Value zero = fn.integer(fn.builder.getI64Type(), 0, location);
  auto part = mir::SubsliceOp::create(fn.builder, location, slice.getType(), slice, zero, count,
                                      fn.isUnchecked());
  setAttribute(part, mir::SplDialect::nameAttr, fn.builder.getStringAttr("gpu.shared_dyn"));
  return part;
}

//===-- Atomics --===//

static mir::AtomicKind kindOf(sema::AtomicKind kind) {
  switch (kind) {
#define ATOMIC(Name)                                                                               \
  case sema::AtomicKind::Name:                                                                     \
    return mir::AtomicKind::Name;
#include "frontend/sema/MemoryWords.def"
  }
  llvm_unreachable("every kind is in the table");
}

static mir::MemoryOrder orderOf(sema::MemoryOrder order) {
  switch (order) {
#define ORDER(Name, Word)                                                                          \
  case sema::MemoryOrder::Name:                                                                    \
    return mir::MemoryOrder::Name;
#include "frontend/sema/MemoryWords.def"
  }
  llvm_unreachable("every order is in the table");
}

mir::MemoryScope mirgen::scopeOf(sema::MemoryScope scope) {
  switch (scope) {
#define SCOPE(Name, Word)                                                                          \
  case sema::MemoryScope::Name:                                                                    \
    return mir::MemoryScope::Name;
#include "frontend/sema/MemoryWords.def"
  }
  llvm_unreachable("every scope is in the table");
}

Value mirgen::emitAtomic(FunctionContext &fn, const sema::AtomicExpr &expr) {
  Location location = fn.locationOf(expr);
  Place place = emitPlace(fn, *expr.place);
  SmallVector<Value, 2> values;
  for (const sema::Expr *value : expr.values)
    values.push_back(emitExpr(fn, *value));
  SmallVector<Type, 1> results;
  if (!expr.type.isUnit())
    results.push_back(fn.module.type(expr.type));
  auto atomic = mir::AtomicOp::create(
      fn.builder, location, results, kindOf(expr.kind), place.slice, place.indices, values,
      orderOf(expr.order), scopeOf(expr.scope), expr.place->type.isUnsignedInt(), place.isInside);
  annotate(atomic, place.name, place.unsignedIndices);
  return results.empty() ? Value() : atomic.getResult();
}

//===-- Loads and stores --===//

static StringRef hintName(sema::CacheHint hint) {
  switch (hint) {
  case sema::CacheHint::None:
    return "";
#define CACHE(Name, Word)                                                                          \
  case sema::CacheHint::Name:                                                                      \
    return Word;
#include "frontend/sema/MemoryWords.def"
  }
  llvm_unreachable("every hint is in the table");
}

Value mirgen::emitAccess(FunctionContext &fn, const sema::AccessExpr &expr) {
  Location location = fn.locationOf(expr);
  Value slice = emitElements(fn, *expr.slice);
  Value index = emitIndexValue(fn, *expr.index);
  Value value = expr.value ? emitExpr(fn, *expr.value) : Value();
  StringAttr name = sliceName(*expr.slice, fn.builder);
  if (expr.isVector) {
    Type vector = value ? value.getType() : fn.module.type(expr.type);
    std::tie(slice, index) =
        emitWide(fn, slice, index, isUnsigned(*expr.index), vector, name, location);
  }
  const bool isInside = expr.isVector || fn.isUnchecked();
  Operation *access;
  if (value)
    access = mir::StoreOp::create(fn.builder, location, value, slice, index, isInside);
  else
    access = mir::LoadOp::create(fn.builder, location, fn.module.type(expr.type), slice, index,
                                 isInside);
  const SmallVector<int64_t, 1> unsignedIndices(isUnsigned(*expr.index) ? 1 : 0, 0);
  annotate(access, name, unsignedIndices);
  if (expr.cache != sema::CacheHint::None)
    setAttribute(access, mir::SplDialect::cacheAttr,
                 fn.builder.getStringAttr(hintName(expr.cache)));
  return value ? Value() : access->getResult(0);
}

// Checks on the numbers that the source has: a multiple of the lanes, the last lane inside, and an
// address that fits, for a sub-slice may begin anywhere.
static std::pair<Value, Value> emitWide(FunctionContext &fn, Value slice, Value index,
                                        bool isUnsigned, Type vector, StringAttr name,
                                        Location location) {
  auto from = cast<mir::SliceType>(slice.getType());
  int64_t lanes = cast<VectorType>(vector).getNumElements();
  Type i64 = fn.builder.getI64Type();
  auto compare = [&](arith::CmpIPredicate how, Value a, Value b) -> Value {
    return arith::CmpIOp::create(fn.builder, location, how, a, b);
  };
  Value count = fn.integer(i64, lanes, location), zero = fn.integer(i64, 0, location);
  Value beyond =
      arith::AndIOp::create(fn.builder, location, index, fn.integer(i64, lanes - 1, location));
  emitCheck(fn, compare(arith::CmpIPredicate::eq, beyond, zero), mir::FaultKind::MisalignedVector,
            {index, count}, location, name, isUnsigned);

  Type to = mir::SliceType::get(fn.builder.getContext(), vector, from.getIsMut(), 1);
  Value vectors = mir::VectorsOp::create(fn.builder, location, to, slice);
  Value number = arith::DivSIOp::create(fn.builder, location, index, count);
  Value extent = mir::ExtentOp::create(fn.builder, location, vectors, 0);
  Value last =
      arith::AddIOp::create(fn.builder, location, index, fn.integer(i64, lanes - 1, location));
  emitCheck(
      fn, compare(arith::CmpIPredicate::ult, number, extent), mir::FaultKind::IndexOutOfBounds,
      {last, mir::ExtentOp::create(fn.builder, location, slice, 0)}, location, name, isUnsigned);
  Value aligned = mir::IsAlignedOp::create(fn.builder, location, fn.builder.getI1Type(), vectors);
  emitCheck(fn, aligned, mir::FaultKind::MisalignedVector, {index, count}, location, name,
            isUnsigned);
  return {vectors, number};
}
