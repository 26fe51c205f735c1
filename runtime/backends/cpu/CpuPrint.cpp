// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuPrint.h"

#include "runtime/launch/PrintFormat.h"
#include "spl/cpu_abi.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>

namespace spl::detail {

static thread_local char message[messageSize];

const char *assertionMessage() { return message; }

} // namespace spl::detail

// One call of fwrite writes the whole text, so that output of other threads cannot split it.
extern "C" void spl_cpu_print(const spl_cpu_launch *, const char *format, int64_t size,
                              const uint64_t *values, int32_t isMessage) {
  using namespace spl::detail;
  const std::string_view form(format, static_cast<std::size_t>(size));
  const auto count = static_cast<std::size_t>(std::count(form.begin(), form.end(), '\1'));
  std::string text = printed(form, {values, count}); // at most so many values
  if (isMessage) {
    const std::size_t kept = std::min(text.size(), messageSize - 1);
    std::memcpy(message, text.data(), kept);
    message[kept] = 0;
    return;
  }
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
}
