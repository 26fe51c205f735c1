// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <cstring>

namespace programs {

void histogram256(Run &run) {
  constexpr std::int64_t bins = 256, block = 192, groups = 37;
  // The sum of two dice: bytes that are not equally frequent.
  std::vector<std::uint8_t> bytes(run.scaled(50'003));
  for (std::uint8_t &byte : bytes)
    byte = static_cast<std::uint8_t>(run.below(128) + run.below(128));
  std::vector<std::uint32_t> data((bytes.size() + 3) / 4, ~0u);
  std::memcpy(data.data(), bytes.data(), bytes.size());
  const spl::Context &context = run.context();
  const spl::Module kernels = run.load();

  const auto words = context.allocUpload(data);
  auto partial = context.alloc<std::uint32_t>({groups, bins});
  auto counts = context.alloc<std::uint32_t>(bins);
  run.launch(kernels["count_bytes"], {.global = {groups * block}}, words,
             static_cast<std::int64_t>(bytes.size()), partial);
  run.launch(kernels["add_counts"], {.global = {bins * 32}, .local = {32}}, partial, counts);

  std::vector<std::uint32_t> expected(bins);
  for (const std::uint8_t byte : bytes)
    ++expected[byte];
  run.expectEqual("counts", counts.download(), expected);
}

} // namespace programs
