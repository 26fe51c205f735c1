// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loads a Compilation as a module: selects the target of a context, and makes an image of the
// runtime from the result of the compiler. Used by jit::loadFile and by `simple run`.
#pragma once

#include "jit/CachedCompilation.h"
#include <spl/Context.h>
#include <spl/Module.h>

namespace spl::jit {

/// The target for the device of the context: the sm_NN of a GPU, or the CPU of this machine. Throws
/// Error (UnsupportedOnTarget) if the compiler has no target for the device.
codegen::TargetSpec targetOf(const Context &context);

/// Whether launches of the target's code can be checked: it is code for this process.
bool canBeChecked(const codegen::TargetSpec &target);

/// Sets the options for checked launches, whose kernels have no launch contract. The target can be
/// checked.
void setInstrument(codegen::Options &options);

/// Whether the environment requests checked launches: SPL_CHECK=1. Throws Error (InvalidArgument)
/// for other values than 0 and 1.
bool isCheckingAsked();

/// Throws Error (CompileFailed) with the diagnostics of a compilation as text.
[[noreturn]] void failWithDiagnostics(driver::Compilation &compilation);

/// Compiles for the context, or takes the code from the cache, and loads it. The compilation's
/// target must be targetOf(context). Throws Error: CompileFailed with the diagnostics as text, or
/// what Module::load throws.
Module load(const Context &context, driver::Compilation &compilation, const CacheUse &cache);

} // namespace spl::jit
