// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Looks at an image before the driver does: which of a bundle's is for a device, which kernels it
// says it has, and whether it is whole.
// The driver is given no length and reads past the end of a binary that was cut short.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDAIMAGE_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDAIMAGE_H

#include "spl/Bundle.h"
#include "spl/Module.h"

#include <vector>

namespace spl::detail {

/// The kernels of \p code. Throws InvalidImage for what is no PTX, cubin or fatbin, for a damaged
/// one, and where signatures are missing or malformed.
std::vector<Signature> kernelsOf(const DeviceCode &code);

/// The image that suits a device of \p capability best: the one for it alone, else the one for the
/// highest capability that is not above. Throws UnsupportedOnTarget if there is none, saying so of
/// \p device.
DeviceCode chooseForGpu(std::vector<BundleImage> images, int capability, const std::string &device);

} // namespace spl::detail

#endif
