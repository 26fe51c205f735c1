// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Values.h"
#include "cli/Elements.h"
#include "cli/Failure.h"
#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <tuple>

using namespace spl;
using namespace spl::cli;

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

/// The numbers of an array of this type with a random fill.
template <class T> std::vector<T> randomNumbers(const char *name, const std::string &fill) {
  const Signature signature = Signature::parse(std::string("k(a: &[") + name + "])");
  const HostArray made =
      array(std::string(name) + "[2000]=random:" + fill, signature.parameters()[0]);
  std::vector<T> numbers(2000);
  std::memcpy(numbers.data(), made.bytes.data(), made.bytes.size());
  return numbers;
}

template <class T> void expectRandomIntegers(const char *name) {
  SCOPED_TRACE(name);
  EXPECT_EQ(randomNumbers<T>(name, "7"), randomNumbers<T>(name, "7"));
  EXPECT_NE(randomNumbers<T>(name, "7"), randomNumbers<T>(name, "8"));
  const std::vector<T> all = randomNumbers<T>(name, "7"), some = randomNumbers<T>(name, "7:3..10");
  // Each half and quarter of all values has its share.
  for (int part = 0; part != 4; ++part)
    EXPECT_NEAR(std::ranges::count_if(all,
                                      [&](T x) {
                                        using U = std::make_unsigned_t<T>;
                                        return U(x) >> (sizeof(T) * 8 - 2) == U(part);
                                      }),
                500, 100);
  EXPECT_EQ(std::set<T>(some.begin(), some.end()), (std::set<T>{3, 4, 5, 6, 7, 8, 9}));
}

TEST(Values, RandomIntegersHaveAllValuesOrThoseOfARange) {
  expectRandomIntegers<std::int8_t>("i8");
  expectRandomIntegers<std::uint8_t>("u8");
  expectRandomIntegers<std::int16_t>("i16");
  expectRandomIntegers<std::uint16_t>("u16");
  expectRandomIntegers<std::int32_t>("i32");
  expectRandomIntegers<std::uint32_t>("u32");
  expectRandomIntegers<std::int64_t>("i64");
  expectRandomIntegers<std::uint64_t>("u64");
  const auto wide =
      randomNumbers<std::int64_t>("i64", "1:-9223372036854775808..9223372036854775807");
  EXPECT_NEAR(std::ranges::count_if(wide, [](auto x) { return x < 0; }), 1000, 150);
  const auto signs = randomNumbers<std::int8_t>("i8", "1:-128..-126");
  EXPECT_EQ(std::set<std::int8_t>(signs.begin(), signs.end()), (std::set<std::int8_t>{-128, -127}));
}

TEST(Values, RandomFloatsOfARange) {
  for (float x : randomNumbers<float>("f32", "7:-1.5..2"))
    EXPECT_TRUE(x >= -1.5f && x < 2) << x;
  for (f16 x : randomNumbers<f16>("f16", "7:2..2.002"))
    EXPECT_EQ(static_cast<float>(x), 2); // there is one number of f16 below the end
  EXPECT_EQ(refusal("f32[4]=random:1:2..2"), "'2..2' is an empty range; LOW must be below HIGH");
  EXPECT_EQ(refusal("f32[4]=random:1:0..inf"),
            "'0..inf' is not a range; LOW and HIGH must be finite");
  EXPECT_EQ(refusal("f32[4]=random:1:nan..1"),
            "'nan..1' is not a range; LOW and HIGH must be finite");
  EXPECT_EQ(refusal("f32[4]=random:1:5"), "'5' is not a range; a range is LOW..HIGH");
  EXPECT_EQ(refusal("f32[4]=random:1:"), "'random:1:' ends in ':'; a range is LOW..HIGH");
  EXPECT_EQ(refusal("f32[4]=random:1:..2"), "'..2' lacks LOW; a range is LOW..HIGH");
}

TEST(Values, ScalarsAndOtherBuffers) {
  EXPECT_EQ(formatElement(ScalarType::I32, std::get<Value>(parseValue("-7", count)).bytes.data()),
            "-7");
  EXPECT_EQ(std::get<SameAs>(parseValue("=b", floats)).other, "b");
}

