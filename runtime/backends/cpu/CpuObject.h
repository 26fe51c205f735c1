// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of a bundle for the CPU: chooses the image that this processor can run, and loads it.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUOBJECT_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUOBJECT_H

#include "spl/Bundle.h"
#include "spl/Module.h"

#include <string_view>

namespace spl::detail {

/// Whether \p text is a level of the CPU as a target: "cpu:x86-64-v3".
bool isCpuLevel(std::string_view text);

/// The image of the highest level that this processor supports. Throws UnsupportedOnTarget, naming
/// \p device, if there is none.
BundleImage chooseForCpu(std::vector<BundleImage> images, const std::string &device);

/// The kernels of \p image, a shared object, which are valid while the result's owner lives. Throws
/// InvalidImage with the system's message if the object cannot be loaded, and for a signature of a
/// kernel that is not in it.
HostCode loadSharedObject(const BundleImage &image);

} // namespace spl::detail

#endif
