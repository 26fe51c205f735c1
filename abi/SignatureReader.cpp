// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the text of signatures, but for launch contracts (ContractReader.h).
#include "abi/ContractReader.h"
#include "abi/Scanner.h"
#include "spl/abi/Limits.h"
#include "spl/abi/SignatureText.h"

#include <limits>
#include <utility>

namespace spl::abi {

std::string SyntaxError::str() const {
  return expected + " was expected at column " + std::to_string(column);
}

namespace {

/// Reads types and the definitions before them. Each function reads what it is named after; after
/// an error its result is of no use.
class TypeReader {
public:
  explicit TypeReader(Scanner &scanner) : scanner(scanner) {}

  /// The structs and enums that follow. Later definitions and types may use their names.
  std::vector<ElementType> definitions() {
    while (true) {
      if (scanner.takeWord("struct"))
        known.push_back(structure());
      else if (scanner.takeWord("enum"))
        known.push_back(enumeration());
      else
        return known;
    }
  }

  ParameterType type() {
    ParameterType result;
    if (!scanner.take("&")) {
      result.element = element();
      return result;
    }
    result.rank = 1;
    if (!scanner.take("[")) {
      if (!scanner.takeWord("mut"))
        scanner.fail("'mut' or '['");
      result.isMutable = true;
      scanner.expect("[");
    }
    result.element = element();
    if (scanner.take(","))
      result.rank = rank();
    scanner.expect("]");
    return result;
  }

private:
  ElementType element() {
    const std::size_t begin = scanner.position();
    if (scanner.take("["))
      return array();
    const std::string name = scanner.nameWithArguments();
    if (std::optional<ElementType> plain = plainTypeNamed(name))
      return *plain;
    for (const ElementType &type : known)
      if (type.str() == name)
        return type;
    scanner.failAt(begin, "a type");
    return ScalarType::U8;
  }

  ElementType array() {
    if (++brackets > Signature::maxTypeBrackets)
      scanner.fail("a type in fewer brackets");
    ElementType inner = element();
    --brackets;
    scanner.expect(";");
    const std::int64_t length =
        scanner.number(1, Signature::maxTypeBytes / static_cast<std::int64_t>(inner.size() + 1));
    scanner.expect("]");
    return bounded(ElementType::array(std::move(inner), length));
  }

  ElementType structure() {
    std::string name = newTypeName();
    std::vector<ElementType::Field> fields;
    std::size_t size = 0, parts = 1;
    list(fields, [&](std::string field) {
      scanner.expect(":");
      fields.push_back({std::move(field), element()});
      size += fields.back().type.size();
      parts += fields.back().type.parts();
      if (size > Signature::maxTypeBytes || parts > Signature::maxTypeParts)
        scanner.fail("a smaller struct");
    });
    return bounded(ElementType::structure(std::move(name), std::move(fields)));
  }

  ElementType enumeration() {
    using Limits = std::numeric_limits<std::int32_t>;
    std::string name = newTypeName();
    std::vector<ElementType::Member> members;
    list(members, [&](std::string member) {
      scanner.expect("=");
      const std::int64_t value = scanner.number(Limits::min(), Limits::max());
      members.push_back({std::move(member), static_cast<std::int32_t>(value)});
    });
    return ElementType::enumeration(std::move(name), std::move(members));
  }

  /// The parts of a struct or an enum in parentheses; \p read reads what follows a new name.
  template <class Parts, class Read> void list(const Parts &parts, Read read) {
    scanner.expect("(");
    if (scanner.take(")"))
      return;
    do {
      std::string name = scanner.identifier();
      for (const auto &part : parts)
        if (part.name == name)
          scanner.fail("a name not used before");
      read(std::move(name));
    } while (scanner.take(","));
    scanner.expect(")");
  }

  std::string newTypeName() {
    std::string name = scanner.nameWithArguments();
    bool isTaken = plainTypeNamed(name).has_value();
    for (const ElementType &type : known)
      isTaken |= type.str() == name;
    if (isTaken)
      scanner.fail("a name not used before");
    return name;
  }

  ElementType bounded(ElementType type) {
    if (type.parts() > Signature::maxTypeParts || type.size() > Signature::maxTypeBytes)
      scanner.fail("a smaller type");
    return type;
  }

  /// The rank after the comma; 1 is written without it.
  int rank() {
    for (int rank = 2; rank <= Signature::maxRank; ++rank)
      if (scanner.take(std::to_string(rank)))
        return rank;
    scanner.fail("a rank of 2, 3 or 4");
    return 1;
  }

  Scanner &scanner;
  int brackets = 0;               ///< open ones
  std::vector<ElementType> known; ///< the structs and enums so far
};

std::vector<std::int64_t> readBlock(Scanner &scanner) {
  std::vector<std::int64_t> block;
  if (!scanner.take("#[gpu(block: ["))
    return block;
  do
    block.push_back(scanner.number(1, maxGroupSize));
  while (block.size() < 3 && scanner.take(","));
  scanner.expect("])]");
  return block;
}

/// Whether the names are the same, or one is that of a part of the other, as "g.a" is of "g".
bool isSameOrPart(std::string_view a, std::string_view b) {
  if (a.size() > b.size())
    std::swap(a, b);
  return b.starts_with(a) && (a.size() == b.size() || b[a.size()] == '.' || b[a.size()] == '[');
}

void readParameters(Scanner &scanner, TypeReader &types, Signature &result) {
  scanner.expect("(");
  if (scanner.take(")"))
    return;
  do {
    const bool isAlias = scanner.take("#[alias]");
    std::string name = scanner.identifier();
    while (scanner.takePart(name)) {
    }
    for (const Parameter &earlier : result.parameters)
      if (isSameOrPart(earlier.name, name))
        scanner.fail("a name not used before");
    scanner.expect(":");
    result.parameters.push_back({std::move(name), types.type(), isAlias});
  } while (scanner.take(","));
  scanner.expect(")");
}

} // namespace

std::variant<Signature, SyntaxError> readSignature(std::string_view text) {
  Scanner scanner(text);
  TypeReader types(scanner);
  Signature result;
  result.takesFaultRecord = scanner.take("#[faults]");
  result.isCooperative = scanner.take("#[cooperative]");
  result.definitions = types.definitions();
  result.block = readBlock(scanner);
  result.name = scanner.nameWithArguments();
  readParameters(scanner, types, result);
  if (scanner.takeWord("unchecked")) {
    if (!scanner.takeWord("if"))
      scanner.fail("'if'");
    result.contract = readContract(scanner, result.parameters);
  }
  scanner.end();
  if (scanner.error())
    return *scanner.error();
  return result;
}

} // namespace spl::abi
