// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Converts values of any type to text and back. A value is a sequence of numbers (scalars and
// enums), in the order of lanes, elements and fields.
#pragma once

#include <cstddef>
#include <span>
#include <spl/ElementType.h>
#include <string>
#include <string_view>

namespace spl::cli {

/// The number of numbers in a value of the type.
std::size_t numbersIn(const ElementType &type);

/// Calls f(type, offset) for each number of a value that begins at \p offset. The type is a scalar
/// or an enum.
template <class F> void forEachNumber(const ElementType &type, std::size_t offset, const F &f) {
  switch (type.kind()) {
  case ElementType::Kind::Vector:
    for (std::int64_t lane = 0; lane != type.length(); ++lane, offset += sizeOf(type.scalar()))
      f(ElementType(type.scalar()), offset);
    return;
  case ElementType::Kind::Array:
    for (std::int64_t i = 0; i != type.length(); ++i, offset += type.element().size())
      forEachNumber(type.element(), offset, f);
    return;
  case ElementType::Kind::Struct:
    for (const ElementType::Field &field : type.fields())
      forEachNumber(field.type, offset + field.offset, f);
    return;
  case ElementType::Kind::Scalar:
  case ElementType::Kind::Enum:
    return f(type, offset);
  case ElementType::Kind::Opaque: // only C++ programs have such types
    return;
  }
}

/// Parses numbersIn(type) numbers, and writes the value to \p target. A number of an enum may be
/// the name of a member. Throws Failure (WrongUsage).
void parseElement(std::span<const std::string_view> numbers, const ElementType &type,
                  std::byte *target);

/// The text of a value: 2.5 for a number, the name for an enum, (1, 2) for a vector, [1, 2] for an
/// array, (x: 1, y: 2) for a struct.
std::string formatElement(const ElementType &type, const std::byte *value);

} // namespace spl::cli
