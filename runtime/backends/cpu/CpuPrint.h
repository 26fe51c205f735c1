// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output of compiled code, and the message of a failed assertion.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUPRINT_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUPRINT_H

#include "runtime/launch/PrintFormat.h"

#include <cstddef>

namespace spl::detail {

/// The text that spl_cpu_print stored for this thread's next failed assertion, terminated by a null
/// byte and truncated to messageSize.
const char *assertionMessage();

/// The size of the buffer for that text.
inline constexpr std::size_t messageSize = maxMessage + 1;

} // namespace spl::detail

#endif
