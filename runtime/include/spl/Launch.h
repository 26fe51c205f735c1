// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The geometry and the arguments of a launch. Both are short-lived values. An Argument may refer
/// to a buffer and must not outlive it. Only one thread at a time may use an object.
#ifndef SPL_LAUNCH_H
#define SPL_LAUNCH_H

#include <spl/Cxx20.h>

#include <spl/ArgumentChecks.h>
#include <spl/Array.h>
#include <spl/ElementType.h>
#include <spl/Fields.h>
#include <spl/Shape.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

namespace spl {

/// The geometry of a launch: {.global = {n}, .local = {256}}.
struct LaunchConfig {
  /// The number of work-items along x, y and z. Must be set. Each extent is rounded up to whole
  /// groups, so some work-items have ids beyond it. A launch with an extent of 0 succeeds and runs
  /// nothing.
  Dims global = {};

  /// The number of work-items of a group along x, y and z. The default is 256, 16 x 16 or 8 x 8 x 4
  /// for one, two or three axes of global.
  Dims local = {};

  /// Bytes of shared memory in addition to what the kernel declares.
  std::int64_t shared = 0;

  /// How long the kernel may run, measured from its start in the stream. 0 means no limit. A kernel
  /// that runs longer ends in the loop that it executes, with a KernelFault of kind TimeLimit. Its
  /// earlier stores remain. Only the CPU can end a kernel, and the kernel must be interruptible
  /// (jit::Options::interruptible). Other launches with a limit throw UnsupportedOnTarget. A
  /// negative limit throws InvalidArgument.
  std::chrono::milliseconds timeLimit{0};
};

/// Why a launch runs with lifted checks: the first condition of the launch contract that it does
/// not meet. For people; the texts may change.
struct UnmetContract {
  std::string condition; ///< "gpu.global_size(0) <= a.len()"
  std::string values;    ///< of the launch: "gpu.global_size(0) = 1024, a.len() = 1000"
  /// Values that would meet it, each if the others stay: "gpu.global_size(0) = 768, or a.len() =
  /// 1024". Empty if no single one is found.
  std::string remedy;
  /// Whether the contract selects the version with all checks. Otherwise the launch meets all
  /// groups of conditions but one, and the contract selects the version with the lifted checks that
  /// need that group.
  bool allChecks = true;
};

/// The bytes of a value. Small values are stored in the object, so that a launch with them
/// allocates no memory.
class ValueBytes {
public:
  ValueBytes() = default;
  ValueBytes(std::span<const std::byte> bytes) : count(bytes.size()) {
    if (count > inPlace.size())
      large.assign(bytes.begin(), bytes.end());
    else
      std::copy(bytes.begin(), bytes.end(), inPlace.begin());
  }
  ValueBytes(const std::vector<std::byte> &bytes) : ValueBytes(std::span(bytes)) {}

  std::byte *data() { return count > inPlace.size() ? large.data() : inPlace.data(); }
  const std::byte *data() const { return count > inPlace.size() ? large.data() : inPlace.data(); }
  std::size_t size() const { return count; }
  const std::byte *begin() const { return data(); }
  const std::byte *end() const { return data() + count; }

private:
  std::size_t count = 0;
  std::array<std::byte, 64> inPlace{};
  std::vector<std::byte> large;
};

/// A value whose type is known at run time.
struct Value {
  ElementType type = ScalarType::I64;
  ValueBytes bytes; ///< type.size() bytes, as in memory

  Value() = default;
  Value(ElementType type, ValueBytes bytes) : type(std::move(type)), bytes(std::move(bytes)) {}
  template <DeviceElement T>
  explicit Value(const T &value)
      : type(elementTypeOf<T>()), bytes(std::as_bytes(std::span(&value, 1))) {}
};

/// A reference to a buffer that is an argument.
struct BufferUse {
  const Buffer *buffer = nullptr;
  bool writable = false; ///< whether a &mut parameter may take it
};

/// One argument of a launch. An argument with a name is for the parameter of that name. An argument
/// without a name is for the parameter at its position. Either all arguments of a launch have names
/// or none has.
struct Argument {
  std::string name;
  /// A value, a buffer, or the parts of a struct or an array with slices. The name of a part is
  /// that of a field, or "[0]" for an element.
  std::variant<Value, BufferUse, std::vector<Argument>> value;

  template <DeviceElement T>
    requires(!detail::HasParts<T>)
  Argument(const T &value) : value(Value(value)) {}
  template <DeviceElement T>
    requires(!detail::HasParts<T>)
  Argument(std::string name, const T &value) : name(std::move(name)), value(Value(value)) {}

  /// A struct with SPL_FIELDS (Fields.h), or a std::array of arrays.
  template <typename T>
    requires detail::HasParts<std::remove_reference_t<T>>
  Argument(T &&whole) : value(partsOf(whole)) {}
  template <typename T>
    requires detail::HasParts<std::remove_reference_t<T>>
  Argument(std::string name, T &&whole) : name(std::move(name)), value(partsOf(whole)) {}

  Argument(Value value) : value(std::move(value)) {}
  Argument(std::string name, Value value) : name(std::move(name)), value(std::move(value)) {}

  Argument(Buffer &buffer) : value(BufferUse{&buffer, true}) {}
  Argument(Buffer &&buffer) : Argument(buffer) {} ///< such as a temporary view
  Argument(const Buffer &buffer) : value(BufferUse{&buffer, false}) {}
  Argument(std::string name, Buffer &buffer)
      : name(std::move(name)), value(BufferUse{&buffer, true}) {}
  Argument(std::string name, Buffer &&buffer) : Argument(std::move(name), buffer) {}
  Argument(std::string name, const Buffer &buffer)
      : name(std::move(name)), value(BufferUse{&buffer, false}) {}

  /// Never compiles. The error says what to pass instead.
  template <typename T>
    requires(!detail::LaunchArgument<T>)
  Argument(std::string, T &&) {
    detail::refuseArgument<0, std::remove_cvref_t<T>>();
  }

private:
  template <typename T> static std::vector<Argument> partsOf(T &whole) {
    std::vector<Argument> parts;
    if constexpr (detail::HasFields<T>)
      detail::forEachField(whole, [&](std::string_view field, auto &part) {
        parts.emplace_back(std::string(field), part);
      });
    else
      for (auto &part : whole)
        parts.emplace_back("[" + std::to_string(parts.size()) + "]", detail::partOf(part));
    return parts;
  }
};

namespace detail {

/// Calls \p use with \p args as a list of arguments. Does not compile if one of them cannot be an
/// argument. The error says which one it is and what to pass instead.
template <typename Use, typename... Args> auto withArguments(const Use &use, Args &&...args) {
  using Result = std::invoke_result_t<Use, std::span<const Argument>>;
  if constexpr ((LaunchArgument<Args &&> && ...)) {
    const std::initializer_list<Argument> list = {Argument(std::forward<Args>(args))...};
    return use(std::span<const Argument>(list.begin(), list.size()));
  } else {
    requireArguments<Args &&...>();
    return Result();
  }
}

} // namespace detail

} // namespace spl

#endif
