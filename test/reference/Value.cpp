// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/reference/Value.h"

#include <cstring>
#include <stdexcept>

namespace spl::reference {

using sema::Type;

Type partType(Type whole, std::uint64_t part) {
  if (whole.isStruct())
    return whole.structInfo().fields[part].type;
  return whole.isTuple() ? whole.elements()[part] : whole.element();
}

std::uint64_t partCount(Type whole) {
  if (whole.isStruct())
    return whole.structInfo().fields.size();
  if (whole.isTuple())
    return whole.elements().size();
  return whole.isArray() ? whole.length() : whole.lanes();
}

std::int64_t partOffset(Type whole, std::uint64_t part) {
  if (whole.isArray() || whole.isVector())
    return static_cast<std::int64_t>(part * whole.element().layout().size);
  std::uint64_t offset = 0;
  for (std::uint64_t i = 0;; ++i) {
    const Type::Layout layout = partType(whole, i).layout();
    offset = (offset + layout.align - 1) / layout.align * layout.align;
    if (i == part)
      return static_cast<std::int64_t>(offset);
    offset += layout.size;
  }
}

static std::byte *bytesAt(const Pointer &at, std::uint64_t size) {
  if (at.offset < 0 || static_cast<std::uint64_t>(at.offset) + size > at.memory->size())
    throw std::logic_error("the reference accesses memory that is not there");
  return at.memory->data() + at.offset;
}

static bool isScalar(Type type) { return type.isScalar() || type.isEnum(); }

Value load(Type type, const Pointer &from) {
  if (isScalar(type)) {
    Value value;
    const std::uint64_t size = type.layout().size;
    std::memcpy(&value.bits, bytesAt(from, size), size);
    return value;
  }
  if (type.isSlice())
    return Value::of(from.memory->slices.at(from.offset));
  std::vector<Value> parts;
  for (std::uint64_t i = 0; i != partCount(type); ++i)
    parts.push_back(load(partType(type, i), from.at(partOffset(type, i))));
  return Value::of(std::move(parts));
}

void store(Type type, const Value &value, const Pointer &to) {
  if (isScalar(type)) {
    const std::uint64_t size = type.layout().size;
    std::memcpy(bytesAt(to, size), &value.bits, size);
    return;
  }
  if (type.isSlice()) {
    to.memory->slices[to.offset] = value.slice;
    return;
  }
  for (std::uint64_t i = 0; i != partCount(type); ++i)
    store(partType(type, i), value.parts[i], to.at(partOffset(type, i)));
}

Pointer allocate(std::uint64_t bytes, std::byte filling) {
  return {std::make_shared<Memory>(bytes, filling)};
}

bool isSame(Type type, const Value &a, const Value &b) {
  if (isScalar(type))
    return a.bits == b.bits || (isNaN(type, a.bits) && isNaN(type, b.bits));
  for (std::uint64_t i = 0; i != partCount(type); ++i)
    if (!isSame(partType(type, i), a.parts[i], b.parts[i]))
      return false;
  return true;
}

} // namespace spl::reference
