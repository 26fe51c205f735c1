// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the tests of examples/: the folder, and comparisons with references in double
// precision.
#pragma once

#include "test/e2e/Harness.h"

#include <algorithm>

namespace spl::e2e {

inline Source example(const std::string &name) {
  return {std::string(SPL_EXAMPLES_FOLDER) + "/" + name};
}

/// Checks that each result differs from its reference by at most the tolerance, relative to
/// references above 1.
template <class T>
void expectNear(const std::vector<T> &actual, const std::vector<double> &expected, double tolerance,
                const char *what) {
  ASSERT_EQ(actual.size(), expected.size());
  for (std::size_t i = 0; i != actual.size(); ++i)
    if (!(std::abs(actual[i] - expected[i]) <= tolerance * std::max(1.0, std::abs(expected[i])))) {
      ADD_FAILURE() << what << ": element " << i << " is " << actual[i] << ", not " << expected[i];
      return;
    }
}

} // namespace spl::e2e
