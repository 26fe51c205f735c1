// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/Arguments.h"

#include "runtime/launch/ArgumentParts.h"
#include "runtime/system/Names.h"
#include "spl/Error.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace spl::detail {

namespace {

/// The checks of one launch; each throws with the kernel's name.
class Binder {
public:
  Binder(const Signature &signature, const BackendContext &context)
      : signature(signature), context(context) {}

  using Ordered = std::pmr::vector<const Argument *>;

  Ordered order(std::span<const Argument> arguments, std::pmr::memory_resource *arena) const;
  void checkType(const Parameter &parameter, const Argument &argument) const;
  void checkOverlap(const Ordered &arguments) const;

private:
  [[noreturn]] void fail(const std::string &message, const std::string &hint = "") const {
    throw Error({.code = ErrorCode::InvalidArgument, .message = message, .hint = hint});
  }

  /// "parameter 'a' of vector_add".
  std::string describe(const Parameter &parameter) const {
    return "parameter '" + parameter.name + "' of " + signature.name();
  }

  /// \p given is what does not fit by its own type; a layout is shown where that tells them apart.
  [[noreturn]] void mismatch(const Parameter &parameter, const std::string &got,
                             const ElementType *given = nullptr, std::string hint = "") const {
    const ElementType &element = parameter.type.element;
    std::string layout;
    if (given && given->kind() == ElementType::Kind::Opaque && !element.isScalar()) {
      layout = " (" + layoutOf(element) + ")";
      if (given->size() == element.size() && given->align() < element.align())
        hint = "declare the class alignas(" + std::to_string(element.align()) + ")";
    } else if (given && given->str() == element.str())
      layout = " of other fields or members";
    fail(describe(parameter) + " is " + parameter.type.str() + layout + "; got " + got, hint);
  }

  static std::string layoutOf(const ElementType &type) {
    return std::to_string(type.size()) + " bytes, aligned to " + std::to_string(type.align());
  }

  /// What an argument is: "f32", "C++ class (20 bytes, aligned to 4)".
  static std::string describe(const ElementType &type) {
    return type.kind() == ElementType::Kind::Opaque ? type.str() + " (" + layoutOf(type) + ")"
                                                    : type.str();
  }

  void checkBuffer(const Parameter &parameter, const BufferUse &use) const;
  /// Makes the argument that of the parameter of that name.
  void place(const std::string &name, const Argument &argument, Ordered &result) const;
  /// \p byStruct: whether structs with slices were given as a whole.
  [[noreturn]] void wrongCount(std::size_t got, bool byStruct) const;
  std::vector<std::string> parameterNames() const;

  const Signature &signature;
  const BackendContext &context;
};

} // namespace

std::vector<std::string> Binder::parameterNames() const {
  std::vector<std::string> names;
  for (const Parameter &parameter : signature.parameters())
    names.push_back(parameter.name);
  return names;
}

void Binder::wrongCount(std::size_t got, bool byStruct) const {
  const bool isAnyPart = std::ranges::any_of(signature.parameters(), isPartOfWhole);
  const std::vector<std::string> all =
      byStruct ? wholeNames(signature.parameters()) : parameterNames();
  const std::size_t expected = all.size();
  std::string names;
  for (const std::string &name : all)
    names += (names.empty() ? " (" : ", ") + name;
  fail(signature.name() + " takes " + std::to_string(expected) +
           (expected == 1 ? " argument" : " arguments") + (names.empty() ? "" : names + ")") +
           "; got " + std::to_string(got),
       isAnyPart && !byStruct
           ? "a struct with SPL_FIELDS(field, ...) is the argument of all of its "
             "fields"
           : "");
}

