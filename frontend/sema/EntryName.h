// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an instance of a generic function is called in code. The runtime, which sees nothing of the
// compiler, finds kernels by the same rule (runtime/core/Module.cpp); test/unit/jit/LoadTest.cpp
// holds the two together.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace spl::sema {

/// scale[f32, -16] is called scale__f32_m16; any name without brackets is its own.
std::string entryName(llvm::StringRef name);

} // namespace spl::sema
