// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The parameters of the entries of PTX. The driver reads as many arguments as an entry has
// parameters, so a signature that does not fit its entry would make it read past the arguments.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_PTXENTRIES_H
#define SPL_RUNTIME_BACKENDS_CUDA_PTXENTRIES_H

#include "spl/Signature.h"

#include <string_view>
#include <vector>

namespace spl::detail {

/// Throws InvalidImage if the entry of a kernel has other parameters than its signature, in number
/// or size. An entry that is not in the text is left to the driver.
void requireEntries(std::string_view ptx, const std::vector<Signature> &kernels);

} // namespace spl::detail

#endif
