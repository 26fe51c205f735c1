// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The modifiers of memory operations that they have in common.
#pragma once

#include "test/ptxsim/Decoder.h"

namespace ptxsim {

/// .global, .shared::cta, ...; generic by default.
Space takeSpace(Decoder &decoder);
/// .volatile, or .relaxed and its like with a scope.
void takeOrder(Decoder &decoder);
/// Cache operators and hints; whether an operand holds a policy.
bool takeCaching(Decoder &decoder);

} // namespace ptxsim
