// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Print.h"
#include "cli/Values.h"
#include <gtest/gtest.h>
#include <sstream>

using namespace spl::cli;

namespace {

std::string printed(const std::string &buffer, bool full = false) {
  std::ostringstream os;
  printArray(os, "out", parseBuffer(buffer), full);
  return os.str();
}

TEST(Print, NestsByAxis) {
  EXPECT_EQ(printed("f32[4]=iota"), "out = [0, 1, 2, 3]\n");
  EXPECT_EQ(printed("i32[2,3]=iota"), "out = [[0, 1, 2], [3, 4, 5]]\n");
  EXPECT_EQ(printed("i32[1,2,2]=iota"), "out = [[[0, 1], [2, 3]]]\n");
}

TEST(Print, EmptyArrays) {
  EXPECT_EQ(printed("f32[0]"), "out = []\n");
  EXPECT_EQ(printed("f32[2,0]"), "out = [[], []]\n");
  EXPECT_EQ(printed("f32[0,2]"), "out = []\n");
}

TEST(Print, ShortensLongAxesInTheMiddle) {
  EXPECT_EQ(printed("i32[33]=iota"), "out = [0, 1, 2, 3, 4, 5, 6, 7, ..., 25, 26, 27, 28, 29, 30, "
                                     "31, 32]\n");
  EXPECT_EQ(printed("i32[33]=iota", true).find("..."), std::string::npos);
  EXPECT_EQ(printed("i32[32]=iota").find("..."), std::string::npos);
}

} // namespace
