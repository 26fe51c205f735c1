// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the interpreter's tests share: one instruction, or a kernel's body, put into a module and
// run. With PTXSIM_SNIPPETS set to a folder, each module is written there too, so that NVIDIA's
// assembler can be asked whether it is PTX (test/ptxsim/assembles.py).
#pragma once

#include "test/ptxsim/Ptxsim.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace ptxsim::test {

using Words = std::vector<std::uint64_t>;

/// A whole module from a kernel's body. The kernel k has %in, %out (.b64 addresses of 8 bytes for
/// each thread), %tid.x in %t, its offset 8 * %t in %o, and registers %p<8>, %h<8>, %r<16>, %l<16>,
/// %f<8>, %d<8>. \p top is before the kernel.
std::string moduleOf(const std::string &body, const std::string &top = "");

struct Run {
  Words out;
  LaunchResult result;
};
/// Runs moduleOf(body) in one group with a thread for each input, or in groups of as many.
Run run(const std::string &body, const Words &in, const std::string &top = "",
        LaunchOptions options = {});

/// The result of one instruction. The signature has a letter for each operand, the result first:
/// p predicate, h 16 bits, r 32, l 64, f .f32, d .f64, - for _ ; the operands that have no value in
/// \p sources are written as in \p extra, behind the others. "add.s32", "rrr", {1, 2}.
std::uint64_t eval(const std::string &instruction, const std::string &signature,
                   const Words &sources, const std::string &extra = "");

/// The kind of error that it ends in; fails the test if it ends in none.
ErrorKind errorOf(const std::function<void()> &action, std::string *text = nullptr);

inline std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

/// One row of a table of tests.
struct Case {
  const char *instruction, *signature;
  Words sources;
  std::uint64_t expected;
  const char *extra = "";
};
void check(const std::vector<Case> &cases);

} // namespace ptxsim::test
