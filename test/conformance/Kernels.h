// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels that the runtime's tests launch, written by hand for each backend, so that the
// runtime is tested without the compiler.
#pragma once

#include <spl/Module.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace spl::test {

/// struct Body(pos: f32x4, mass: f32, kind: i16) as a C++ program has it.
struct alignas(16) Body {
  std::array<float, 4> pos;
  float mass;
  std::int16_t kind;
};

/// vector_add, saxpy, ids (each element of a rank-3 array gets x + 1000 y + 1000000 z), scalars
/// (each parameter as f64) and shift (each body's pos grows by a velocity, its mass by that of
/// another, and its kind becomes the other's plus a level).
std::vector<HostKernel> conformanceKernels();

/// The same as PTX.
std::string conformancePtx();

/// An entry of PTX with these parameters, of which `out` and `out_len` are a slice of i32: each
/// work-item with an element runs \p body, with the element's address in %rd3 and %r1 free.
std::string elementEntry(const std::string &name, const std::string &parameters,
                         const std::string &body);

} // namespace spl::test
