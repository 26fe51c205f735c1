// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads an image before the driver does: chooses the image of a bundle, finds the kernels, and
// checks that the image is complete. The driver's functions take no length, so the driver would
// read past the end of a truncated binary.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDAIMAGE_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDAIMAGE_H

#include "spl/Bundle.h"
#include "spl/Module.h"

#include <string_view>
#include <vector>

namespace spl::detail {

/// Returns \p code with the signatures of its kernels. Versions that launches seldom run are in its
/// \c later (PtxParts.h). Throws InvalidImage if the code is no PTX, cubin or fatbin, if it is
/// damaged, or if signatures are missing or malformed.
CompiledCode readImage(const DeviceCode &code);

/// Whether \p text is an architecture: "sm_90" or "sm_90a".
bool isArchitecture(std::string_view text);

/// Returns the best image for a device of \p capability: the image for that capability alone, else
/// the one for the highest capability that is not above it. Throws UnsupportedOnTarget if there is
/// none; the message names \p device.
DeviceCode chooseForGpu(std::vector<BundleImage> images, int capability, const std::string &device);

} // namespace spl::detail

#endif
