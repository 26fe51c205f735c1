// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an image before the driver does: chooses the image of a bundle, finds the kernels, and
// checks that the image is whole. The driver takes no length, and would read past the end of a
// truncated binary.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDAIMAGE_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDAIMAGE_H

#include "spl/Bundle.h"
#include "spl/Module.h"

#include <string_view>
#include <vector>

namespace spl::detail {

/// The kernels of \p code. Throws InvalidImage for code that is no PTX, cubin or fatbin or is
/// damaged, and for missing or malformed signatures.
std::vector<Signature> kernelsOf(const DeviceCode &code);

/// Whether \p text is an architecture: "sm_90" or "sm_90a".
bool isArchitecture(std::string_view text);

/// The best image for a device of \p capability: the one for that capability alone, else the one
/// for the highest capability that is not above it. Throws UnsupportedOnTarget, naming \p device,
/// if there is none.
DeviceCode chooseForGpu(std::vector<BundleImage> images, int capability, const std::string &device);

} // namespace spl::detail

#endif
