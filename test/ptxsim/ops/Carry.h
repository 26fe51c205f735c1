// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Multi-word arithmetic: add.cc, addc and the like.
#pragma once

#include "test/ptxsim/Decoder.h"

namespace ptxsim {

struct CarryForm {
  bool setsCarry = false, usesCarry = false, subtracts = false, multiplies = false,
       takesHigh = false;
};
/// Decodes the rest of the instruction, whose form is known.
void decodeCarry(Decoder &decoder, CarryForm form);

} // namespace ptxsim
