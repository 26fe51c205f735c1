// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels made at random of control flow, operations of the warp in all of its corners, and
// barriers where control flow is uniform. Each is made together with its meaning: what it does to
// sets of work-items that go through the source side by side, parting where their ways do and
// together again where those meet. The meaning knows nothing of compilers: no masks, no flags, no
// cuts.
#pragma once

#include "test/e2e/Groups.h"

#include <bitset>
#include <map>

namespace spl::e2e::random {

constexpr std::size_t maxItems = 128;  ///< in a group
constexpr std::size_t resultCount = 4; ///< of each work-item

using Items = std::bitset<maxItems>; ///< by flat id
using Values = std::array<std::int32_t, maxItems>;

/// One group on its way through a kernel.
struct State {
  std::size_t size = 0;
  std::map<std::string, Values> variables;
  Items broken, continued; ///< out of the innermost loop, or of its body
  Items returned;          ///< from the innermost function
  Values result = {};      ///< of that
  Values stored[resultCount] = {};
};

struct Kernel {
  std::string name;
  std::string text; ///< with the functions that it calls
  std::function<void(State &)> run;
};

/// What all of them need: once in a file, before the kernels.
extern const char *const prelude;

/// Always the same for the same seed.
Kernel makeKernel(std::uint64_t seed);

/// What the kernel leaves in `out` for one group; `a` are its inputs.
std::vector<std::int32_t> reference(const Kernel &kernel, std::span<const std::int32_t> a,
                                    std::int32_t n);

} // namespace spl::e2e::random