/// The arguments in the order of the parameters, one each.
Binder::Ordered Binder::order(std::span<const Argument> arguments,
                              std::pmr::memory_resource *arena) const {
  const std::vector<Parameter> &parameters = signature.parameters();
  Ordered result(parameters.size(), nullptr, arena);
  std::size_t named = std::count_if(arguments.begin(), arguments.end(),
                                    [](const Argument &a) { return !a.name.empty(); });
  if (named != 0 && named != arguments.size())
    fail("launch of " + signature.name() + ": some arguments have a name and some have not",
         "name all of them or none");
  if (std::ranges::none_of(arguments, hasParts)) {
    if (named == 0 && arguments.size() != parameters.size())
      wrongCount(arguments.size(), /*byStruct=*/false);
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (named == 0)
        result[i] = &arguments[i];
      else
        place(arguments[i].name, arguments[i], result);
  } else {
    ArgumentParts parts(parameters);
    for (const Argument &argument : arguments)
      if (named != 0)
        parts.add(argument.name, argument);
      else if (!parts.addNext(argument))
        wrongCount(arguments.size(), /*byStruct=*/true);
    if (named == 0 && !parts.areAllTaken())
      wrongCount(arguments.size(), /*byStruct=*/true);
    for (const auto &[name, argument] : parts.all())
      place(name, *argument, result);
  }
  for (std::size_t i = 0; i < parameters.size(); ++i)
    if (!result[i])
      fail(describe(parameters[i]) + " is not given");
  return result;
}

void Binder::place(const std::string &name, const Argument &argument, Ordered &result) const {
  std::optional<std::size_t> index = signature.indexOf(name);
  if (!index) {
    std::vector<std::string> names = parameterNames();
    fail(signature.name() + " has no parameter " + quoted(name) + didYouMean(name, names),
         names.empty() ? "it takes no arguments" : "its parameters are " + joinNames(names));
  }
  if (result[*index])
    fail(describe(signature.parameters()[*index]) + " is given twice");
  result[*index] = &argument;
}

void Binder::checkType(const Parameter &parameter, const Argument &argument) const {
  if (const auto *use = std::get_if<BufferUse>(&argument.value))
    return checkBuffer(parameter, *use);
  const Value &value = std::get<Value>(argument.value);
  if (value.bytes.size() != value.type.size())
    fail(describe(parameter) + ": the value of " + describe(value.type) + " has " +
         std::to_string(value.bytes.size()) + " bytes");
  const bool isClass = value.type.kind() == ElementType::Kind::Opaque;
  if (parameter.type.isSlice())
    mismatch(parameter,
             (value.type.isScalar() ? "a scalar of type " : "a value of type ") +
                 describe(value.type),
             nullptr,
             isClass && isPartOfWhole(parameter)
                 ? "write SPL_FIELDS(field, ...) in the class, so that its "
                   "fields are arguments"
                 : "");
  if (!parameter.type.element.takes(value.type))
    mismatch(parameter, describe(value.type), &value.type,
             value.type.isScalar() && parameter.type.element.isScalar()
                 ? "arguments are not converted: pass a value of exactly that type"
                 : "");
}

void Binder::checkBuffer(const Parameter &parameter, const BufferUse &use) const {
  const Buffer *buffer = use.buffer;
  if (!buffer || !buffer->valid())
    fail(describe(parameter) + ": the array was moved from or freed");
  int rank = static_cast<int>(buffer->shape().rank());
  const ElementType &element = buffer->elementType();
  auto array = [&] { return "array of " + describe(element); };
  if (!parameter.type.element.takes(element))
    mismatch(parameter, "an " + array(), &element);
  if (!parameter.type.isSlice())
    mismatch(parameter, "an " + array());
  if (rank != parameter.type.rank)
    mismatch(parameter, "an " + array() + " of rank " + std::to_string(rank), nullptr,
             "reshape gives the same elements another shape");
  if (parameter.type.isMutable && (!use.writable || buffer->isReadOnly()))
    mismatch(parameter, "a read-only " + array());
  if (const BackendContext *other = buffer->context(); other != &context)
    fail(describe(parameter) + ": the array belongs to another context, on " + other->describe(),
         "allocate it in the context that launches");
}

