// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gpu functions that access memory: shared arrays, atomics, accesses with hints, and wide
// accesses.
#include "test/reference/Item.h"

using namespace spl;
using namespace spl::reference;
using syntax::BinaryOp;

Slice reference::shared(Item &item, const sema::SharedExpr &expr) {
  Slice slice;
  std::int64_t count = 1;
  for (size_t axis = 0; axis != expr.extents.size(); ++axis) {
    slice.extents[axis] = expr.extents[axis];
    count *= expr.extents[axis];
  }
  Pointer &memory = item.group.shared[&expr];
  if (!memory.memory)
    memory = allocate(static_cast<std::uint64_t>(count) * expr.type.element().layout().size,
                      item.group.launch.launch.sharedFilling);
  slice.start = memory;
  return slice;
}

Slice reference::sharedDynamic(Item &item, const sema::SharedDynExpr &expr) {
  const std::int64_t bytes = item.group.launch.launch.sharedBytes;
  const auto size = static_cast<std::int64_t>(expr.type.element().layout().size);
  const char *const place = expr.range.begin;
  const bool hasCount = expr.count, hasOffset = expr.offset;
  const std::int64_t count = hasCount ? indexOf(item, *expr.count) : 0;
  const std::int64_t offset = hasOffset ? indexOf(item, *expr.offset) : 0;
  if (offset < 0 || offset > bytes)
    item.fail(FaultKind::IndexOutOfBounds, place, offset, bytes);
  if (offset % expr.alignment != 0)
    item.fail(FaultKind::MisalignedVector, place, offset, expr.alignment);
  const std::int64_t length = (bytes - offset) / size;
  if (hasCount && (count < 0 || count > length))
    item.fail(FaultKind::IndexOutOfBounds, place, count, length);
  return {item.group.dynamic.at(offset), {hasCount ? count : length}};
}

//===-- Atomics --===//

static Bits updated(sema::AtomicKind kind, sema::Type type, Bits old,
                    const std::vector<Value> &with) {
  using Kind = sema::AtomicKind;
  const Bits value = with.empty() ? 0 : with.front().bits;
  switch (kind) {
  case Kind::Add:
    return binary(BinaryOp::Add, type, old, value);
  case Kind::Sub:
    return binary(BinaryOp::Sub, type, old, value);
  case Kind::Min:
    return least(type, old, value);
  case Kind::Max:
    return greatest(type, old, value);
  case Kind::And:
    return old & value;
  case Kind::Or:
    return old | value;
  case Kind::Xor:
    return old ^ value;
  case Kind::Inc:
    return old >= value ? 0 : old + 1;
  case Kind::Dec:
    return old == 0 || old > value ? value : old - 1;
  case Kind::Exchange:
  case Kind::Store:
    return value;
  case Kind::Cas:
    return old == value ? with[1].bits : old;
  case Kind::Load:
    return old;
  }
  llvm_unreachable("an atomic has a kind");
}

Value reference::atomic(Item &item, const sema::AtomicExpr &expr) {
  Place place = placeOf(item, *expr.place);
  if (place.fault)
    place.fault->place = expr.range.begin;
  std::vector<Value> values;
  for (const sema::Expr *value : expr.values)
    values.push_back(evaluate(item, *value));
  const sema::Type type = expr.place->type;
  const Pointer &at = used(place);
  const Value old = load(type, at);
  Value made = Value::of(0);
  if (type.isVector()) { // each half is a separate atomic
    for (unsigned lane = 0; lane != type.lanes(); ++lane) {
      std::vector<Value> with;
      if (!values.empty())
        with = {values.front().parts[lane]};
      made.parts.push_back(
          Value::of(updated(expr.kind, type.element(), old.parts[lane].bits, with)));
    }
  } else {
    made.bits = updated(expr.kind, type, old.bits, values);
  }
  store(type, made, at);
  return old;
}

//===-- Loads and stores --===//

Value reference::access(Item &item, const sema::AccessExpr &expr) {
  const Slice slice = elementsOf(item, *expr.slice);
  const std::int64_t index = indexOf(item, *expr.index), length = slice.extents[0];
  const Value value = expr.value ? evaluate(item, *expr.value) : Value();
  const sema::Type type = expr.value ? expr.value->type : expr.type;
  const auto size = static_cast<std::int64_t>(expr.slice->type.element().layout().size);
  const std::int64_t count = expr.isVector ? type.lanes() : 1;
  const Pointer at =
      slice.start.at(static_cast<std::int64_t>(static_cast<Bits>(index) * static_cast<Bits>(size)));
  auto fail = [&](FaultKind kind, std::int64_t shown, std::int64_t bound) {
    item.fail(kind, expr.range.begin, shown, bound);
  };
  if (index & (count - 1))
    fail(FaultKind::MisalignedVector, index, count);
  // Elements after the last whole vector are out of bounds.
  if (index < 0 || index / count >= length / count)
    fail(FaultKind::IndexOutOfBounds, index + count - 1, length);
  if (at.offset % (count * size) != 0)
    fail(FaultKind::MisalignedVector, index, count);
  if (!expr.value)
    return load(type, at);
  store(type, value, at);
  return {};
}
