// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the reference interpreter, and its memory. Memory is bytes in the layout of C, so that
// slices, fields and lanes can refer to any part of it. Slices in structs and arrays are beside the
// bytes.
#pragma once

#include "test/reference/Scalars.h"

#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <vector>

namespace spl::reference {

struct Memory;

/// A position in a memory. It keeps that memory alive.
struct Pointer {
  std::shared_ptr<Memory> memory;
  std::int64_t offset = 0;

  Pointer at(std::int64_t bytes) const { return {memory, offset + bytes}; }
};

/// A value of a slice type.
struct Slice {
  Pointer start;
  std::array<std::int64_t, 4> extents{}; ///< only the first rank are used
};

/// The memory of a buffer, a local variable or a shared array.
struct Memory : std::vector<std::byte> {
  using vector::vector;
  std::map<std::int64_t, Slice> slices; ///< the slices in it, by offset
};

/// A value of any type. A scalar is its bits, a slice is a view. Other values are their parts in
/// order.
struct Value {
  Bits bits = 0;
  Slice slice = {};
  std::vector<Value> parts = {};

  static Value of(Bits bits) { return {bits}; }
  static Value of(Slice slice) { return {0, std::move(slice)}; }
  static Value of(std::vector<Value> parts) { return {0, {}, std::move(parts)}; }
};

/// The type of a part of a vector, array, struct or tuple, its offset in bytes, and the number of
/// parts.
sema::Type partType(sema::Type whole, std::uint64_t part);
std::int64_t partOffset(sema::Type whole, std::uint64_t part);
std::uint64_t partCount(sema::Type whole);

Value load(sema::Type type, const Pointer &from);
void store(sema::Type type, const Value &value, const Pointer &to);

/// New memory, filled with a pattern on which no program may rely.
Pointer allocate(std::uint64_t bytes, std::byte filling = std::byte{0xa5});

/// Whether both values are equal. All NaN are equal.
bool isSame(sema::Type type, const Value &a, const Value &b);

} // namespace spl::reference
