// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of backends with a row for the null backend. In a program that links this file, it
// replaces the table of the library.
#include "runtime/backends/Registry.h"

namespace spl::detail {

#define SPL_BACKEND(NAME, TEXT) extern const BackendEntry entryOf##NAME;
#include "spl/Backends.def"
extern const BackendEntry entryOfNull;

std::span<const RegisteredBackend> registeredBackends() {
  static constexpr RegisteredBackend table[] = {
#define SPL_BACKEND(NAME, TEXT) {Backend::NAME, TEXT, &entryOf##NAME},
#include "spl/Backends.def"
      {static_cast<Backend>(100), "null", &entryOfNull},
  };
  return table;
}

} // namespace spl::detail
