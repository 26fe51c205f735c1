// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A helper for tests of calls that may throw an Error.
#pragma once

#include <functional>
#include <optional>
#include <spl/Error.h>

namespace spl::test {

/// The Error that \p call throws, or nothing.
inline std::optional<Error> errorOf(const std::function<void()> &call) {
  try {
    call();
    return std::nullopt;
  } catch (const Error &error) {
    return error;
  }
}

} // namespace spl::test
