// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which contracts some natural launch meets.
#include "mir/bounds/NaturalLaunches.h"
#include "spl/abi/SignatureText.h"

#include <gtest/gtest.h>

using spl::abi::readSignature;
using spl::abi::Signature;
using spl::abi::SyntaxError;

static bool canMeet(const std::string &kernel, const std::string &conditions) {
  const auto read = readSignature(kernel + " unchecked if " + conditions);
  const auto *signature = std::get_if<Signature>(&read);
  if (!signature) {
    ADD_FAILURE() << std::get<SyntaxError>(read).str() << ": " << conditions;
    return false;
  }
  return spl::mir::bounds::NaturalLaunches(*signature).canMeet(*signature->contract);
}

TEST(NaturalLaunches, MeetContractsOfOrdinaryKernels) {
  const std::pair<const char *, const char *> contracts[] = {
      {"k(a: &[f32], b: &[f32], out: &mut [f32])",
       "min(gpu.global_size(0), out.len()) <= a.len() and min(gpu.global_size(0), out.len()) <= "
       "b.len()"},
      {"k(a: &[f32], out: &mut [f32])", "gpu.global_size(0) <= a.len() and a.len() <= out.len()"},
      {"k(a: &[f32], out: &mut [f32])", "gpu.num_groups(0) <= out.len() and 2 <= a.len()"},
      {"k(n: i32, m: u32, k: i64, a: &[f32], b: &[f32], c: &mut [f32])",
       "0 <= n and 0 <= m and 0 <= k and n * k <= a.len() and k * m <= b.len() and n * m <= "
       "c.len()"},
      {"k(a: &[f32, 2], b: &[f32, 2], c: &mut [f32, 2])",
       "a.dim(1) <= b.dim(0) and c.dim(0) <= a.dim(0) and c.dim(1) <= b.dim(1)"},
      {"k(a: &[f32, 3], b: &mut [f32, 3])",
       "b.dim(0) <= a.dim(0) and b.dim(1) <= a.dim(1) and b.dim(2) <= a.dim(2)"},
      {"#[gpu(block: [16, 16])] k(a: &[f32, 2])",
       "16 * gpu.num_groups(0) <= a.dim(1) and 16 * gpu.num_groups(1) <= a.dim(0)"},
      {"#[gpu(block: [64])] k(size: u32, x: &mut [u32])",
       "64 * gpu.num_groups(0) <= x.len() and 63 <= max(0, size) and 0 <= size"},
      {"enum E(A = -4, B = 900) k(e: E, a: &[f32])", "900 <= e and e + 1 <= a.len()"},
      {"struct S(nx: i32, ny: i32, scale: f32) k(s: S, a: &[f32])",
       "2 <= s.nx and s.nx * s.ny <= a.len()"},
      {"k(w: u8x4, a: &[f32])", "w[0] * w[1] <= a.len() and 1 <= w[3]"},
      {"k(n: i32, a: &[f32])", "n + 1 <= a.len() and gpu.local_size(0) <= n"},
      {"k(n: i32, a: &[f32])", "gpu.global_size(0) <= n and n <= a.len()"},
      {"k(a: &[f32])", "4000000000 <= 2 * a.len()"},
  };
  for (const auto &[kernel, conditions] : contracts)
    EXPECT_TRUE(canMeet(kernel, conditions)) << kernel << ": " << conditions;
}

TEST(NaturalLaunches, DoNotMeetHopelessContracts) {
  const std::pair<const char *, const char *> contracts[] = {
      {"k(a: &[f32])", "a.len() <= 0"},
      {"k(cols: i64)", "0 <= -cols and 0 <= cols"},
      {"k(d: &mut [u32])", "8589934591 <= max(4294967295, d.len())"},
      {"k(size: u32)", "63 <= max(0, size) and size <= 1"},
      {"k(isotopes: i64)", "2147483648 <= -isotopes"},
      {"k(n: i64)", "n + 1 <= 0"},
      {"k(n: i8)", "128 <= n"},
      {"k(n: u64)", "9223372036854775807 <= n"},
      {"k(a: &[f32])", "gpu.global_size(0) <= 0"},
      {"k(a: &[f32], b: &[f32])", "a.len() + 1 <= b.len() and b.len() + 1 <= a.len()"},
      {"enum E(A = -4, B = 900) k(e: E)", "0 <= e and e <= 899"},
      {"#[gpu(block: [64])] k()", "gpu.local_size(0) <= 63"},
      {"k(a: &[f32, 2])", "4294967296 <= a.dim(1)"},
  };
  for (const auto &[kernel, conditions] : contracts)
    EXPECT_FALSE(canMeet(kernel, conditions)) << kernel << ": " << conditions;
}
