// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the text of launch contracts.
#ifndef SPL_ABI_CONTRACTREADER_H
#define SPL_ABI_CONTRACTREADER_H

#include "abi/Scanner.h"

#include <vector>

namespace spl::abi {

/// The conditions that follow "unchecked if". After an error of \p scanner the result is of no use.
Contract readContract(Scanner &scanner, const std::vector<Parameter> &parameters);

} // namespace spl::abi

#endif
