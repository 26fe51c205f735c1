// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From a Compilation to a loaded module: which target a context needs, and how the result of the
// compiler becomes an image of the runtime. Used by jit::loadFile and by `simple run`.
#pragma once

#include "jit/CachedCompilation.h"
#include <spl/Context.h>
#include <spl/Module.h>

namespace spl::jit {

/// The target whose code the context's device runs: the device's sm_NN, or this machine's CPU.
/// Throws Error (UnsupportedOnTarget) for a device the compiler knows no target for.
codegen::TargetSpec targetOf(const Context &context);

/// Compiles for the context, or takes from the cache what was compiled before, and loads; the
/// compilation's target must be targetOf(context). Throws Error: CompileFailed with the rendered
/// diagnostics, or what Module::load throws.
Module load(const Context &context, driver::Compilation &compilation, const CacheUse &cache);

} // namespace spl::jit
