// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Signature.h"

#include "runtime/launch/LaunchContract.h"
#include "runtime/launch/SignatureReader.h"

#include <limits>
#include <utility>

namespace spl {

std::string ParameterType::str() const {
  std::string text = element.str();
  if (!isSlice())
    return text;
  if (rank > 1)
    text += ", " + std::to_string(rank);
  return (isMutable ? "&mut [" : "&[") + text + "]";
}

namespace {

/// Reads types and the definitions before them.
class Reader : public detail::SignatureReader {
public:
  using SignatureReader::SignatureReader;

  /// Reads a struct or an enum, if one follows; later definitions may use its name.
  std::optional<ElementType> definition() {
    if (takeWord("struct"))
      known.push_back(structure());
    else if (takeWord("enum"))
      known.push_back(enumeration());
    else
      return std::nullopt;
    return known.back();
  }

  ParameterType type() {
    ParameterType result;
    if (!take("&")) {
      result.element = element();
      return result;
    }
    result.rank = 1;
    if (!take("[")) {
      if (!takeWord("mut"))
        fail("'mut' or '['");
      result.isMutable = true;
      expect("[");
    }
    result.element = element();
    if (take(","))
      result.rank = rank();
    expect("]");
    return result;
  }

  /// An extent of a group.
  std::int64_t extent() { return number(1, 1024); }

private:
  /// What a type may be, so that nothing that walks it or counts its bytes overflows.
  static constexpr std::size_t maxParts = 1024;
  static constexpr std::int64_t maxSize = std::int64_t{1} << 40;
  static constexpr int maxBrackets = 64;

  ElementType element() {
    const std::size_t begin = position();
    if (take("["))
      return array();
    const std::string name = identifier();
    if (std::optional<ElementType> plain = plainTypeNamed(name))
      return *plain;
    for (const ElementType &type : known)
      if (type.str() == name)
        return type;
    goTo(begin);
    fail("a type");
  }

  ElementType array() {
    if (++brackets > maxBrackets)
      fail("a type in fewer brackets");
    ElementType inner = element();
    --brackets;
    expect(";");
    const std::int64_t length = number(1, maxSize / static_cast<std::int64_t>(inner.size() + 1));
    expect("]");
    return bounded(ElementType::array(std::move(inner), length));
  }

  ElementType structure() {
    std::string name = newTypeName();
    std::vector<ElementType::Field> fields;
    std::size_t size = 0, parts = 1;
    list(fields, [&](std::string field) {
      expect(":");
      fields.push_back({std::move(field), element()});
      size += fields.back().type.size();
      parts += fields.back().type.parts();
      if (size > maxSize || parts > maxParts)
        fail("a smaller struct");
    });
    return bounded(ElementType::structure(std::move(name), std::move(fields)));
  }

  ElementType enumeration() {
    using Limits = std::numeric_limits<std::int32_t>;
    std::string name = newTypeName();
    std::vector<ElementType::Member> members;
    list(members, [&](std::string member) {
      expect("=");
      const std::int64_t value = number(Limits::min(), Limits::max());
      members.push_back({std::move(member), static_cast<std::int32_t>(value)});
    });
    return ElementType::enumeration(std::move(name), std::move(members));
  }

  /// The parts of a struct or an enum in parentheses; \p take reads what follows a new name.
  template <class Parts, class Take> void list(const Parts &parts, Take take) {
    expect("(");
    if (this->take(")"))
      return;
    do {
      std::string name = identifier();
      for (const auto &part : parts)
        if (part.name == name)
          fail("a name not used before");
      take(std::move(name));
    } while (this->take(","));
    expect(")");
  }

  std::string newTypeName() {
    std::string name = identifier();
    bool isTaken = plainTypeNamed(name).has_value();
    for (const ElementType &type : known)
      isTaken |= type.str() == name;
    if (isTaken)
      fail("a name not used before");
    return name;
  }

  ElementType bounded(ElementType type) {
    if (type.parts() > maxParts || type.size() > maxSize)
      fail("a smaller type");
    return type;
  }

  /// The rank after the comma; 1 is written without it.
  int rank() {
    for (int rank = 2; rank <= 4; ++rank)
      if (take(std::to_string(rank)))
        return rank;
    fail("a rank of 2, 3 or 4");
  }

  int brackets = 0;               ///< open ones
  std::vector<ElementType> known; ///< the structs and enums so far
};

std::string textOf(const ElementType &definition) {
  const bool isStruct = definition.kind() == ElementType::Kind::Struct;
  std::string text = (isStruct ? "struct " : "enum ") + definition.str() + "(", separator;
  if (isStruct)
    for (const auto &[name, type, offset] : definition.fields())
      text += std::exchange(separator, ", ") + name + ": " + type.str();
  else
    for (const auto &[name, value] : definition.members())
      text += std::exchange(separator, ", ") + name + " = " + std::to_string(value);
  return text + ") ";
}

} // namespace

Signature Signature::parse(std::string_view text) {
  Reader reader(text);
  Signature result;
  while (std::optional<ElementType> definition = reader.definition())
    result.definitions.push_back(*definition);
  if (reader.take("#[gpu(block: [")) {
    do
      result.fixedBlock.push_back(reader.extent());
    while (result.fixedBlock.size() < 3 && reader.take(","));
    reader.expect("])]");
  }
  result.kernel = reader.identifier();
  reader.expect("(");
  if (!reader.take(")")) {
    do {
      const bool isAlias = reader.take("#[alias]");
      std::string name = reader.identifier();
      if (result.indexOf(name))
        reader.fail("a name not used before");
      reader.expect(":");
      result.params.push_back({std::move(name), reader.type(), isAlias});
    } while (reader.take(","));
    reader.expect(")");
  }
  if (reader.takeWord("unchecked")) {
    if (!reader.takeWord("if"))
      reader.fail("'if'");
    result.compiled = std::make_shared<detail::LaunchContract>(reader, result.params);
  }
  reader.end();
  return result;
}

const std::string &Signature::contract() const {
  static const std::string none;
  return compiled ? compiled->str() : none;
}

Signature Signature::withoutContract() const {
  Signature result = *this;
  result.compiled = nullptr;
  return result;
}

std::optional<std::size_t> Signature::indexOf(std::string_view name) const {
  for (std::size_t i = 0; i < params.size(); ++i)
    if (params[i].name == name)
      return i;
  return std::nullopt;
}

std::string Signature::str() const {
  std::string text;
  for (const ElementType &definition : definitions)
    text += textOf(definition);
  text += prototype();
  return compiled ? text + " unchecked if " + contract() : text;
}

std::string Signature::prototype() const {
  std::string text;
  for (std::int64_t extent : fixedBlock)
    text += (text.empty() ? "#[gpu(block: [" : ", ") + std::to_string(extent);
  text += (text.empty() ? "" : "])] ") + kernel + "(";
  for (std::size_t i = 0; i < params.size(); ++i)
    text += std::string(i ? ", " : "") + (params[i].isAlias ? "#[alias] " : "") + params[i].name +
            ": " + params[i].type.str();
  return text + ")";
}

} // namespace spl
