// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Catching spl::Error in tests.
#pragma once

#include <spl/Error.h>

#include <gtest/gtest.h>

namespace spl::test {

/// The Error that \p call throws; a failure of the test if it throws none.
template <typename Call> Error thrownBy(Call call) {
  try {
    call();
  } catch (const Error &error) {
    return error;
  }
  ADD_FAILURE() << "nothing was thrown";
  return Error({.message = "nothing was thrown"});
}

/// What thrownBy's Error says.
template <typename Call> std::string textOf(Call call) { return thrownBy(call).what(); }

} // namespace spl::test