const Signature composed = Signature::parse(
    "enum Level(Low = 0, High = 10) struct Spin(axis: u8, rate: f64) struct Body(pos: f32x4, "
    "spins: "
    "[Spin; 2], level: Level, on: bool) k(b: Body, v: u8x4, l: Level, bs: &[Body], vs: &[f32x4], "
    "ls: &[Level], rows: &mut [[i16; 3]], m: &[f32x2, 2], h: &[f16], bh: &[bf16])");

const Parameter &parameter(const char *name) {
  return composed.parameters()[*composed.indexOf(name)];
}

Texts composedTexts(const std::string &text, const char *name) {
  return texts(array(text, parameter(name)));
}

TEST(Values, OfComposedTypesAreTheirNumbersInOrder) {
  auto one = [](const std::string &text, const char *name) {
    const Value value = std::get<Value>(parseValue(text, parameter(name)));
    EXPECT_EQ(value.bytes.size(), value.type.size());
    return formatElement(value.type, value.bytes.data());
  };
  EXPECT_EQ(one("1, 2,3,4, 5,6.5,7,8, High,true", "b"),
            "(pos: (1, 2, 3, 4), spins: [(axis: 5, rate: 6.5), (axis: 7, rate: 8)], level: High, "
            "on: true)");
  EXPECT_EQ(one("1,0xff,3,4", "v"), "(1, 255, 3, 4)");
  EXPECT_EQ(one("Low", "l"), "Low");
  EXPECT_EQ(one("10", "l"), "High");
  EXPECT_EQ(composedTexts("1,2,3,4,5,6,7,8", "vs"), (Texts{"(1, 2, 3, 4)", "(5, 6, 7, 8)"}));
  EXPECT_EQ(composedTexts("Low,10,High", "ls"), (Texts{"Low", "High", "High"}));
  EXPECT_EQ(composedTexts("-1,2,3", "rows"), (Texts{"[-1, 2, 3]"}));
  EXPECT_EQ(composedTexts("0.1,65504,1e3,nan,-inf", "h"),
            (Texts{"0.1", "65504", "1000", "nan", "-inf"}));
  EXPECT_EQ(composedTexts("0.1,3e38,-0", "bh"), (Texts{"0.1", "3e+38", "-0"}));
}

TEST(Values, FillsOfComposedTypesGoToEachNumberOrToEachElement) {
  EXPECT_EQ(composedTexts("f32x4[2]=1.5", "vs"),
            (Texts{"(1.5, 1.5, 1.5, 1.5)", "(1.5, 1.5, 1.5, 1.5)"}));
  EXPECT_EQ(composedTexts("f32x4[2]=iota", "vs"), (Texts{"(0, 1, 2, 3)", "(4, 5, 6, 7)"}));
  EXPECT_EQ(composedTexts("f32x4[2]=1,2,3,4", "vs"), (Texts{"(1, 2, 3, 4)", "(1, 2, 3, 4)"}));
  EXPECT_EQ(composedTexts("f32x2[1,2]=1,2,3,4", "m"), (Texts{"(1, 2)", "(3, 4)"}));
  EXPECT_EQ(composedTexts("f16[3]=1,2.5,-3", "h"), (Texts{"1", "2.5", "-3"}));
  EXPECT_EQ(composedTexts("Level[2]=High,Low", "ls"), (Texts{"High", "Low"}));
  EXPECT_EQ(composedTexts("[i16; 3][2]=iota", "rows"), (Texts{"[0, 1, 2]", "[3, 4, 5]"}));
  EXPECT_EQ(composedTexts("Level[2]=High", "ls"), (Texts{"High", "High"}));
  EXPECT_EQ(composedTexts("Body[1]=1,2,3,4,5,6,7,8,Low,true", "bs"),
            (Texts{"(pos: (1, 2, 3, 4), spins: [(axis: 5, rate: 6), (axis: 7, rate: 8)], level: "
                   "Low, on: true)"}));
  EXPECT_EQ(array("Body[3]", parameter("bs")).bytes, std::vector<std::byte>(3 * 64));
  EXPECT_EQ(array("f32x2[2,3]=iota", parameter("m")).shape, (std::vector<std::int64_t>{2, 3}));
  EXPECT_EQ(composedTexts("f16[3]=iota", "h"), (Texts{"0", "1", "2"}));
  const HostArray random = array("f16[500]=random:3", parameter("h"));
  for (std::int64_t i = 0; i != random.size(); ++i) {
    const auto value = float(*reinterpret_cast<const f16 *>(random.at(i)));
    EXPECT_TRUE(value >= 0 && value < 1) << value;
  }
}

