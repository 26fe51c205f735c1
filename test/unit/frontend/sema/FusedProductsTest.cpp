// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products beside + and - are fused, wherever they are and whatever is a vector.
#include "CheckedSource.h"
#include "gtest/gtest.h"

using spl::test::CheckedSource;

TEST(FusedProducts, OfScalarsAndVectorsOnBothSides) {
  const char *const values[][2] = {{"x", "u"}, {"y", "v"}, {"z", "w"}}; // a scalar, a vector
  for (bool isLeft : {true, false})
    for (const char *op : {"+", "-"})
      for (unsigned vectors = 0; vectors < 8; ++vectors)
        for (bool isStrict : {false, true})
          for (bool isInt : {false, true}) {
            auto value = [&](unsigned i) { return std::string(values[i][vectors >> i & 1]); };
            const std::string product = value(0) + " * " + value(1);
            const std::string sum =
                isLeft ? product + " " + op + " " + value(2) : value(2) + " " + op + " " + product;
            spl::sema::CheckOptions options;
            options.strictFp = isStrict;
            const std::string type = isInt ? "i32" : "f32";
            CheckedSource source("fn test(x: " + type + ", y: " + type + ", z: " + type +
                                     ", u: " + type + "x4, v: " + type + "x4, w: " + type +
                                     "x4):\n    val _x = " + sum + "\n",
                                 options);
            EXPECT_EQ(source.messages(), "") << sum;
            EXPECT_EQ(source.dump().find("fma") != std::string::npos, !isStrict && !isInt)
                << sum << "\n"
                << source.dump();
          }
}
