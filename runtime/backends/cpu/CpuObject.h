// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels compiled ahead of time for the CPU, from a bundle: which image this processor runs, and
// the code of it, callable.
#ifndef SPL_RUNTIME_BACKENDS_CPU_CPUOBJECT_H
#define SPL_RUNTIME_BACKENDS_CPU_CPUOBJECT_H

#include "spl/Bundle.h"
#include "spl/Module.h"

namespace spl::detail {

/// The image of the highest level that this processor has. Throws UnsupportedOnTarget if there is
/// none, saying so of \p device.
BundleImage chooseForCpu(std::vector<BundleImage> images, const std::string &device);

/// The kernels of \p image, a shared object, for as long as the result's owner lives. Throws
/// InvalidImage where the system does not load it, with its words, and where a signature names a
/// kernel that it has not got.
HostCode loadSharedObject(const BundleImage &image);

} // namespace spl::detail

#endif
