// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gpu.* names that work on memory: shared arrays, atomics, loads and stores with hints, wide
// accesses.
#include "frontend/mirgen/FunctionGen.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

/// The name by which the source calls a slice; null where it is computed.
static StringAttr sliceName(const sema::Expr &slice, Builder &builder) {
  auto *local = dyn_cast<sema::LocalExpr>(&slice);
  return local ? builder.getStringAttr(local->local->name) : StringAttr();
}

static void setAttribute(Operation *op, StringRef key, StringAttr value) {
  if (value)
    op->setDiscardableAttr(key, value);
}

//===-- Shared memory --===//

// The name tells the places of the source apart, in each instance of a generic.
Value FunctionGen::emitShared(const sema::SharedExpr &expr) {
  std::string name = (function.name + "." + Twine(sharedArrays++)).str();
  return mir::SharedOp::create(builder, locationOf(expr), module.type(expr.type), name,
                               expr.extents);
}

Value FunctionGen::emitSharedDyn(const sema::SharedDynExpr &expr) {
  Location location = locationOf(expr);
  Value count = expr.count ? emitExpr(*expr.count) : Value();
  Value offset = integer(builder.getI64Type(), 0, location);
  if (expr.offset) {
    Type bytesType = mir::SliceType::get(builder.getContext(), builder.getI8Type(), true, 1);
    Value all = mir::SharedDynOp::create(builder, location, bytesType, offset);
    Value bytes = mir::ExtentOp::create(builder, location, all, 0);
    offset = emitExpr(*expr.offset);
    StringAttr subject = builder.getStringAttr("gpu.shared_dyn");
    Value inside =
        arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ule, offset, bytes);
    emitCheck(inside, mir::FaultKind::IndexOutOfBounds, {offset, bytes}, location, subject);
  }
  Value slice = mir::SharedDynOp::create(builder, location, module.type(expr.type), offset);
  if (expr.offset && !isa<sema::ConstantExpr>(expr.offset)) {
    int64_t align = expr.alignment;
    Value aligned = mir::IsAlignedOp::create(builder, location, builder.getI1Type(), slice);
    emitCheck(aligned, mir::FaultKind::MisalignedVector,
              {offset, integer(builder.getI64Type(), align, location)}, location,
              builder.getStringAttr("gpu.shared_dyn"));
  }
  if (!count)
    return slice;
  Value zero = integer(builder.getI64Type(), 0, location);
  auto part = mir::SubsliceOp::create(builder, location, slice.getType(), slice, zero, count,
                                      function.traits.isUnchecked);
  setAttribute(part, mir::SplDialect::nameAttr, builder.getStringAttr("gpu.shared_dyn"));
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

mir::MemoryScope FunctionGen::scopeOf(sema::MemoryScope scope) {
  switch (scope) {
#define SCOPE(Name, Word)                                                                          \
  case sema::MemoryScope::Name:                                                                    \
    return mir::MemoryScope::Name;
#include "frontend/sema/MemoryWords.def"
  }
  llvm_unreachable("every scope is in the table");
}

Value FunctionGen::emitAtomic(const sema::AtomicExpr &expr) {
  Location location = locationOf(expr);
  Place place = emitPlace(*expr.place);
  SmallVector<Value, 2> values;
  for (const sema::Expr *value : expr.values)
    values.push_back(emitExpr(*value));
  SmallVector<Type, 1> results;
  if (!expr.type.isUnit())
    results.push_back(module.type(expr.type));
  auto atomic = mir::AtomicOp::create(
      builder, location, results, kindOf(expr.kind), place.slice, place.indices, values,
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

Value FunctionGen::emitAccess(const sema::AccessExpr &expr) {
  Location location = locationOf(expr);
  Value slice = emitElements(*expr.slice);
  Value index = emitIndexValue(*expr.index);
  Value value = expr.value ? emitExpr(*expr.value) : Value();
  StringAttr name = sliceName(*expr.slice, builder);
  if (expr.isVector) {
    Type vector = value ? value.getType() : module.type(expr.type);
    std::tie(slice, index) =
        emitWide(slice, index, isUnsigned(*expr.index), vector, name, location);
  }
  const bool isInside = expr.isVector || function.traits.isUnchecked;
  Operation *access;
  if (value)
    access = mir::StoreOp::create(builder, location, value, slice, index, isInside);
  else
    access = mir::LoadOp::create(builder, location, module.type(expr.type), slice, index, isInside);
  const SmallVector<int64_t, 1> unsignedIndices(isUnsigned(*expr.index) ? 1 : 0, 0);
  annotate(access, name, unsignedIndices);
  if (expr.cache != sema::CacheHint::None)
    setAttribute(access, mir::SplDialect::cacheAttr, builder.getStringAttr(hintName(expr.cache)));
  return value ? Value() : access->getResult(0);
}

// Checks on the numbers that the source has: a multiple of the lanes, the last lane inside, and an
// address that fits, for a sub-slice may begin anywhere.
std::pair<Value, Value> FunctionGen::emitWide(Value slice, Value index, bool isUnsigned,
                                              Type vector, StringAttr name, Location location) {
  auto from = cast<mir::SliceType>(slice.getType());
  int64_t lanes = cast<VectorType>(vector).getNumElements();
  Type i64 = builder.getI64Type();
  auto compare = [&](arith::CmpIPredicate how, Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, location, how, a, b);
  };
  Value count = integer(i64, lanes, location), zero = integer(i64, 0, location);
  Value beyond = arith::AndIOp::create(builder, location, index, integer(i64, lanes - 1, location));
  emitCheck(compare(arith::CmpIPredicate::eq, beyond, zero), mir::FaultKind::MisalignedVector,
            {index, count}, location, name, isUnsigned);

  Type to = mir::SliceType::get(builder.getContext(), vector, from.getIsMut(), 1);
  Value vectors = mir::VectorsOp::create(builder, location, to, slice);
  Value number = arith::DivSIOp::create(builder, location, index, count);
  Value extent = mir::ExtentOp::create(builder, location, vectors, 0);
  Value last = arith::AddIOp::create(builder, location, index, integer(i64, lanes - 1, location));
  emitCheck(compare(arith::CmpIPredicate::ult, number, extent), mir::FaultKind::IndexOutOfBounds,
            {last, mir::ExtentOp::create(builder, location, slice, 0)}, location, name, isUnsigned);
  Value aligned = mir::IsAlignedOp::create(builder, location, builder.getI1Type(), vectors);
  emitCheck(aligned, mir::FaultKind::MisalignedVector, {index, count}, location, name, isUnsigned);
  return {vectors, number};
}
