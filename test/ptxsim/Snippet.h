// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the interpreter's tests. They put one instruction or a kernel's body into a module and
// run it. If PTXSIM_SNIPPETS names a folder, each module is also written there, for NVIDIA's
// assembler to check (test/ptxsim/assembles.py).
#pragma once

#include "test/ptxsim/Ptxsim.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <string>
#include <vector>

namespace ptxsim::test {

using Words = std::vector<std::uint64_t>;

/// Makes a module from a kernel's body. The kernel k has the addresses %in and %out (.b64, 8 bytes
/// for each thread), the thread's number %t, its offset %o = 8 * %t, and registers %p<8>, %h<8>,
/// %r<16>, %l<16>, %f<8>, %d<8>. \p top is placed before the kernel.
std::string moduleOf(const std::string &body, const std::string &top = "");

struct Run {
  Words out;
  LaunchResult result;
};
/// Runs moduleOf(body), by default in one group, with one thread for each input.
Run run(const std::string &body, const Words &in, const std::string &top = "",
        LaunchOptions options = {});

/// The result of one instruction. The signature has a letter for each operand, the result first: p
/// for a predicate, h for 16 bits, r for 32, l for 64, f for .f32, d for .f64, and - for _.
/// Operands without a value in \p sources are written as in \p extra, after the others. Example:
/// "add.s32", "rrr", {1, 2}.
std::uint64_t eval(const std::string &instruction, const std::string &signature,
                   const Words &sources, const std::string &extra = "");

/// The kind of the error that \p action throws. Fails the test if it throws none.
ErrorKind errorOf(const std::function<void()> &action, std::string *text = nullptr);

inline std::uint64_t bits(float value) { return std::bit_cast<std::uint32_t>(value); }
inline std::uint64_t bits(double value) { return std::bit_cast<std::uint64_t>(value); }

/// A row of a table of tests.
struct Case {
  const char *instruction, *signature;
  Words sources;
  std::uint64_t expected;
  const char *extra = "";
};
void check(const std::vector<Case> &cases);

} // namespace ptxsim::test
