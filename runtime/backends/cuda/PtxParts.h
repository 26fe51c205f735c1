// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splits PTX into what is loaded with a module, and the entries that launches seldom run. The
// driver compiles those when a launch needs them, so that a module is loaded sooner.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_PTXPARTS_H
#define SPL_RUNTIME_BACKENDS_CUDA_PTXPARTS_H

#include "spl/Module.h"

#include <string>
#include <vector>

namespace spl::detail {

/// Returns the code of \p ptx, which contains \p kernels. Its \c later has the entries behind lines
/// abi::laterLine, if they are versions of these kernels that may be loaded later. All of the text
/// is loaded with the module if there are no such lines, as in PTX of other compilers. Does not
/// fail: the driver reports what is wrong with the text.
CompiledCode splitPtx(std::string ptx, std::vector<Signature> kernels);

} // namespace spl::detail

#endif
