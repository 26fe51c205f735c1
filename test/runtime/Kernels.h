// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that the runtime's tests launch, written by hand for each backend, so that the
// runtime is tested without the compiler.
#pragma once

#include <spl/Module.h>

#include <string>
#include <vector>

namespace spl::test {

/// vector_add, saxpy, ids (each element of a rank-3 array gets x + 1000 y + 1000000 z) and scalars
/// (each parameter as f64).
std::vector<HostKernel> conformanceKernels();

/// The same as PTX.
std::string conformancePtx();

} // namespace spl::test
