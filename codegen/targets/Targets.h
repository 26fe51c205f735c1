// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets there are. Target::create is the only caller.
#pragma once

#include "codegen/Target.h"
#include <memory>

namespace spl::codegen {

std::unique_ptr<Target> createNvptxTarget(const Options &options);
std::unique_ptr<Target> createCpuTarget(const Options &options);

} // namespace spl::codegen
