// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <sched.h>

namespace spl::test {

/// Limits this process to one processor while it exists.
class OneProcessor {
public:
  OneProcessor() {
    sched_getaffinity(0, sizeof before, &before);
    cpu_set_t one;
    CPU_ZERO(&one);
    for (int number = 0; CPU_COUNT(&one) == 0; ++number)
      if (CPU_ISSET(number, &before))
        CPU_SET(number, &one);
    sched_setaffinity(0, sizeof one, &one);
  }
  ~OneProcessor() { sched_setaffinity(0, sizeof before, &before); }
  OneProcessor(const OneProcessor &) = delete;
  OneProcessor &operator=(const OneProcessor &) = delete;

private:
  cpu_set_t before;
};

} // namespace spl::test
