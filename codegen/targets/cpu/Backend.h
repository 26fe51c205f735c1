// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering for CPUs of the host's architecture by LLVM's back end for it.
#pragma once

#include "codegen/LlvmBackend.h"
#include "codegen/Options.h"
#include "codegen/targets/cpu/Host.h"
#include <memory>

namespace spl::codegen {

std::unique_ptr<LlvmBackend> createCpuBackend(const Options &options);
/// The machine that the options ask for.
MachineKey cpuMachine(const Options &options);

} // namespace spl::codegen
