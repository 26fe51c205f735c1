// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Elements.h"
#include "cli/Failure.h"
#include "cli/Numbers.h"
#include <cstring>

namespace spl::cli {

std::size_t numbersIn(const ElementType &type) {
  switch (type.kind()) {
  case ElementType::Kind::Vector:
    return static_cast<std::size_t>(type.length());
  case ElementType::Kind::Array:
    return static_cast<std::size_t>(type.length()) * numbersIn(type.element());
  case ElementType::Kind::Struct: {
    std::size_t count = 0;
    for (const ElementType::Field &field : type.fields())
      count += numbersIn(field.type);
    return count;
  }
  case ElementType::Kind::Scalar:
  case ElementType::Kind::Enum:
    return 1;
  case ElementType::Kind::Opaque:
    return 0;
  }
  __builtin_unreachable();
}

// Parses the name or the number of an enum's member. Other numbers are errors, because `match` in a
// kernel handles only members.
static void parseMember(std::string_view text, const ElementType &type, std::byte *target) {
  std::string members;
  for (const auto &[name, value] : type.members()) {
    if (text == name || text == std::to_string(value)) {
      std::memcpy(target, &value, sizeof value);
      return;
    }
    members += (members.empty() ? "" : ", ") + name + " = " + std::to_string(value);
  }
  throw Failure(WrongUsage, "'" + std::string(text) + "' is not a member of " + type.str() +
                                "; its members are: " + members);
}

void parseElement(std::span<const std::string_view> numbers, const ElementType &type,
                  std::byte *target) {
  auto next = numbers.begin();
  forEachNumber(type, 0, [&](const ElementType &number, std::size_t offset) {
    if (number.isScalar())
      parseNumber(*next++, number.scalar(), target + offset);
    else
      parseMember(*next++, number, target + offset);
  });
}

static std::string formatMember(const ElementType &type, const std::byte *value) {
  std::int32_t number;
  std::memcpy(&number, value, sizeof number);
  for (const ElementType::Member &member : type.members())
    if (member.value == number)
      return member.name;
  return std::to_string(number);
}

std::string formatElement(const ElementType &type, const std::byte *value) {
  std::string text;
  auto append = [&](const std::string &part) { text += (text.empty() ? "" : ", ") + part; };
  switch (type.kind()) {
  case ElementType::Kind::Scalar:
    return formatNumber(type.scalar(), value);
  case ElementType::Kind::Enum:
    return formatMember(type, value);
  case ElementType::Kind::Vector:
    forEachNumber(type, 0, [&](const ElementType &lane, std::size_t offset) {
      append(formatNumber(lane.scalar(), value + offset));
    });
    return "(" + text + ")";
  case ElementType::Kind::Array:
    for (std::int64_t i = 0; i != type.length(); ++i)
      append(formatElement(type.element(),
                           value + static_cast<std::size_t>(i) * type.element().size()));
    return "[" + text + "]";
  case ElementType::Kind::Struct:
    for (const auto &[name, part, offset] : type.fields())
      append(name + ": " + formatElement(part, value + offset));
    return "(" + text + ")";
  case ElementType::Kind::Opaque:
    break;
  }
  return "?";
}

} // namespace spl::cli
