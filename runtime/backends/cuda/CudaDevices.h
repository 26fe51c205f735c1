// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Describes the devices of an initialised CUDA driver, without opening them.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDADEVICES_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDADEVICES_H

#include "runtime/backends/cuda/Driver.h"
#include "spl/Device.h"

#include <string>

namespace spl::detail {

/// Returns the description of a device of which only the index is known.
DeviceInfo blankDevice(const Driver &driver, int index);

/// Describes device info.index. Throws DriverError with \p context for the first property that
/// cannot be read.
void describeDevice(const Driver &driver, DeviceInfo &info, const std::string &context = "");

} // namespace spl::detail

#endif
