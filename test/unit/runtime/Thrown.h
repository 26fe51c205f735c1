// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Helpers for tests of exceptions.
#pragma once

#include <spl/Error.h>

#include <gtest/gtest.h>

namespace spl::test {

/// Returns the Error that \p call throws. Fails the test if it throws none.
template <typename Call> Error thrownBy(Call call) {
  try {
    call();
  } catch (const Error &error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error({.message = "nothing was thrown"});
}

/// The message of the Error that \p call throws.
template <typename Call> std::string textOf(Call call) { return thrownBy(call).what(); }

} // namespace spl::test