/// Where to write #[alias], so that the two slices may overlap. Slices of one parameter have names
/// such as "grid.cells" and "grid.out".
static std::string placeOfAlias(std::string_view a, std::string_view b) {
  const std::string_view first = a.substr(0, a.find_first_of(".[")),
                         second = b.substr(0, b.find_first_of(".["));
  return first == second ? "the parameter '" + std::string(first) + "'"
                         : "one of the two parameters";
}

/// Compiled code takes it that a slice it writes shares memory with no other (`noalias`).
void Binder::checkOverlap(const Ordered &arguments) const {
  struct Range {
    std::uint64_t begin, end;
    const Parameter *parameter;
  };
  std::pmr::vector<Range> ranges(arguments.get_allocator().resource());
  ranges.reserve(arguments.size());
  for (std::size_t i = 0; i < arguments.size(); ++i) {
    const auto *use = std::get_if<BufferUse>(&arguments[i]->value);
    if (!use || use->buffer->size() == 0 || signature.parameters()[i].isAlias)
      continue;
    Range range{use->buffer->address(), use->buffer->address() + use->buffer->sizeBytes(),
                &signature.parameters()[i]};
    for (const Range &other : ranges) {
      bool written = range.parameter->type.isMutable || other.parameter->type.isMutable;
      if (!written || range.begin >= other.end || other.begin >= range.end)
        continue;
      const Parameter *first = other.parameter->type.isMutable ? other.parameter : range.parameter;
      throw Error({.code = ErrorCode::OverlappingArguments,
                   .message = "parameters '" + other.parameter->name + "' and '" +
                              range.parameter->name + "' of " + signature.name() +
                              " share memory, and '" + first->name + "' is " + first->type.str(),
                   .hint = "give the kernel a separate array for what it writes, or write "
                           "#[alias] before " +
                           placeOfAlias(other.parameter->name, range.parameter->name)});
    }
    ranges.push_back(range);
  }
}

BoundArguments::BoundArguments(const Signature &signature, std::span<const Argument> arguments,
                               const BackendContext &context) {
  Binder binder(signature, context);
  Binder::Ordered ordered = binder.order(arguments, &arena);
  for (std::size_t i = 0; i < ordered.size(); ++i)
    binder.checkType(signature.parameters()[i], *ordered[i]);
  binder.checkOverlap(ordered);

  // Each parameter begins in a slot of its own, which stay where they are once there are enough.
  auto slotsFor = [](std::size_t bytes) { return (bytes + sizeof(Slot) - 1) / sizeof(Slot); };
  std::size_t count = 0;
  for (const Argument *argument : ordered)
    if (const auto *value = std::get_if<Value>(&argument->value))
      count += slotsFor(value->bytes.size());
    else
      count += 1 + std::get<BufferUse>(argument->value).buffer->shape().rank();
  slots.resize(count);
  pointers.reserve(count);
  used.reserve(ordered.size());
  Slot *next = slots.data();
  auto append = [&](const void *bytes, std::size_t size) {
    if (size)
      std::memcpy(next, bytes, size);
    pointers.push_back(next);
    next += slotsFor(size);
  };
  for (const Argument *argument : ordered) {
    if (const auto *value = std::get_if<Value>(&argument->value)) {
      append(value->bytes.data(), value->bytes.size());
      continue;
    }
    const Buffer *buffer = std::get<BufferUse>(argument->value).buffer;
    if (buffer->allocation())
      used.push_back(buffer->allocation());
    const std::uint64_t address = buffer->address();
    append(&address, sizeof address);
    for (std::int64_t extent : buffer->shape())
      append(&extent, sizeof extent);
  }
}

OwnedArguments::OwnedArguments(const BoundArguments &bound)
    : slots(bound.storage().begin(), bound.storage().end()),
      used(bound.memory().begin(), bound.memory().end()) {
  const auto *from = reinterpret_cast<const std::byte *>(bound.storage().data());
  for (void *pointer : bound.params())
    pointers.push_back(reinterpret_cast<std::byte *>(slots.data()) +
                       (static_cast<const std::byte *>(pointer) - from));
}

} // namespace spl::detail
