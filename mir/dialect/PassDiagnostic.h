// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of diagnostics/PassDiagnostics.def: the diagnostics of passes, of code generation and of
// external tools.
#pragma once

#include <cstdint>

namespace spl::mir {

enum class PassDiagnostic : uint8_t {
#define PASS_DIAG(Id, Name) Id,
#define PASS_WARNING(Id, Name) Id,
#include "diagnostics/PassDiagnostics.def"
};

constexpr bool isWarning(PassDiagnostic row) {
  switch (row) {
#define PASS_DIAG(Id, Name)                                                                        \
  case PassDiagnostic::Id:                                                                         \
    return false;
#define PASS_WARNING(Id, Name)                                                                     \
  case PassDiagnostic::Id:                                                                         \
    return true;
#include "diagnostics/PassDiagnostics.def"
  }
  return false;
}

} // namespace spl::mir
