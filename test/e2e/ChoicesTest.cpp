// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that a launch runs the kernel that its launch contract selects, and that both kernels have
// the same results.
#include "test/e2e/Harness.h"

#include <numeric>

using namespace spl;
using namespace spl::e2e;

namespace {

std::vector<std::int32_t> counting(std::size_t count) {
  std::vector<std::int32_t> values(count);
  std::iota(values.begin(), values.end(), 1);
  return values;
}

void forEach(const std::function<void(const Build &)> &test) {
  forEachBuild({"choices.spl"}, {{.optLevel = 0}, {.optLevel = 2}, {.optLevel = 3}}, test);
}

/// The condition that the launch does not meet, or "" if it meets all. Followed by "fault" if the
/// launch faults.
template <class... Args>
std::string outcome(const Build &build, const std::string &kernel, const LaunchConfig &config,
                    Args &&...args) {
  std::string told = build.unmetCondition(kernel, config, args...);
  try {
    build.launch(kernel, config, args...);
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::KernelFault) << error.what();
    told += " fault";
  }
  return told;
}

const std::string aTooShort = "min(gpu.global_size(0), out.len()) <= a.len()";
const std::string bTooShort = "min(gpu.global_size(0), out.len()) <= b.len()";

} // namespace

TEST(Choices, OfVectors) {
  forEach([](const Build &build) {
    const auto run = [&](std::size_t a, std::size_t b, std::size_t out, LaunchConfig config) {
      const Context &context = build.context();
      auto first = context.allocUpload<std::int32_t>(counting(a));
      auto second = context.allocUpload<std::int32_t>(counting(b));
      auto sums = context.allocZeros<std::int32_t>(out);
      std::string told = outcome(build, "add", config, first, second, sums);
      if (told.ends_with("fault"))
        return told;
      const std::vector<std::int32_t> values = sums.download();
      const auto items = static_cast<std::size_t>((config.global[0] + 4) / 5 * 5);
      for (std::size_t i = 0; i != values.size(); ++i)
        EXPECT_EQ(values[i], i < items ? 2 * static_cast<std::int32_t>(i + 1) : 0) << i;
      return told;
    };
    const LaunchConfig all = {.global = {37}, .local = {5}};
    EXPECT_EQ(run(37, 37, 37, all), "");
    EXPECT_EQ(run(40, 38, 37, all), "");
    EXPECT_EQ(run(40, 40, 60, all), ""); // the whole groups have 40 work-items
    EXPECT_EQ(run(40, 39, 60, all), bTooShort + " fault");
    EXPECT_EQ(run(36, 40, 37, all), aTooShort + " fault");
    EXPECT_EQ(run(10, 12, 37, {.global = {10}, .local = {5}}), "");
    EXPECT_EQ(run(9, 12, 9, {.global = {10}, .local = {5}}), "");
    EXPECT_EQ(run(0, 0, 0, all), "");
  });
}

// A launch whose contract does not hold need not fault. Here the sums of missing elements are not
// computed.
TEST(Choices, OfMatrices) {
  forEach([](const Build &build) {
    const auto run = [&](Shape source, Shape target, std::uint32_t radius, std::int64_t wide) {
      const Context &context = build.context();
      auto src = context.allocZeros<std::int32_t>(source);
      src.fill(3);
      auto dst = context.allocZeros<std::int32_t>(target);
      std::string told =
          outcome(build, "blur", {.global = {wide, 4}, .local = {4, 2}}, src, dst, radius);
      if (!told.ends_with("fault"))
        for (std::int32_t value : dst.download())
          EXPECT_EQ(value, 3 * static_cast<std::int32_t>(radius));
      return told;
    };
    EXPECT_EQ(run({4, 10}, {4, 8}, 3, 8), "");
    EXPECT_NE(run({4, 9}, {4, 8}, 3, 8).find("fault"), std::string::npos);
    EXPECT_NE(run({3, 10}, {4, 8}, 3, 8).find("fault"), std::string::npos);
    EXPECT_EQ(run({4, 8}, {4, 8}, 1, 8), "");
    // With a radius of 0 the kernel does not access src.
    EXPECT_EQ(run({4, 7}, {4, 8}, 0, 8).find("fault"), std::string::npos);
    EXPECT_EQ(run({1, 1}, {4, 8}, 0, 8).find("fault"), std::string::npos);
    EXPECT_NE(run({1, 1}, {4, 8}, 0, 8), "");
  });
}
