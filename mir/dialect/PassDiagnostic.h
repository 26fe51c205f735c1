// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of frontend/diag/PassDiagnostics.def: the diagnostics of passes and of stages after the
// frontend.
#pragma once

#include <cstdint>

namespace spl::mir {

enum class PassDiagnostic : uint8_t {
#define PASS_DIAG(Id, Name) Id,
#define PASS_WARNING(Id, Name) Id,
#include "frontend/diag/PassDiagnostics.def"
};

constexpr bool isWarning(PassDiagnostic row) {
  switch (row) {
#define PASS_DIAG(Id, Name)                                                                        \
  case PassDiagnostic::Id:                                                                         \
    return false;
#define PASS_WARNING(Id, Name)                                                                     \
  case PassDiagnostic::Id:                                                                         \
    return true;
#include "frontend/diag/PassDiagnostics.def"
  }
  return false;
}

} // namespace spl::mir
