// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at an image before the driver does: which kernels it says it has, and whether it is whole.
// The driver is given no length and reads past the end of a binary that was cut short.
#ifndef SPL_RUNTIME_CUDA_CUDAIMAGE_H
#define SPL_RUNTIME_CUDA_CUDAIMAGE_H

#include "spl/Module.h"

#include <vector>

namespace spl::detail {

/// The kernels of \p code. Throws InvalidImage for what is no PTX, cubin or fatbin, for a damaged
/// one, and where signatures are missing or malformed.
std::vector<Signature> kernelsOf(const DeviceCode &code);

} // namespace spl::detail

#endif
