// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every function of the C interface does around its call of the C++ one: exceptions become
// statuses and this thread's last failure; arguments are there; functions of C are called back.
#ifndef SPL_RUNTIME_C_CALLS_H
#define SPL_RUNTIME_C_CALLS_H

#include "runtime/system/Checks.h"
#include "spl/Error.h"
#include "spl/c/types.h"

#include <cstddef>
#include <cstdint>
#include <cxxabi.h>
#include <iterator>
#include <span>
#include <string>
#include <unistd.h>
#include <utility>

namespace spl::capi {

/// Keeps the exception that is being handled as this thread's last failure, and returns its status.
spl_status keepFailure() noexcept;

/// Runs \p body, whose exceptions become the status.
template <typename Body> spl_status call(Body &&body) noexcept {
  try {
    body();
    return SPL_OK;
  } catch (...) {
    return keepFailure();
  }
}

using detail::refuse;

/// Throws InvalidArgument with the name of the parameter where its pointer is null.
template <typename T> T *given(T *pointer, const char *name) {
  if (!pointer)
    refuse(std::string("'") + name + "' is null");
  return pointer;
}

/// The \p count things at \p pointer, which is null only if there are none.
template <typename T> std::span<T> listOf(T *pointer, std::size_t count, const char *name) {
  if (count == 0)
    return {};
  return {given(pointer, name), count};
}

/// The thing at \p index of \p list, whose things are called \p what.
template <typename List, typename Index>
const auto &at(const List &list, Index index, const char *what) {
  if (std::cmp_less(index, 0) || std::cmp_greater_equal(index, std::size(list)))
    refuse("'index' is " + std::to_string(index) + ", and there are " +
           std::to_string(std::size(list)) + " " + what);
  return list[static_cast<std::size_t>(index)];
}

/// How often calls failed in this thread, and what throws for a status after that.
std::uint64_t failureCount() noexcept;
[[noreturn]] void throwAnswer(const char *who, spl_status status, std::uint64_t failuresBefore);

/// Runs \p function, one of the program's. A language that ends its threads by force when it ends
/// (Python does, by pthread_exit) must not unwind the runtime, which would have to let it: such a
/// thread stays here until the process is gone.
template <typename Function> auto enter(Function &&function) {
  try {
    return function();
  } catch (const ::abi::__forced_unwind &) {
    for (;;)
      pause();
  }
}

/// A function of C, or null, that takes back what was given to a call; not where that call fails,
/// so it is armed by what the call does last.
class CReleaseFunction {
public:
  CReleaseFunction(void (*function)(void *), void *user) : function(function), user(user) {}

  void arm() { isArmed = true; }
  void call() const {
    if (isArmed && function)
      enter([&] { function(user); });
  }

private:
  void (*const function)(void *);
  void *const user;
  bool isArmed = false;
};

/// Runs \p function, a function of C that returns a status, and throws where that is no SPL_OK:
/// what failed in this thread meanwhile where it returns that, else an error that names \p who.
template <typename Function> void callBack(const char *who, Function &&function) {
  const std::uint64_t before = failureCount();
  if (const spl_status status = enter(function); status != SPL_OK)
    throwAnswer(who, status, before);
}

} // namespace spl::capi

#endif
