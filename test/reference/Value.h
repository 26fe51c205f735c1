// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of the reference interpreter and the memory that they are kept in. Memory is bytes in C's
// layout, so that slices, fields and lanes can view any part of it.
#pragma once

#include "test/reference/Scalars.h"

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

namespace spl::reference {

/// Memory of a buffer, of a local or of an array in shared memory.
using Memory = std::vector<std::byte>;

/// Some bytes of a memory, which it keeps alive.
struct Pointer {
  std::shared_ptr<Memory> memory;
  std::int64_t offset = 0;

  Pointer at(std::int64_t bytes) const { return {memory, offset + bytes}; }
};

/// A value of a slice type.
struct Slice {
  Pointer start;
  std::array<std::int64_t, 4> extents{}; ///< as many as the type's rank
};

/// A value of any type: a scalar is bits, a slice a view, everything else its parts in order.
struct Value {
  Bits bits = 0;
  Slice slice = {};
  std::vector<Value> parts = {};

  static Value of(Bits bits) { return {bits}; }
  static Value of(Slice slice) { return {0, std::move(slice)}; }
  static Value of(std::vector<Value> parts) { return {0, {}, std::move(parts)}; }
};

/// The type of a part of a vector, array, struct or tuple, and where it is in memory.
sema::Type partType(sema::Type whole, std::uint64_t part);
std::int64_t partOffset(sema::Type whole, std::uint64_t part);
std::uint64_t partCount(sema::Type whole);

Value load(sema::Type type, const Pointer &from);
void store(sema::Type type, const Value &value, const Pointer &to);

/// New memory for a value of the type, filled with a pattern that no program relies on.
Pointer allocate(std::uint64_t bytes);

/// Whether both are the same; all NaN are one value.
bool isSame(sema::Type type, const Value &a, const Value &b);

} // namespace spl::reference
