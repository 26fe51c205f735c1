// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// launch-work KIND COUNT: launches a small kernel COUNT times. launch-work.py counts instructions.
#include "test/unit/runtime/launch/LaunchKinds.h"

#include <cstdio>
#include <cstdlib>

int main(int count, char **arguments) {
  if (count != 3 || !spl::test::launchKinds.contains(arguments[1])) {
    std::fputs("usage: launch-work cuda|stream|contract|c|cpu COUNT\n", stderr);
    return 2;
  }
  spl::test::useCudaLibrary(SPL_EMPTY_CUDA);
  spl::test::launchKinds.at(arguments[1])([&](const std::function<void()> &launch) {
    for (long left = std::atol(arguments[2]); left > 0; --left)
      launch();
  });
}
