// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What lowering asks of NVIDIA GPUs. Ids are special registers, slices are in global memory, and
// kernels and functions with checks take a fault record (Faults.h).
#pragma once

#include "codegen/lower/Lowering.h"
#include "codegen/targets/nvptx/Archs.h"
#include "codegen/targets/nvptx/DeviceMath.h"
#include <memory>

namespace spl::codegen {

/// The hooks for one lowering. They keep references to all parameters.
std::unique_ptr<TargetHooks> createNvptxHooks(Lowering &lowering, const NvptxArch &arch,
                                              LazyDeviceMath &math);

} // namespace spl::codegen
