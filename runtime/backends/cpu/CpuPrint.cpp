// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuPrint.h"

#include "runtime/launch/PrintFormat.h"
#include "spl/cpu_abi.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <span>
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
  const std::span passed(values, count); // at most so many
  if (isMessage) {
    const std::string text = printedMessage(form, passed);
    std::memcpy(message, text.c_str(), text.size() + 1);
    return;
  }
  std::string text = printed(form, passed);
  text += '\n';
  std::fwrite(text.data(), 1, text.size(), stdout);
}
