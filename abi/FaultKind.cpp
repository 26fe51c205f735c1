// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/abi/FaultKind.h"

namespace spl {

std::string_view toString(FaultKind kind) {
  switch (kind) {
#define SPL_FAULT_KIND(NAME, NUMBER, TEXT, SENTENCE)                                               \
  case FaultKind::NAME:                                                                            \
    return TEXT;
#include "spl/FaultKinds.def"
  }
  return "unknown-fault";
}

std::optional<FaultKind> faultKindNamed(std::string_view name) {
#define SPL_FAULT_KIND(NAME, NUMBER, TEXT, SENTENCE)                                               \
  if (name == TEXT)                                                                                \
    return FaultKind::NAME;
#include "spl/FaultKinds.def"
  return std::nullopt;
}

} // namespace spl