TEST(Values, RandomBoolsAndEnumsHaveAllOfTheirValues) {
  const Texts levels = composedTexts("Level[500]=random:3", "ls");
  EXPECT_NEAR(std::ranges::count(levels, "High"), 250, 60);
  EXPECT_EQ(std::set<std::string>(levels.begin(), levels.end()),
            (std::set<std::string>{"Low", "High"}));
  const Signature flags = Signature::parse("k(a: &[bool])");
  EXPECT_NEAR(std::ranges::count(texts(array("bool[500]=random:3", flags.parameters()[0])), "true"),
              250, 60);
  const Texts bodies = composedTexts("Body[2]=random:3", "bs");
  EXPECT_NE(bodies[0], bodies[1]);
  EXPECT_EQ(bodies, composedTexts("Body[2]=random:3", "bs"));
}

TEST(Values, ShapesOfTypesWithBracketsTakeSpacesOrNone) {
  const Signature signature = Signature::parse(
      "struct Pair[i8, 5](a: i8, b: [i8; 5]) struct Box[Pair[i8, 5], [i16; 3]](p: Pair[i8, 5]) "
      "k(p: &[Pair[i8, 5]], b: &[Box[Pair[i8, 5], [i16; 3]], 2], a: &[[i16; 3]])");
  const auto &[pairs, boxes, arrays] =
      std::tie(signature.parameters()[0], signature.parameters()[1], signature.parameters()[2]);
  for (const char *text : {"Pair[i8, 5][3]=7", "Pair[i8,5][3]=7", "Pair [ i8 ,  5 ] [3]=7"})
    EXPECT_EQ(texts(array(text, pairs)), Texts(3, "(a: 7, b: [7, 7, 7, 7, 7])")) << text;
  EXPECT_EQ(texts(array("Pair[i8,5][1]=1,2,3,4,5,6", pairs)),
            (Texts{"(a: 1, b: [2, 3, 4, 5, 6])"}));
  for (const char *text : {"Box[Pair[i8, 5], [i16; 3]][2, 3]", "Box[Pair[i8,5],[i16;3]][2,3]",
                           "Box[Pair[i8, 5],[i16;3]][2,3]"})
    EXPECT_EQ(array(text, boxes).shape, (std::vector<std::int64_t>{2, 3})) << text;
  EXPECT_EQ(texts(array("[i16;3][1]=1,2,3", arrays)), (Texts{"[1, 2, 3]"}));
  EXPECT_EQ(refusal("Pair[i8,6][3]=7", pairs),
            "'Pair' is not an element type; that of the parameter is 'Pair[i8, 5]'");
  EXPECT_EQ(refusal("Pair[i 8,5][3]=7", pairs),
            "'Pair' is not an element type; that of the parameter is 'Pair[i8, 5]'");
  EXPECT_EQ(refusal("Pair[i8,5]=7", pairs),
            "'Pair' is not an element type; that of the parameter is 'Pair[i8, 5]'");
}

