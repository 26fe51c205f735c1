// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Compile-time checks of the arguments of a launch. A C++ type that no kernel parameter can have
/// is one error, a static_assert that says which argument it is, what is wrong with it and what to
/// pass instead. Whether an argument fits its parameter is checked when the launch runs. Nothing
/// here runs, in no thread.
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

/// Whether a T leads to an array of the device: Array<float> *, std::optional<Array<float>>.
template <typename T> inline constexpr bool leadsToArray = false;
template <typename T>
  requires requires(T &value) {
    { *value } -> std::convertible_to<const Buffer &>;
  }
inline constexpr bool leadsToArray<T> = true;

/// Why a type cannot be an argument.
enum class ArgumentMistake {
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

/// Of a type without references and qualifiers that is no argument.
template <typename T> constexpr ArgumentMistake argumentMistake() {
  using enum ArgumentMistake;
  if constexpr (leadsToArray<T>)
    return IndirectArray;
  else if constexpr (isText<T>)
    return Text;
  else if constexpr (std::same_as<T, spl::Stream>)
    return ArgumentMistake::Stream;
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

// The messages. The text of a static_assert is one literal, so there is one for each position.
#define SPL_ARGUMENT_MISTAKES(ROW, WHICH)                                                          \
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
      "is of a class that memcpy may not copy; pass a trivially copyable struct with the fields "  \
      "of the parameter, a number, or an spl::Array")                                              \
  ROW(WHICH, Number,                                                                               \
      "is of a type that kernels do not have; pass a bool, an integer of 8 to 64 bits, spl::f16, " \
      "spl::bf16, float or double")

/// False for every type: what a static_assert that must fail says of it.
template <typename T> inline constexpr bool isLaunchArgument = false;

/// Does not compile: says what is wrong with a T at \p Position, from 1, or 0 for the value of an
/// Argument.
template <std::size_t Position, typename T> constexpr void refuseArgument() {
  constexpr ArgumentMistake mistake = argumentMistake<T>();
#define SPL_REFUSE(WHICH, NAME, TEXT)                                                              \
  if constexpr (mistake == ArgumentMistake::NAME)                                                  \
    static_assert(isLaunchArgument<T>, WHICH " " TEXT);
#define SPL_REFUSE_AT(NUMBER)                                                                      \
  if constexpr (Position == NUMBER) {                                                              \
    SPL_ARGUMENT_MISTAKES(SPL_REFUSE, "argument " #NUMBER " of the kernel")                        \
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
    SPL_ARGUMENT_MISTAKES(SPL_REFUSE, "an argument of the kernel after the 16th")
  } else {
    SPL_ARGUMENT_MISTAKES(SPL_REFUSE, "the value of this spl::Argument")
  }
#undef SPL_REFUSE_AT
#undef SPL_REFUSE
}
#undef SPL_ARGUMENT_MISTAKES

/// Whether a launch takes a T at all.
template <typename T>
concept LaunchArgument = std::constructible_from<Argument, T>;

/// Does not compile unless a launch takes each of \p Args.
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

/// Not the one list of arguments that were collected at run time.
template <typename... Args>
concept SeparateArguments =
    sizeof...(Args) != 1 || !(std::convertible_to<Args, std::span<const Argument>> && ...);

} // namespace detail
} // namespace spl

#endif
