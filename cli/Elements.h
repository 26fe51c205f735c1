// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values of any type as the numbers they are composed of: scalars and enums, in the order of lanes,
// elements and fields. Text to values and back.
#pragma once

#include <cstddef>
#include <span>
#include <spl/ElementType.h>
#include <string>
#include <string_view>

namespace spl::cli {

/// How many numbers make a value.
std::size_t numbersIn(const ElementType &type);

/// Calls f(type, offset) for each number of a value at \p offset; the type is a scalar or an enum.
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
  case ElementType::Kind::Opaque: // of C++ programs alone
    return;
  }
}

/// Writes the value that \p numbers make to \p target: numbersIn(type) of them, of an enum also a
/// member's name. Throws Failure (WrongUsage).
void parseElement(std::span<const std::string_view> numbers, const ElementType &type,
                  std::byte *target);

/// 2.5; an enum's member by its name; (1, 2) of a vector, [1, 2] of an array, (x: 1, y: 2) of a
/// struct.
std::string formatElement(const ElementType &type, const std::byte *value);

} // namespace spl::cli
