// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls a function of the C interface with one wrong argument at a time, for each of its parameters
// and each kind of wrong argument. Also calls it with correct arguments only, which proves that the
// wrong argument is what fails. Example:
//
//   misuse(spl_array_upload, fixture.handle("array"), pointer("source", data), any(bytes));
//
// test/capi/every-function.py checks that no function is missing.
#pragma once

#include "test/capi/Fixture.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <optional>
#include <random>
#include <tuple>
#include <type_traits>
#include <utility>

namespace spl::capi::test {

/// A parameter: a correct argument, and wrong arguments with their errors.
template <typename T> struct Parameter {
  struct Wrong {
    T value;
    spl_status status;
    std::string says; ///< a part of the message
  };
  std::function<T()> right;
  std::vector<Wrong> wrong = {};
  std::function<void(bool succeeded)> check = [](bool) {}; ///< called after each call
};

/// A parameter for which no argument is wrong.
template <typename T> auto any(T value) {
  return Parameter<T>{[=] { return value; }};
}

/// A parameter with wrong arguments, each with a part of the message of its error. The call must
/// fail with status for all of them.
template <typename T>
auto value(T right, std::vector<std::pair<T, std::string>> wrong,
           spl_status status = SPL_INVALID_ARGUMENT) {
  Parameter<T> result{[=] { return right; }};
  for (auto &[value, says] : wrong)
    result.wrong.push_back({value, status, says});
  return result;
}

/// A pointer that must not be null.
template <typename T> auto pointer(const std::string &name, T *right) {
  return value<T *>(right, {{nullptr, "'" + name + "' is null"}});
}

/// A pointer to a result. It must not be null. The function writes the result only if it succeeds.
template <typename T> auto result(const std::string &name, std::function<void(T)> finish = {}) {
  auto storage = std::make_shared<T>();
  Parameter<T *> parameter = pointer(name, storage.get());
  parameter.right = [storage] {
    std::memset(storage.get(), 0x5a, sizeof(T));
    return storage.get();
  };
  parameter.check = [storage, finish](bool succeeded) {
    T untouched;
    std::memset(&untouched, 0x5a, sizeof(T));
    EXPECT_EQ(std::memcmp(storage.get(), &untouched, sizeof(T)) != 0, succeeded);
    if (succeeded && finish)
      finish(*storage);
  };
  return parameter;
}

/// A pointer to a new handle of \p kind.
inline auto made(const std::string &kind, const std::string &parameter) {
  return result<std::uint64_t>(
      parameter, [=](std::uint64_t handle) { expectOk(Fixture::free(kind, handle)); });
}
inline auto made(const std::string &kind) { return made(kind, kind); }

/// A handle of \p kind. Wrong arguments are 0, other numbers, handles of other kinds, and a freed
/// handle.
inline auto handle(const Fixture &fixture, const std::string &kind,
                   std::optional<std::function<std::uint64_t()>> right = std::nullopt) {
  const std::string article = kind == "array" || kind == "event" ? "an " : "a ";
  Parameter<std::uint64_t> parameter{right.value_or([&fixture, kind] { return fixture[kind]; })};
  auto add = [&](std::uint64_t value, const std::string &says) {
    parameter.wrong.push_back({value, SPL_INVALID_HANDLE, says});
  };
  add(0, "expected " + article + kind + ", got the handle 0");
  for (const std::string &other : kinds())
    if (other != kind)
      add(fixture[other], "expected " + article + kind + ", got the " + other + " handle 0x");
  const std::uint64_t stale = fixture.make(kind);
  expectOk(Fixture::free(kind, stale));
  add(stale, "the " + kind + " handle 0x");
  // A number that may become a handle later.
  add(fixture[kind] + (std::uint64_t{1} << 32), "which is no handle");
  add(~std::uint64_t{0}, "which is no handle");
  static std::mt19937_64 random(7);
  for (int i = 0; i < 50; ++i)
    add(random(), "expected ");
  return parameter;
}

/// A handle for a function that frees it. Each call gets a new handle.
inline auto ended(const Fixture &fixture, const std::string &kind) {
  auto fresh = std::make_shared<std::uint64_t>(0);
  auto parameter = handle(fixture, kind, [=, &fixture] { return *fresh = fixture.make(kind); });
  parameter.check = [=](bool succeeded) {
    EXPECT_EQ(Fixture::free(kind, *fresh), succeeded ? SPL_INVALID_HANDLE : SPL_OK);
  };
  return parameter;
}

/// Described at the head of the file. \p call returns a status.
template <typename Call, typename... Ts>
void misuseAs(const char *name, Call &&call, const Parameter<Ts> &...parameters) {
  SCOPED_TRACE(name);
  const std::tuple<const Parameter<Ts> &...> all(parameters...);
  auto run = [&](auto replace, spl_status expected, const std::string &says) {
    const std::size_t before = spl_handle_count();
    std::tuple<Ts...> arguments{parameters.right()...};
    replace(arguments);
    const spl_status status = std::apply(call, arguments);
    EXPECT_EQ(status, expected) << spl_last_error();
    if (expected != SPL_OK) {
      EXPECT_NE(std::string(spl_last_error()).find(says), std::string::npos)
          << "'" << spl_last_error() << "' does not say '" << says << "'";
    }
    (parameters.check(status == SPL_OK), ...);
    EXPECT_EQ(spl_handle_count(), before) << "a handle was left";
  };
  auto wrongAt = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    for (const auto &wrong : std::get<I>(all).wrong) {
      SCOPED_TRACE("parameter " + std::to_string(I) + ": " + wrong.says);
      run([&](auto &arguments) { std::get<I>(arguments) = wrong.value; }, wrong.status, wrong.says);
    }
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (wrongAt(std::integral_constant<std::size_t, I>()), ...);
  }(std::index_sequence_for<Ts...>());
  run([](auto &) {}, SPL_OK, "");
}

#define misuse(FUNCTION, ...) misuseAs(#FUNCTION, FUNCTION, __VA_ARGS__)

} // namespace spl::capi::test
