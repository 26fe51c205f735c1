// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// add.cc, addc and their kin: arithmetic on numbers of many words.
#pragma once

#include "test/ptxsim/Decoder.h"

namespace ptxsim {

struct CarryForm {
  bool setsCarry = false, usesCarry = false, subtracts = false, multiplies = false,
       takesHigh = false;
};
/// What is left of the instruction once its form is known.
void decodeCarry(Decoder &decoder, CarryForm form);

} // namespace ptxsim
