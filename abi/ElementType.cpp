// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/abi/ElementType.h"

#include "spl/abi/Limits.h"

#include <algorithm>
#include <utility>

namespace spl {

std::string_view toString(ScalarType type) {
  switch (type) {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, ...)                                                     \
  case ScalarType::NAME:                                                                           \
    return TEXT;
#include "spl/ScalarTypes.def"
  }
  return "unknown";
}

std::size_t sizeOf(ScalarType type) {
  switch (type) {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, CLASS, BITS)                                             \
  case ScalarType::NAME:                                                                           \
    return (BITS + 7) / 8;
#include "spl/ScalarTypes.def"
  }
  return 0;
}

std::optional<ScalarType> scalarTypeNamed(std::string_view name) {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, ...)                                                     \
  if (name == TEXT)                                                                                \
    return ScalarType::NAME;
#include "spl/ScalarTypes.def"
  return std::nullopt;
}

struct ElementType::Node {
  Kind kind;
  abi::Layout layout;
  std::size_t parts = 1;
  std::int64_t length = 1;
  std::string name = {};
  std::vector<Field> fields = {}; ///< for an array, one field: the element
  std::vector<Member> members = {};
};

ElementType::ElementType(ScalarType scalar, Node made)
    : scalarType(scalar), node(std::make_shared<const Node>(std::move(made))) {}

ElementType ElementType::vector(ScalarType lane, std::int64_t lanes) {
  const auto layout = abi::Layout::ofLanes(8 * sizeOf(lane), static_cast<std::uint64_t>(lanes));
  return {lane, {.kind = Kind::Vector, .layout = layout, .length = lanes}};
}

ElementType ElementType::array(ElementType element, std::int64_t length) {
  Node node{.kind = Kind::Array,
            .layout = element.layout().times(static_cast<std::uint64_t>(length)),
            .parts = element.parts() + 1,
            .length = length};
  node.fields.push_back({"", std::move(element)});
  return {ScalarType::U8, std::move(node)};
}

ElementType ElementType::structure(std::string name, std::vector<Field> fields) {
  Node node{.kind = Kind::Struct, .layout = {}, .name = std::move(name)};
  for (Field &field : fields) {
    field.offset = node.layout.append(field.type.layout());
    node.parts += field.type.parts();
  }
  node.layout = node.layout.padded();
  node.fields = std::move(fields);
  return {ScalarType::U8, std::move(node)};
}

ElementType ElementType::enumeration(std::string name, std::vector<Member> members) {
  return {ScalarType::I32,
          {.kind = Kind::Enum,
           .layout = abi::Layout::ofLanes(32),
           .name = std::move(name),
           .members = std::move(members)}};
}

ElementType ElementType::opaque(std::size_t size, std::size_t align) {
  return {ScalarType::U8, {.kind = Kind::Opaque, .layout = {size, align}}};
}

ElementType::Kind ElementType::kind() const { return node ? node->kind : Kind::Scalar; }
std::int64_t ElementType::length() const { return node ? node->length : 1; }
const ElementType &ElementType::element() const { return node->fields.front().type; }
const std::vector<ElementType::Field> &ElementType::fields() const { return node->fields; }
const std::vector<ElementType::Member> &ElementType::members() const { return node->members; }
abi::Layout ElementType::layout() const {
  return node ? node->layout : abi::Layout::ofLanes(8 * sizeOf(scalarType));
}
std::size_t ElementType::size() const { return layout().size; }
std::size_t ElementType::align() const { return layout().align; }
std::size_t ElementType::parts() const { return node ? node->parts : 1; }

std::string ElementType::str() const {
  switch (kind()) {
  case Kind::Scalar:
    return std::string(toString(scalarType));
  case Kind::Vector:
    return std::string(toString(scalarType)) + "x" + std::to_string(length());
  case Kind::Array:
    return "[" + element().str() + "; " + std::to_string(length()) + "]";
  case Kind::Struct:
  case Kind::Enum:
    return node->name;
  case Kind::Opaque:
    return "C++ class";
  }
  return "unknown";
}

bool ElementType::operator==(const ElementType &other) const {
  if (kind() != other.kind() || scalarType != other.scalarType)
    return false;
  if (node == other.node) // the same node, or both are scalars
    return true;
  auto sameField = [](const Field &a, const Field &b) {
    return a.name == b.name && a.type == b.type;
  };
  auto sameMember = [](const Member &a, const Member &b) {
    return a.name == b.name && a.value == b.value;
  };
  return size() == other.size() && align() == other.align() && node->length == other.node->length &&
         std::ranges::equal(node->fields, other.node->fields, sameField) &&
         std::ranges::equal(node->members, other.node->members, sameMember);
}

bool ElementType::isSameAs(const ElementType &other) const {
  if (*this != other || str() != other.str())
    return false;
  if (isScalar() || node == other.node)
    return true;
  return std::ranges::equal(node->fields, other.node->fields,
                            [](const Field &a, const Field &b) { return a.type.isSameAs(b.type); });
}

bool ElementType::takes(const ElementType &given) const {
  if (*this == given)
    return true;
  switch (kind()) {
  case Kind::Enum:
    return given == ScalarType::I32;
  case Kind::Vector:
    if (given.kind() == Kind::Array)
      return given.length() == length() && given.element() == scalar();
    break;
  case Kind::Array:
    if (given.kind() == Kind::Array)
      return given.length() == length() && element().takes(given.element());
    break;
  case Kind::Struct:
    break;
  case Kind::Scalar:
  case Kind::Opaque:
    return false;
  }
  return given.kind() == Kind::Opaque && given.size() == size() && given.align() == align();
}

std::optional<ScalarPart> scalarAt(const ElementType &type, std::size_t offset) {
  const auto inside = [&](const ElementType &part, std::size_t start, const std::string &step) {
    std::optional<ScalarPart> found = scalarAt(part, offset - start);
    if (found)
      found->path = step + found->path;
    return found;
  };
  switch (type.kind()) {
  case ElementType::Kind::Scalar:
  case ElementType::Kind::Enum:
    return offset == 0 ? std::optional(ScalarPart{type.scalar(), ""}) : std::nullopt;
  case ElementType::Kind::Vector:
  case ElementType::Kind::Array: {
    const ElementType element =
        type.kind() == ElementType::Kind::Array ? type.element() : type.scalar();
    if (element.size() == 0)
      return std::nullopt;
    const std::size_t index = offset / element.size();
    if (index >= static_cast<std::size_t>(type.length()))
      return std::nullopt;
    return inside(element, index * element.size(), "[" + std::to_string(index) + "]");
  }
  case ElementType::Kind::Struct:
    for (const auto &[name, field, start] : type.fields())
      if (start <= offset && offset < start + field.size())
        return inside(field, start, "." + name);
    return std::nullopt;
  case ElementType::Kind::Opaque:
    return std::nullopt;
  }
  return std::nullopt;
}

std::optional<ElementType> plainTypeNamed(std::string_view name) {
  if (std::optional<ScalarType> scalar = scalarTypeNamed(name))
    return *scalar;
  const std::size_t x = name.rfind('x');
  if (x == name.npos)
    return std::nullopt;
  const std::optional<ScalarType> lane = scalarTypeNamed(name.substr(0, x));
  for (int lanes : abi::vectorLanes)
    if (lane && *lane != ScalarType::Bool && name.substr(x + 1) == std::to_string(lanes) &&
        sizeOf(*lane) * static_cast<std::size_t>(lanes) <= abi::maxVectorBytes)
      return ElementType::vector(*lane, lanes);
  return std::nullopt;
}

} // namespace spl
