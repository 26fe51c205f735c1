// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels for the runtime's tests. They are written by hand for each backend, so that these tests
// do not depend on the compiler.
#pragma once

#include <spl/Module.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace spl::test {

/// struct Body(pos: f32x4, mass: f32, kind: i16) in the layout of the kernels.
struct alignas(16) Body {
  std::array<float, 4> pos;
  float mass;
  std::int16_t kind;
};

/// The kernels for the CPU:
/// - vector_add and saxpy
/// - ids: each element of a rank-3 array gets x + 1000 y + 1000000 z
/// - scalars: stores each parameter as f64
/// - shift: takes a Body `by`, a velocity and a level. Adds the velocity to the pos of each body,
/// and
///   the mass of `by` to its mass. Sets its kind to the kind of `by` plus the level.
std::vector<HostKernel> conformanceKernels();

/// The same kernels as PTX.
std::string conformancePtx();

/// A PTX entry with these parameters. `out` and `out_len` must be among them, as a slice of i32.
/// Work-items beyond the slice do nothing. The others run \p body with the address of their element
/// in %rd3. The body may use %r1.
std::string elementEntry(const std::string &name, const std::string &parameters,
                         const std::string &body);

} // namespace spl::test
