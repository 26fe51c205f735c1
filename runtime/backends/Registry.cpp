// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// This file defines only the table, so that a program can define another one.
#include "runtime/backends/Registry.h"

namespace spl::detail {

// A backend without an entry fails to link.
#define SPL_BACKEND(NAME, TEXT) extern const BackendEntry entryOf##NAME;
#include "spl/Backends.def"

std::span<const RegisteredBackend> registeredBackends() {
  static constexpr RegisteredBackend table[] = {
#define SPL_BACKEND(NAME, TEXT) {Backend::NAME, TEXT, &entryOf##NAME},
#include "spl/Backends.def"
  };
  return table;
}

} // namespace spl::detail
