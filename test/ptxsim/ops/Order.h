// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decodes modifiers that memory operations have in common.
#pragma once

#include "test/ptxsim/Decoder.h"

namespace ptxsim {

/// Takes .global, .shared::cta and so on. The default is generic.
Space takeSpace(Decoder &decoder);
/// Takes .volatile, or .relaxed and the like with a scope.
void takeOrder(Decoder &decoder);
/// Takes cache operators and hints. Returns whether an operand is a cache policy.
bool takeCaching(Decoder &decoder);

} // namespace ptxsim
