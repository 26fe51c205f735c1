// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// vprintf is the only function that PTX may call although the module does not define it.
#pragma once

#include "test/ptxsim/Decoder.h"

namespace ptxsim {

/// Decodes a call of vprintf. Any other function is an error.
void decodePrint(Decoder &decoder, const std::vector<Operand> &results, const std::string &callee,
                 const std::vector<Operand> &arguments);

} // namespace ptxsim
