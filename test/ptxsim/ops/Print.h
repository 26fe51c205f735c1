// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one function that PTX may call without holding it: vprintf.
#pragma once

#include "test/ptxsim/Decoder.h"

namespace ptxsim {

/// Any other function is unknown.
void decodePrint(Decoder &decoder, const std::vector<Operand> &results, const std::string &callee,
                 const std::vector<Operand> &arguments);

} // namespace ptxsim