TEST(Values, OfComposedTypesThatDoNotFitAreRefused) {
  auto refused = [](const std::string &text, const char *name) {
    return refusal(text, parameter(name));
  };
  EXPECT_EQ(refused("1,2,3", "v"), "'1,2,3' has 3 numbers; u8x4 is made of 4");
  EXPECT_EQ(refused("1", "b"), "'1' has 1 number; Body is made of 10");
  EXPECT_EQ(refused("1,2,3,4,5", "vs"), "'1,2,3,4,5' has 5 numbers; f32x4 is made of 4");
  EXPECT_EQ(refused("1,2,3,256", "v"), "'256' is out of range for u8");
  EXPECT_EQ(refused("Hihg", "l"),
            "'Hihg' is not a member of Level; its members are: Low = 0, High = 10");
  EXPECT_EQ(refused("3", "l"), "'3' is not a member of Level; its members are: Low = 0, High = 10");
  EXPECT_EQ(refused("f32[4]", "vs"),
            "'f32[4]' holds f32 of rank 1; expected f32x4 of rank 1, as in 'f32x4[4]'");
  EXPECT_EQ(refused("f32x4[2,2]", "vs"),
            "'f32x4[2,2]' holds f32x4 of rank 2; expected f32x4 of rank 1, as in 'f32x4[64]'");
  EXPECT_EQ(refused("f32x4[2]=1,2", "vs"),
            "'1,2' has 2 numbers; the shape takes 4 for each element, 1 for all, or 8");
  EXPECT_EQ(refused("f32x2[2,2]=1,2,3", "m"),
            "'1,2,3' has 3 numbers; the shape takes 2 for each element, 1 for all, or 8");
  EXPECT_EQ(refused("f16[5]=1,2,3,4", "h"),
            "'1,2,3,4' has 4 numbers; the shape takes 1 for all, or 5");
  EXPECT_EQ(refused("f16[0]=1,2", "h"), "'1,2' has 2 numbers; the shape takes 1 for all, or 0");
  EXPECT_EQ(refused("f16[2]=1,", "h"), "'' is not a value of f16");
  EXPECT_EQ(refused("Level[2]=iota", "ls"), "iota counts; it cannot fill an array of Level");
  EXPECT_EQ(refused("Level[2]=random:1:0..2", "ls"),
            "'0..2' is a range of numbers, which Level does not have; 'random:SEED' alone makes "
            "any of its values");
  EXPECT_EQ(refused("Body[2]=random:1:0..2", "bs"),
            "'0..2' is a range of numbers, which Level does not have; 'random:SEED' alone makes "
            "any of its values");
  EXPECT_EQ(refused("Spin[2]", "bs"),
            "'Spin' is not an element type; that of the parameter is 'Body'");
  EXPECT_EQ(refused("65520", "h"), "'65520' is out of range for f16");
}

TEST(Values, Refusals) {
  EXPECT_EQ(refusal("1,x"), "'x' is not a value of f32");
  EXPECT_EQ(refusal(""), "the value is empty; a slice without elements is 'f32[0]'");
  EXPECT_EQ(refusal("1,"), "'' is not a value of f32");
  EXPECT_EQ(refusal("f64[4]"),
            "'f64[4]' holds f64 of rank 1; expected f32 of rank 1, as in 'f32[4]'");
  EXPECT_EQ(refusal("f32[2,2]"),
            "'f32[2,2]' holds f32 of rank 2; expected f32 of rank 1, as in 'f32[64]'");
  EXPECT_EQ(refusal("[1,2]"), "'[1,2]' begins with '['; a list is '1,2,3', zeros are 'f32[3]'");
  EXPECT_EQ(refusal("1 2,3"), "'1 2' has spaces; the numbers of a list are between commas");
  EXPECT_EQ(refusal("x.npy"), "'x.npy' is not a list; a file is '@x.npy'");
  EXPECT_EQ(refusal("f31[4]"), "'f31' is not an element type; that of the parameter is 'f32'");
  EXPECT_EQ(refusal("f32[4"), "'f32[4' lacks a closing ']'");
  EXPECT_EQ(refusal("f32[-1]"), "'-1' is not a length");
  EXPECT_EQ(refusal("f32[4]1"), "expected '=' and a fill after ']', found '1'");
  EXPECT_EQ(refusal("f32[4]=random:x"), "'x' is not a seed, which is a whole number from 0");
  EXPECT_EQ(refusal("f32[99999999999999999]"),
            "'f32[99999999999999999]' is larger than any memory");
  EXPECT_EQ(refusal("2147483648", count), "'2147483648' is out of range for i32");
}

} // namespace
