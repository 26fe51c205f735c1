// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compile-time checks of the arguments of a launch. If no kernel parameter can have the C++ type
/// of an argument, one static_assert fails. Its message says which argument it is, why the type is
/// not accepted and what to pass instead. The launch itself checks whether an argument fits its
/// parameter. This file has no code that runs.
#ifndef SPL_ARGUMENTCHECKS_H
#define SPL_ARGUMENTCHECKS_H

#include <spl/Cxx20.h>

#include <spl/ElementType.h>

#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace spl {

class Buffer;
class Stream;
struct Argument;

namespace detail {

template <typename T>
inline constexpr bool isCharacter =
    isAnyOf<std::remove_cv_t<T>, char, wchar_t, char8_t, char16_t, char32_t>;

/// A character, a string literal, a C string or one of the standard library's strings.
template <typename T> inline constexpr bool isText = isCharacter<T>;
template <typename T> inline constexpr bool isText<T *> = isCharacter<T>;
template <typename T, std::size_t N> inline constexpr bool isText<T[N]> = isCharacter<T>;
template <typename T, typename Traits, typename Allocator>
inline constexpr bool isText<std::basic_string<T, Traits, Allocator>> = true;
template <typename T, typename Traits>
inline constexpr bool isText<std::basic_string_view<T, Traits>> = true;

template <typename T>
concept HasElements = requires(T &range) {
  range.begin();
  range.end();
};

/// Whether dereferencing a T yields a device array, as for Array<float> * and
/// std::optional<Array<float>>.
template <typename T> inline constexpr bool leadsToArray = false;
template <typename T>
  requires requires(T &value) {
    { *value } -> std::convertible_to<const Buffer &>;
  }
inline constexpr bool leadsToArray<T> = true;

/// Why a type cannot be an argument.
enum class ArgumentError {
  IndirectArray,
  Text,
  Stream,
  CArray,
  Container,
  Pointer,
  Enum,
  Function,
  Optional,
  Class,
  Number,
};

/// Returns why a T cannot be an argument. T must be a type that no launch accepts, without a
/// reference and qualifiers.
template <typename T> constexpr ArgumentError argumentError() {
  using enum ArgumentError;
  if constexpr (leadsToArray<T>)
    return IndirectArray;
  else if constexpr (isText<T>)
    return Text;
  else if constexpr (std::same_as<T, spl::Stream>)
    return ArgumentError::Stream;
  else if constexpr (std::is_array_v<T>)
    return CArray;
  else if constexpr (HasElements<T>)
    return Container;
  else if constexpr (std::is_function_v<T> || isClosure<T>)
    return Function;
  else if constexpr (std::is_pointer_v<T> || std::is_null_pointer_v<T> ||
                     std::is_member_pointer_v<T>)
    return Pointer;
  else if constexpr (std::is_enum_v<T>)
    return Enum;
  else if constexpr (isOptional<T>)
    return Optional;
  else if constexpr (std::is_class_v<T> || std::is_union_v<T>)
    return Class;
  else
    return Number;
}

// The messages. A static_assert needs one string literal, so each position has its own text.
#define SPL_ARGUMENT_ERRORS(ROW, WHICH)                                                            \
  ROW(WHICH, IndirectArray,                                                                        \
      "is a pointer to an array, or an optional one; pass the array itself: *argument")            \
  ROW(WHICH, Text,                                                                                 \
      "is text or a character, which kernels do not have; pass a number such as std::uint8_t, "    \
      "and a name together with its value: spl::Argument(\"alpha\", 2.0f)")                        \
  ROW(WHICH, Stream, "is a stream; pass it before the kernel, to launchAsync")                     \
  ROW(WHICH, CArray,                                                                               \
      "is a C array; for a slice pass an spl::Array, such as context.allocUpload(values); for an " \
      "array or a vector of the language pass a std::array")                                       \
  ROW(WHICH, Container,                                                                            \
      "is a container or a range of the host; pass an spl::Array, such as "                        \
      "context.allocUpload(values)")                                                               \
  ROW(WHICH, Pointer,                                                                              \
      "is a pointer; pass an spl::Array: context.allocUpload(values) for values of the host, "     \
      "spl::Array<T>::borrow for memory of the device")                                            \
  ROW(WHICH, Enum,                                                                                 \
      "is an enum over another type than std::int32_t; declare it 'enum E : std::int32_t', or "    \
      "cast it to the parameter's number type")                                                    \
  ROW(WHICH, Function,                                                                             \
      "is a function or a lambda; pass an spl::Array or the value that it returns")                \
  ROW(WHICH, Optional, "is a std::optional; pass its value: *argument")                            \
  ROW(WHICH, Class,                                                                                \
      "is of a class that is not trivially copyable; pass a struct of plain data with the fields " \
      "of the parameter, a number, or an spl::Array; for a struct of arrays write "                \
      "SPL_FIELDS(field, ...) in the class")                                                       \
  ROW(WHICH, Number,                                                                               \
      "is of a type that kernels do not have; pass a bool, an integer of 8 to 64 bits, spl::f16, " \
      "spl::bf16, float or double")

/// False for every type. refuseArgument passes it to each static_assert, because compilers print
/// its name when the static_assert fails.
template <typename T> inline constexpr bool isLaunchArgument = false;

/// Never compiles. The error says why a T at \p Position cannot be an argument. Positions count
/// from 1. Position 0 means that the T is the value of an Argument.
template <std::size_t Position, typename T> constexpr void refuseArgument() {
  constexpr ArgumentError error = argumentError<T>();
#define SPL_REFUSE(WHICH, NAME, TEXT)                                                              \
  if constexpr (error == ArgumentError::NAME)                                                      \
    static_assert(isLaunchArgument<T>, WHICH " " TEXT);
#define SPL_REFUSE_AT(NUMBER)                                                                      \
  if constexpr (Position == NUMBER) {                                                              \
    SPL_ARGUMENT_ERRORS(SPL_REFUSE, "argument " #NUMBER " of the kernel")                          \
  } else
  SPL_REFUSE_AT(1)
  SPL_REFUSE_AT(2)
  SPL_REFUSE_AT(3)
  SPL_REFUSE_AT(4)
  SPL_REFUSE_AT(5)
  SPL_REFUSE_AT(6)
  SPL_REFUSE_AT(7)
  SPL_REFUSE_AT(8)
  SPL_REFUSE_AT(9)
  SPL_REFUSE_AT(10)
  SPL_REFUSE_AT(11)
  SPL_REFUSE_AT(12)
  SPL_REFUSE_AT(13)
  SPL_REFUSE_AT(14)
  SPL_REFUSE_AT(15)
  SPL_REFUSE_AT(16)
  if constexpr (Position > 16) {
    SPL_ARGUMENT_ERRORS(SPL_REFUSE, "an argument of the kernel after the 16th")
  } else {
    SPL_ARGUMENT_ERRORS(SPL_REFUSE, "the value of this spl::Argument")
  }
#undef SPL_REFUSE_AT
#undef SPL_REFUSE
}
#undef SPL_ARGUMENT_ERRORS

/// Whether a launch accepts a T as an argument of some parameter.
template <typename T>
concept LaunchArgument = std::constructible_from<Argument, T>;

/// Does not compile unless a launch accepts each of \p Args.
template <typename... Args> constexpr void requireArguments() {
  [&]<std::size_t... Index>(std::index_sequence<Index...>) {
    (
        [&] {
          if constexpr (!LaunchArgument<Args>)
            refuseArgument<Index + 1, std::remove_cvref_t<Args>>();
        }(),
        ...);
  }(std::index_sequence_for<Args...>());
}

/// True if \p Args are the arguments one by one, and not one list that was built at run time.
template <typename... Args>
concept SeparateArguments =
    sizeof...(Args) != 1 || !(std::convertible_to<Args, std::span<const Argument>> && ...);

} // namespace detail
} // namespace spl

#endif
