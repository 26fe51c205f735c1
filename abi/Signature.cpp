// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/abi/Signature.h"

#include <algorithm>

namespace spl {

std::string ParameterType::str() const {
  std::string text = element.str();
  if (!isSlice())
    return text;
  if (rank > 1)
    text += ", " + std::to_string(rank);
  return (isMutable ? "&mut [" : "&[") + text + "]";
}

static bool isInteger(ScalarType type) {
  enum class Class { Bool, Signed, Unsigned, Float };
  switch (type) {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, CLASS, BITS)                                             \
  case ScalarType::NAME:                                                                           \
    return Class::CLASS == Class::Signed || Class::CLASS == Class::Unsigned;
#include "spl/ScalarTypes.def"
  }
  return false;
}

bool ParameterType::isInteger() const {
  return !isSlice() && (element.kind() == ElementType::Kind::Enum ||
                        (element.isScalar() && spl::isInteger(element.scalar())));
}

bool ParameterType::isComposed() const {
  using Kind = ElementType::Kind;
  const Kind kind = element.kind();
  return !isSlice() && (kind == Kind::Struct || kind == Kind::Vector || kind == Kind::Array);
}

namespace abi {

std::optional<std::size_t> Signature::indexOf(std::string_view name) const {
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (parameters[i].name == name)
      return i;
  return std::nullopt;
}

bool Signature::operator==(const Signature &other) const {
  const auto isSameParameter = [](const Parameter &a, const Parameter &b) {
    return a.name == b.name && a.type == b.type && a.isAlias == b.isAlias &&
           a.type.element.isSameAs(b.type.element);
  };
  const auto isSameType = [](const ElementType &a, const ElementType &b) { return a.isSameAs(b); };
  return name == other.name && block == other.block && contract == other.contract &&
         takesFaultRecord == other.takesFaultRecord && isCooperative == other.isCooperative &&
         std::ranges::equal(parameters, other.parameters, isSameParameter) &&
         std::ranges::equal(definitions, other.definitions, isSameType);
}

} // namespace abi
} // namespace spl
