// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Declares the driver's functions as libcuda.so.1 exports them. The declarations come from the
// runtime's table, so a definition of another type does not compile.
#pragma once

#include "runtime/backends/cuda/DriverTypes.h"

using namespace spl::detail;

extern "C" {

#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS) CuResult EXPORT PARAMETERS;
#include "runtime/backends/cuda/DriverTable.def"

CuResult cuDeviceGetUuid(CuUuid *, CuDevice); // the version before CUDA 11.4

} // extern "C"
