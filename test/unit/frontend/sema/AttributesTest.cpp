// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Attributes of kernels, from both sides of their limits.
#include "CheckedSource.h"
#include "gtest/gtest.h"

using spl::test::CheckedSource;

TEST(Attributes, MinBlocksIsFrom1To32) {
  for (int64_t count : {-2147483649l, -1l, 0l, 1l, 2l, 31l, 32l, 33l, 64l, 4294967297l}) {
    CheckedSource source("#[gpu(min_blocks: " + std::to_string(count) +
                         ")]\nfn k(a: &mut [f32]):\n    pass\n");
    EXPECT_EQ(source.messages(), count >= 1 && count <= 32 ? "" : "1:19 min-blocks") << count;
  }
}

TEST(Attributes, GroupSizesAreWithinTheLimitsOfEachAxisAndOfAll) {
  const int64_t limits[] = {1024, 1024, 64};
  for (unsigned axis = 0; axis < 3; ++axis)
    for (int64_t size : {int64_t(-1), int64_t(0), int64_t(1), int64_t(2), limits[axis] - 1,
                         limits[axis], limits[axis] + 1}) {
      std::string sizes;
      for (unsigned i = 0; i <= axis; ++i)
        sizes += (i ? ", " : "") + std::to_string(i == axis ? size : 1);
      CheckedSource source("#[gpu(block: [" + sizes + "])]\nfn k(a: &mut [f32]):\n    pass\n");
      EXPECT_EQ(source.messages().empty(), size >= 1 && size <= limits[axis])
          << sizes << ": " << source.messages();
    }
  for (auto [x, y, isSound] : {std::tuple(32, 32, true), std::tuple(32, 33, false),
                               std::tuple(1024, 1, true), std::tuple(513, 2, false)}) {
    CheckedSource source("#[gpu(block: [" + std::to_string(x) + ", " + std::to_string(y) +
                         "])]\nfn k(a: &mut [f32]):\n    pass\n");
    EXPECT_EQ(source.messages().empty(), isSound) << x << " " << y << " " << source.messages();
  }
}
