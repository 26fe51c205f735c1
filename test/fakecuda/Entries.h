// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver's functions, as libcuda.so.1 exports them: those of the runtime's own table, whose
// types are thus checked when this is compiled.
#pragma once

#include "runtime/backends/cuda/DriverTypes.h"

using namespace spl::detail;

extern "C" {

#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS) CuResult EXPORT PARAMETERS;
#include "runtime/backends/cuda/DriverTable.def"

CuResult cuDeviceGetUuid(CuUuid *, CuDevice); // of CUDA before 11.4

} // extern "C"
