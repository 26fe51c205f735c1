// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Signature.h"

#include "runtime/core/Names.h"
#include "spl/Error.h"

namespace spl {

std::string_view toString(ScalarType type) {
  switch (type) {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE)                                                          \
  case ScalarType::NAME:                                                                           \
    return TEXT;
#include "spl/ScalarTypes.def"
  }
  return "unknown";
}

std::size_t sizeOf(ScalarType type) {
  switch (type) {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE)                                                          \
  case ScalarType::NAME:                                                                           \
    return sizeof(TYPE);
#include "spl/ScalarTypes.def"
  }
  return 0;
}

std::optional<ScalarType> scalarTypeNamed(std::string_view name) {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE)                                                          \
  if (name == TEXT)                                                                                \
    return ScalarType::NAME;
#include "spl/ScalarTypes.def"
  return std::nullopt;
}

std::string ParameterType::str() const {
  std::string text(toString(element));
  if (!isSlice())
    return text;
  if (rank > 1)
    text += ", " + std::to_string(rank);
  return (isMutable ? "&mut [" : "&[") + text + "]";
}

namespace {

/// Reads a signature from left to right; each function takes what it is named after or throws.
class Reader {
public:
  explicit Reader(std::string_view text) : text(text) {}

  std::string identifier() {
    skipSpace();
    std::size_t begin = at;
    while (at < text.size() && isWordByte(text[at], at == begin))
      ++at;
    if (at == begin)
      fail("a name");
    return std::string(text.substr(begin, at - begin));
  }

  bool take(std::string_view token) {
    skipSpace();
    if (!text.substr(at).starts_with(token))
      return false;
    at += token.size();
    return true;
  }

  void expect(std::string_view token) {
    if (!take(token))
      fail("'" + std::string(token) + "'");
  }

  ParameterType type() {
    ParameterType result;
    if (!take("&")) {
      result.element = scalar();
      return result;
    }
    result.rank = 1;
    if (!take("[")) {
      if (std::size_t begin = at; identifier() != "mut") {
        at = begin;
        fail("'mut' or '['");
      }
      result.isMutable = true;
      expect("[");
    }
    result.element = scalar();
    if (take(","))
      result.rank = rank();
    expect("]");
    return result;
  }

  /// An extent of a group.
  std::int64_t extent() {
    skipSpace();
    std::int64_t value = 0;
    const std::size_t begin = at;
    while (at < text.size() && text[at] >= '0' && text[at] <= '9' && value <= maxExtent)
      value = value * 10 + (text[at++] - '0');
    if (at == begin || value < 1 || value > maxExtent)
      fail("a number from 1 to 1024");
    return value;
  }

  void end() {
    skipSpace();
    if (at < text.size())
      fail("the end");
  }

  [[noreturn]] void fail(const std::string &wanted) const {
    throw Error({.code = ErrorCode::InvalidImage,
                 .message = "the kernel signature " + detail::quoted(text) + " is malformed: " +
                            wanted + " was expected at column " + std::to_string(at + 1)});
  }

private:
  static constexpr std::int64_t maxExtent = 1024;

  static bool isWordByte(char c, bool first) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
           (!first && c >= '0' && c <= '9');
  }

  void skipSpace() {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t'))
      ++at;
  }

  ScalarType scalar() {
    skipSpace();
    std::size_t begin = at;
    if (std::optional<ScalarType> type = scalarTypeNamed(identifier()))
      return *type;
    at = begin;
    fail("a scalar type");
  }

  /// The rank after the comma; 1 is written without it.
  int rank() {
    skipSpace();
    if (at < text.size() && text[at] >= '2' && text[at] <= '4')
      return text[at++] - '0';
    fail("a rank of 2, 3 or 4");
  }

  std::string_view text;
  std::size_t at = 0;
};

} // namespace

Signature Signature::parse(std::string_view text) {
  Reader reader(text);
  Signature result;
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
  reader.end();
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
  for (std::int64_t extent : fixedBlock)
    text += (text.empty() ? "#[gpu(block: [" : ", ") + std::to_string(extent);
  text += (text.empty() ? "" : "])] ") + kernel + "(";
  for (std::size_t i = 0; i < params.size(); ++i)
    text += std::string(i ? ", " : "") + (params[i].isAlias ? "#[alias] " : "") + params[i].name +
            ": " + params[i].type.str();
  return text + ")";
}

} // namespace spl
