// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads a bundle's kernels for the CPU: chooses the image that this processor can run, and loads
// it.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUOBJECT_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUOBJECT_H

#include "spl/Bundle.h"
#include "spl/Module.h"

#include <string_view>

namespace spl::detail {

/// Whether \p text is the target of a processor level: "cpu:x86-64-v3".
bool isCpuLevel(std::string_view text);

/// Returns the image of the highest level that this processor supports. Throws UnsupportedOnTarget
/// if there is none; the message names \p device.
BundleImage chooseForCpu(std::vector<BundleImage> images, const std::string &device);

/// Loads \p image, a shared object, and returns its kernels. They are valid as long as the result's
/// owner. Throws InvalidImage if the object cannot be loaded; the message has the system's text.
/// Throws InvalidImage if the object lacks the kernel of a signature.
HostCode loadSharedObject(const BundleImage &image);

} // namespace spl::detail

#endif
