// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Values.h"
#include "tools/driver/Elements.h"
#include "tools/driver/Failure.h"
#include <gtest/gtest.h>

using namespace spl;
using namespace spl::driver;

namespace {

const Parameter floats{"a", {ScalarType::F32, 1, false}};
const Parameter count{"n", {ScalarType::I32, 0, false}};

HostArray array(const std::string &text, const Parameter &parameter = floats) {
  return std::get<HostArray>(parseValue(text, parameter));
}

std::vector<std::string> texts(const HostArray &array) {
  std::vector<std::string> result;
  for (std::int64_t i = 0; i != array.size(); ++i)
    result.push_back(formatElement(array.element, array.at(i)));
  return result;
}

std::string refusal(const std::string &text, const Parameter &parameter = floats) {
  try {
    parseValue(text, parameter);
  } catch (const Failure &failure) {
    return failure.what();
  }
  return "accepted";
}

using Texts = std::vector<std::string>;

TEST(Values, Lists) {
  EXPECT_EQ(texts(array("1,2.5,-3")), (Texts{"1", "2.5", "-3"}));
  EXPECT_EQ(texts(array("1, 2 ,3")), (Texts{"1", "2", "3"}));
  EXPECT_EQ(array("7").shape, std::vector<std::int64_t>{1});
}

TEST(Values, ShapesWithFills) {
  EXPECT_EQ(texts(array("f32[3]")), (Texts{"0", "0", "0"}));
  EXPECT_EQ(texts(array("f32[2]=1.5")), (Texts{"1.5", "1.5"}));
  EXPECT_EQ(texts(array("f32[3]=iota")), (Texts{"0", "1", "2"}));
  EXPECT_EQ(array("f32[0]").size(), 0);
  EXPECT_EQ(parseBuffer("i32[2, 3]=iota").shape, (std::vector<std::int64_t>{2, 3}));
}

TEST(Values, RandomIsUniformSeededAndBelowOne) {
  const HostArray one = array("f32[1000]=random:7");
  EXPECT_EQ(one.bytes, array("f32[1000]=random:7").bytes);
  EXPECT_NE(one.bytes, array("f32[1000]=random:8").bytes);
  double sum = 0;
  for (std::int64_t i = 0; i != one.size(); ++i) {
    const double value = *reinterpret_cast<const float *>(one.at(i));
    EXPECT_TRUE(value >= 0 && value < 1) << value;
    sum += value;
  }
  EXPECT_NEAR(sum / 1000, 0.5, 0.05);
}

TEST(Values, ScalarsAndOtherBuffers) {
  EXPECT_EQ(formatElement(ScalarType::I32, std::get<Value>(parseValue("-7", count)).bytes.data()),
            "-7");
  EXPECT_EQ(std::get<SameAs>(parseValue("=b", floats)).other, "b");
}

TEST(Values, Refusals) {
  EXPECT_EQ(refusal("1,x"), "'x' is not a value of f32");
  EXPECT_EQ(refusal(""), "'' is not a value of f32");
  EXPECT_EQ(refusal("1,"), "'' is not a value of f32");
  EXPECT_EQ(refusal("f64[4]"), "parameter 'a' is &[f32]; 'f64[4]' holds f64 of rank 1");
  EXPECT_EQ(refusal("f32[2,2]"), "parameter 'a' is &[f32]; 'f32[2,2]' holds f32 of rank 2");
  EXPECT_EQ(refusal("f31[4]"), "'f31' is not an element type");
  EXPECT_EQ(refusal("f32[4"), "'f32[4' lacks a closing ']'");
  EXPECT_EQ(refusal("f32[-1]"), "'-1' is not a length");
  EXPECT_EQ(refusal("f32[4]1"), "after ']' comes '=' and a fill, not '1'");
  EXPECT_EQ(refusal("f32[4]=random:x"), "'x' is not a seed");
  EXPECT_EQ(refusal("f32[99999999999999999]"),
            "'f32[99999999999999999]' is larger than any memory");
  EXPECT_EQ(refusal("2147483648", count), "'2147483648' is out of range for i32");
}

} // namespace
