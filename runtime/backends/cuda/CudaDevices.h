// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an initialised CUDA driver says of its devices, none of which need be opened for it.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDADEVICES_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDADEVICES_H

#include "runtime/backends/cuda/Driver.h"
#include "spl/Device.h"

#include <string>

namespace spl::detail {

/// What is known of a device before the driver is asked about it.
DeviceInfo blankDevice(const Driver &driver, int index);

/// Fills in what the driver says of device info.index. Throws DriverError at the first thing that
/// cannot be read, with \p context as what the error belongs to.
void describeDevice(const Driver &driver, DeviceInfo &info, const std::string &context = "");

} // namespace spl::detail

#endif
