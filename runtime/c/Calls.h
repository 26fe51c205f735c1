// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for every function of the C interface. They convert exceptions to statuses and to the
// thread's last error, check pointers, and call functions of the program.
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

/// Keeps the exception that is being handled as this thread's last error, and returns its status.
spl_status keepFailure() noexcept;

/// Runs \p body. An exception of \p body is kept, and its status is returned.
template <typename Body> spl_status call(Body &&body) noexcept {
  try {
    body();
    return SPL_OK;
  } catch (...) {
    return keepFailure();
  }
}

using detail::refuse;

/// Returns \p pointer. Throws InvalidArgument with the parameter's \p name if it is null.
template <typename T> T *requirePointer(T *pointer, const char *name) {
  if (!pointer)
    refuse(std::string("'") + name + "' is null");
  return pointer;
}

/// Returns the list of \p count objects at \p pointer. Throws InvalidArgument if \p pointer is null
/// and \p count is not 0.
template <typename T> std::span<T> listOf(T *pointer, std::size_t count, const char *name) {
  if (count == 0)
    return {};
  return {requirePointer(pointer, name), count};
}

/// Returns the element of \p list at \p index. Throws InvalidArgument if there is none. \p what is
/// the plural of the elements' name in the message.
template <typename List, typename Index>
const auto &at(const List &list, Index index, const char *what) {
  if (std::cmp_less(index, 0) || std::cmp_greater_equal(index, std::size(list)))
    refuse("'index' is " + std::to_string(index) + ", and there are " +
           std::to_string(std::size(list)) + " " + what);
  return list[static_cast<std::size_t>(index)];
}

/// failureCount returns the number of failed calls in this thread. throwStatus throws the error for
/// the status that a function of the program returned; see callBack.
std::uint64_t failureCount() noexcept;
[[noreturn]] void throwStatus(const char *who, spl_status status, std::uint64_t failuresBefore);

/// Runs \p function, a function of the program. An interpreter may end its threads by force when
/// the process exits; Python calls pthread_exit. Such a thread must not unwind the runtime's
/// frames, so it waits here until the process has ended.
template <typename Function> auto enter(Function &&function) {
  try {
    return function();
  } catch (const ::abi::__forced_unwind &) {
    for (;;)
      pause();
  }
}

/// The release function of an object that a caller lends to the runtime; may be null. It is not
/// called if the call that borrows the object fails. Therefore that call arms it as its last step.
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

/// Runs \p function, a C function that returns a status. If the status is not SPL_OK, throws. If a
/// call failed in this thread meanwhile with the same status, throws that call's error. Otherwise
/// throws an error that names \p who.
template <typename Function> void callBack(const char *who, Function &&function) {
  const std::uint64_t before = failureCount();
  if (const spl_status status = enter(function); status != SPL_OK)
    throwStatus(who, status, before);
}

} // namespace spl::capi

#endif
