// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The LlvmBackend for CPUs of the host's architecture.
#pragma once

#include "codegen/LlvmBackend.h"
#include "codegen/Options.h"
#include "codegen/targets/cpu/Host.h"
#include <memory>

namespace spl::codegen {

std::unique_ptr<LlvmBackend> createCpuBackend(const Options &options);
/// The key of LLVM's target machine for the options.
MachineKey cpuMachine(const Options &options);

} // namespace spl::codegen
