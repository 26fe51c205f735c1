// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The LlvmBackend for NVIDIA GPUs.
#pragma once

#include "codegen/LlvmBackend.h"
#include "codegen/Options.h"
#include <memory>

namespace spl::codegen {

std::unique_ptr<LlvmBackend> createNvptxBackend(const Options &options);

} // namespace spl::codegen
