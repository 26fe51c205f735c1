// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests when a launch contract holds.
#include "runtime/launch/LaunchContract.h"

#include <spl/Error.h>

#include <gtest/gtest.h>

#include <cstring>
#include <deque>
#include <limits>
#include <optional>
#include <random>

using namespace spl;
using Integer = std::int64_t;

namespace {

constexpr Integer most = std::numeric_limits<Integer>::max();
constexpr Integer least = std::numeric_limits<Integer>::min();

/// The parameters of a launch in the layout of the kernel ABI.
class Params {
public:
  template <typename T> Params &add(T value) {
    // Fill bytes that a narrow type must not read.
    std::memset(&slots.emplace_back(), 0xa5, sizeof(Integer));
    std::memcpy(&slots.back(), &value, sizeof value);
    pointers.push_back(&slots.back());
    return *this;
  }
  Params &slice(std::initializer_list<Integer> extents) {
    add(Integer{0x7fff00000000});
    for (Integer extent : extents)
      add(extent);
    return *this;
  }
  operator std::span<void *const>() const { return pointers; }

private:
  std::deque<Integer> slots;
  std::vector<void *> pointers;
};

const detail::Geometry plain = {.numGroups = {1, 1, 1}, .localSize = {1, 1, 1}};

std::size_t versionOf(const std::string &signature, const Params &params,
                      const detail::Geometry &geometry = plain) {
  return Signature::parse(signature).launchContract()->version(params, geometry);
}

bool holds(const std::string &signature, const Params &params,
           const detail::Geometry &geometry = plain) {
  return versionOf(signature, params, geometry) == spl::abi::Contract::Unchecked;
}

bool holds(const std::string &condition) { return holds("k() unchecked if " + condition, {}); }

/// \p value as a contract contains it.
std::string written(Integer value) {
  if (value == least)
    return "(-" + std::to_string(most) + " - 1)";
  return std::to_string(value);
}

/// Whether \p sum is \p value. Tests it with conditions, as a contract has no other result.
bool is(const std::string &sum, Integer value) {
  return holds(sum + " <= " + written(value) + " and " + written(value) + " <= " + sum);
}

/// Whether \p sum overflows. Then no condition on it holds.
bool overflows(const std::string &sum) {
  return !holds(sum + " <= " + written(most)) && !holds(written(least) + " <= " + sum);
}

} // namespace

TEST(LaunchContract, ReadsPartsOfStructsAndVectors) {
  struct In {
    std::int8_t tag;
    alignas(16) std::int32_t v[4];
  };
  struct S {
    std::uint32_t n;
    In in[2];
    std::int64_t last;
  };
  const S s{7, {{-3, {10, 11, 12, 13}}, {-4, {20, 21, 22, 23}}}, -most};
  const std::string kernel =
      "struct In(tag: i8, v: i32x4) struct S(n: u32, in: [In; 2], last: i64) "
      "k(a: &[f32, 2], s: S, w: u16x4) unchecked if ";
  const std::uint16_t lanes[] = {1, 2, 3, 0x8000};
  const auto isMet = [&](const std::string &condition, const S &value) {
    const Integer address = 0, rows = 5, columns = 6;
    const std::vector<const void *> pointers = {&address, &rows, &columns, &value, lanes};
    std::vector<void *> params;
    for (const void *pointer : pointers)
      params.push_back(const_cast<void *>(pointer));
    return !Signature::parse(kernel + condition).launchContract()->firstUnmet(params, plain);
  };
  const std::pair<const char *, Integer> values[] = {
      {"s.n", 7},           {"s.in[0].tag", -3},  {"s.in[1].tag", -4}, {"s.in[0].v[0]", 10},
      {"s.in[0].v[3]", 13}, {"s.in[1].v[2]", 22}, {"s.last", -most},   {"w[0]", 1},
      {"w[2]", 3},          {"a.dim(1)", 6}};
  for (const auto &[path, value] : values) {
    EXPECT_TRUE(isMet(path + (" <= " + written(value)), s)) << path;
    EXPECT_TRUE(isMet(written(value) + " <= " + path, s)) << path;
    EXPECT_FALSE(isMet(path + (" <= " + written(value - 1)), s)) << path;
  }
  EXPECT_FALSE(isMet("0 <= w[3]", s)) << "above the signed maximum of its type";
  S large = s;
  large.n = 0x80000000u;
  EXPECT_FALSE(isMet("0 <= s.n", large));
}

TEST(LaunchContract, IsPartOfTheSignature) {
  const std::string contract = "min(gpu.global_size(0), out.len()) <= a.len() and "
                               "min(gpu.global_size(0), out.len()) <= b.len()";
  const std::string plainText =
      "struct P(x: f32) #[gpu(block: [256])] k(a: &[P], b: &[f32], out: &mut [f32])";
  const Signature signature = Signature::parse(plainText + " unchecked if " + contract);
  EXPECT_EQ(signature.contract(), contract);
  EXPECT_EQ(signature.str(), plainText + " unchecked if " + contract);
  EXPECT_EQ(signature.prototype(), "#[gpu(block: [256])] k(a: &[P], b: &[f32], out: &mut [f32])");
  EXPECT_EQ(signature.withoutContract().str(), plainText);
  EXPECT_EQ(signature.withoutContract().contract(), "");
  EXPECT_EQ(signature.withoutContract().launchContract(), nullptr);
  EXPECT_EQ(signature.contract(), contract) << "the copy's loss is not the signature's";
  EXPECT_EQ(Signature::parse(plainText).contract(), "");
  EXPECT_EQ(Signature::parse(plainText).launchContract(), nullptr);
}

TEST(LaunchContract, HoldsAtTheMaximumDepthOfEvaluation) {
  const auto repeated = [](const std::string &text, int count) {
    std::string result;
    for (int i = 0; i < count; ++i)
      result += text;
    return result;
  };
  EXPECT_TRUE(is(repeated("1 + 1 * min(7, ", 64) + "1 + 1 * 1" + repeated(")", 64), 8));
  EXPECT_TRUE(holds("1 <= " + repeated("(", 64) + "1" + repeated(")", 64) + " and (1) <= (2)"));

  // The first term is one step, each other term two. The rest of the condition has four steps.
  EXPECT_TRUE(holds("-1 <= 0" + repeated(" + 1", 2046)));
}

TEST(LaunchContract, ComputesAsMathematicsDoes) {
  EXPECT_TRUE(is("1 + 2 * 3", 7));
  EXPECT_TRUE(is("(1 + 2) * 3", 9));
  EXPECT_TRUE(is("10 - 3 - 2", 5));
  EXPECT_TRUE(is("100 / 7 / 2", 7));
  EXPECT_TRUE(is("100 / 7 * 2", 28));
  EXPECT_TRUE(is("2 * 100 / 7", 28));
  EXPECT_TRUE(is("-3 * -5", 15));
  EXPECT_TRUE(is("-3 - -5", 2));
  EXPECT_TRUE(is("-(3 - 5)", 2));
  EXPECT_TRUE(is("min(5)", 5));
  EXPECT_TRUE(is("min(3, 1, 2) * 10 + max(3, 1, 4, 2)", 14));
  EXPECT_TRUE(is("max(-3, -1, -2)", -1));
  EXPECT_TRUE(is("min(-3, -1, -2)", -3));
  EXPECT_TRUE(is("0 / 1", 0));
  EXPECT_TRUE(is("7 / 7", 1));
  EXPECT_TRUE(is("6 / 7", 0));
  EXPECT_TRUE(is(written(most) + " / 1", most));
  EXPECT_TRUE(is(written(least), least));
  EXPECT_TRUE(holds("3 <= 3"));
  EXPECT_FALSE(holds("4 <= 3"));
  EXPECT_TRUE(holds("-4 <= 3"));
  EXPECT_FALSE(holds("1 <= 2 and 2 <= 1"));
  EXPECT_FALSE(holds("2 <= 1 and 1 <= 2"));
  EXPECT_FALSE(holds("1 <= 2 and 2 <= 1 and 1 <= 2"));
}

TEST(LaunchContract, DoesNotHoldWhereAValueFitsNoI64) {
  const std::string max = written(most), min = written(least);
  EXPECT_TRUE(is(max + " + 0", most));
  EXPECT_TRUE(overflows(max + " + 1"));
  EXPECT_TRUE(overflows(min + " + -1"));
  EXPECT_TRUE(is(min + " - 0", least));
  EXPECT_TRUE(overflows(min + " - 1"));
  EXPECT_TRUE(overflows("0 - " + min));
  EXPECT_TRUE(is("-1 - " + min, most));
  EXPECT_TRUE(is("3037000499 * 3037000499", 9223372030926249001));
  EXPECT_TRUE(overflows("3037000500 * 3037000500"));
  EXPECT_TRUE(overflows(min + " * -1"));
  EXPECT_TRUE(is("4611686018427387904 * -2", least));
  EXPECT_TRUE(overflows("-" + min));
  EXPECT_TRUE(is("-(" + min + " + 1)", most));
  EXPECT_TRUE(overflows("1 / 0"));
  EXPECT_TRUE(overflows("1 / -1"));
  EXPECT_TRUE(overflows("-1 / 1"));
  EXPECT_TRUE(overflows(min + " / -1"));
  EXPECT_TRUE(overflows("(" + max + " + 1 - 1)"));
  EXPECT_TRUE(overflows("min(0, " + max + " + 1)"));
  EXPECT_TRUE(overflows("0 * (" + max + " + 1)"));
}

TEST(LaunchContract, ReadsArgumentsOfEveryIntegerType) {
  const std::string kernel =
      "k(a: i8, b: i16, c: i32, d: i64, e: u8, f: u16, g: u32, h: u64) unchecked if ";
  Params params;
  params.add(std::int8_t{-128}).add(std::int16_t{-32768});
  params.add(std::numeric_limits<std::int32_t>::min()).add(least);
  params.add(std::uint8_t{127}).add(std::uint16_t{32767}).add(0x7fffffffu);
  params.add(std::uint64_t{0x7fffffffffffffff});
  for (const char *each : {"a <= -128 and -128 <= a", "b <= -32768 and -32768 <= b",
                           "c <= -2147483648 and -2147483648 <= c", "d <= -9223372036854775807 - 1",
                           "e <= 127 and 127 <= e", "f <= 32767 and 32767 <= f",
                           "g <= 2147483647 and 2147483647 <= g", "9223372036854775807 <= h"})
    EXPECT_TRUE(holds(kernel + each, params)) << each;
}

TEST(LaunchContract, TakesEnumsAsTheNumbersThatTheyAreStoredAs) {
  const auto of = [](std::int32_t value) {
    return holds("enum Level(Low = -2, High = 7) k(e: Level) unchecked if 0 <= e and e <= 6",
                 Params().add(value));
  };
  EXPECT_TRUE(of(0));
  EXPECT_TRUE(of(6));
  EXPECT_FALSE(of(-2));
  EXPECT_FALSE(of(7));
}

TEST(LaunchContract, DoesNotHoldForUnsignedArgumentsAboveTheSignedMaximum) {
  const auto of = [](const std::string &type, auto value) {
    return holds("k(n: " + type + ") unchecked if 0 <= max(0, n)", Params().add(value));
  };
  EXPECT_TRUE(of("u8", std::uint8_t{127}));
  EXPECT_FALSE(of("u8", std::uint8_t{128}));
  EXPECT_FALSE(of("u8", std::uint8_t{255}));
  EXPECT_TRUE(of("i8", std::int8_t{-1}));
  EXPECT_TRUE(of("u16", std::uint16_t{0x7fff}));
  EXPECT_FALSE(of("u16", std::uint16_t{0x8000}));
  EXPECT_TRUE(of("i16", std::int16_t{-1}));
  EXPECT_TRUE(of("u32", 0x7fffffffu));
  EXPECT_FALSE(of("u32", 0x80000000u));
  EXPECT_TRUE(of("i32", -1));
  EXPECT_TRUE(of("u64", std::uint64_t{0x7fffffffffffffff}));
  EXPECT_FALSE(of("u64", std::uint64_t{0x8000000000000000}));
  EXPECT_TRUE(of("i64", Integer{-1}));
}

TEST(LaunchContract, FindsParametersBehindOthersOfEveryKind) {
  const std::string kernel =
      "struct P(a: i64, b: [i32; 7]) k(p: P, m: &[f32, 3], v: f32x4, n: u16, "
      "a: &mut [P], t: &[f32, 4], last: i8) unchecked if ";
  Params params;
  params.add(char{1}).slice({11, 12, 13}).add(1.0f).add(std::uint16_t{5}).slice({0});
  params.slice({21, 22, 23, 24}).add(std::int8_t{-9});
  const std::pair<const char *, Integer> values[] = {
      {"m.dim(0)", 11}, {"m.dim(1)", 12}, {"m.dim(2)", 13}, {"n", 5},         {"a.len()", 0},
      {"a.dim(0)", 0},  {"t.dim(0)", 21}, {"t.dim(1)", 22}, {"t.dim(3)", 24}, {"last", -9}};
  for (const auto &[text, value] : values) {
    EXPECT_TRUE(holds(kernel + text + " <= " + written(value), params)) << text;
    EXPECT_TRUE(holds(kernel + written(value) + " <= " + text, params)) << text;
  }
}

TEST(LaunchContract, KnowsTheGeometry) {
  const detail::Geometry geometry = {.numGroups = {7, 11, 13}, .localSize = {32, 3, 2}};
  const std::pair<const char *, Integer> values[] = {
      {"gpu.num_groups(0)", 7},    {"gpu.num_groups(1)", 11},  {"gpu.num_groups(2)", 13},
      {"gpu.local_size(0)", 32},   {"gpu.local_size(1)", 3},   {"gpu.local_size(2)", 2},
      {"gpu.global_size(0)", 224}, {"gpu.global_size(1)", 33}, {"gpu.global_size(2)", 26}};
  for (const auto &[text, value] : values) {
    const std::string conditions =
        text + (" <= " + written(value)) + " and " + written(value) + " <= " + text;
    EXPECT_TRUE(holds("k() unchecked if " + conditions, {}, geometry)) << text;
  }
  const detail::Geometry huge = {.numGroups = {most / 2 + 1, 1, 1}, .localSize = {2, 1, 1}};
  EXPECT_FALSE(holds("k() unchecked if 0 <= gpu.global_size(0)", {}, huge));
  EXPECT_FALSE(holds("k() unchecked if gpu.global_size(0) <= 0", {}, huge));
  EXPECT_TRUE(holds("k() unchecked if 0 <= gpu.global_size(1)", {}, huge));
}

TEST(LaunchContract, OfAddingVectors) {
  const std::string kernel = "vector_add(a: &[f32], b: &[f32], out: &mut [f32]) unchecked if "
                             "min(gpu.global_size(0), out.len()) <= a.len() and "
                             "min(gpu.global_size(0), out.len()) <= b.len()";
  const auto of = [&](Integer a, Integer b, Integer out, Integer groups) {
    return holds(kernel, Params().slice({a}).slice({b}).slice({out}),
                 {.numGroups = {groups, 1, 1}, .localSize = {256, 1, 1}});
  };
  EXPECT_TRUE(of(1000, 1000, 1000, 4));
  EXPECT_TRUE(of(1024, 1024, 5000, 4));
  EXPECT_FALSE(of(1023, 1024, 5000, 4));
  EXPECT_FALSE(of(1024, 1023, 5000, 4));
  EXPECT_TRUE(of(0, 0, 0, 4));
  EXPECT_FALSE(of(0, 0, 1, 1));
}

namespace {

using Wide = __int128;

/// A sum and its value. The value is empty if the sum overflows.
struct Valued {
  std::string text;
  std::optional<Wide> value;
};

/// Generates random sums by the grammar and computes their values in wider arithmetic.
class RandomSums {
public:
  explicit RandomSums(unsigned seed) : random(seed) {}

  const std::string kernel = "k(u: u32, i: i64, a: &[f32], m: &[f32, 2]) unchecked if ";
  Params params = std::move(
      Params().add(std::uint32_t{0x7fffffff}).add(least).slice({most}).slice({0, 4294967296}));

  Valued sum(int depth) {
    Valued left = product(depth);
    while (below(3) == 0) {
      const bool adds = below(2) == 0;
      const Valued right = product(depth);
      left = combined(left, adds ? " + " : " - ", right,
                      [=](Wide a, Wide b) { return std::optional(adds ? a + b : a - b); });
    }
    return left;
  }

private:
  int below(int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); }

  template <typename Compute>
  static Valued combined(const Valued &left, const std::string &sign, const Valued &right,
                         Compute compute) {
    Valued result{left.text + sign + right.text, std::nullopt};
    if (left.value && right.value)
      result.value = fitting(compute(*left.value, *right.value));
    return result;
  }

  static std::optional<Wide> fitting(std::optional<Wide> value) {
    return value && *value >= least && *value <= most ? value : std::nullopt;
  }

  Valued product(int depth) {
    Valued left = factor(depth);
    while (below(4) == 0) {
      const bool multiplies = below(2) == 0;
      const Valued right = factor(depth);
      left = combined(left, multiplies ? "*" : " / ", right, [=](Wide a, Wide b) {
        if (multiplies)
          return std::optional(a * b);
        return a < 0 || b < 1 ? std::nullopt : std::optional(a / b);
      });
    }
    return left;
  }

  Valued factor(int depth) {
    Valued inner = primary(depth);
    if (below(4) != 0)
      return inner;
    return {"-" + inner.text, inner.value ? fitting(-*inner.value) : std::nullopt};
  }

  Valued primary(int depth) {
    static const std::vector<Valued> leaves = {{"0", 0},
                                               {"1", 1},
                                               {"2", 2},
                                               {"7", 7},
                                               {"1000", 1000},
                                               {"4294967295", 4294967295},
                                               {"u", 0x7fffffff},
                                               {"i", least},
                                               {"a.len()", most},
                                               {"m.dim(0)", 0},
                                               {"m.dim(1)", 4294967296},
                                               {"gpu.global_size(1)", 15}};
    if (depth == 0 || below(2) == 0)
      return leaves[static_cast<std::size_t>(below(static_cast<int>(leaves.size())))];
    const int form = below(3);
    Valued inner = sum(depth - 1);
    while (form != 0 && below(2) == 0)
      inner = combined(inner, ",", sum(depth - 1), [=](Wide a, Wide b) {
        return std::optional(form == 1 ? std::min(a, b) : std::max(a, b));
      });
    return {(form == 0 ? "(" : form == 1 ? "min(" : "max(") + inner.text + ")", inner.value};
  }

  std::mt19937 random;
};

} // namespace

TEST(LaunchContract, AgreesWithWideArithmetic) {
  const detail::Geometry geometry = {.numGroups = {1, 5, 1}, .localSize = {1, 3, 1}};
  RandomSums sums(42);
  int held = 0, failed = 0, without = 0;
  for (int round = 0; round < 20000; ++round) {
    const Valued left = sums.sum(4), right = sums.sum(4);
    const std::string text = sums.kernel + left.text + "<=" + right.text;
    const bool hasValues = left.value && right.value;
    const bool expected = hasValues && *left.value <= *right.value;
    const Signature signature = Signature::parse(text);
    ASSERT_EQ(!signature.launchContract()->firstUnmet(sums.params, geometry), expected) << text;
    const Signature again = Signature::parse(signature.str());
    ASSERT_EQ(again.str(), signature.str());
    ASSERT_EQ(!again.launchContract()->firstUnmet(sums.params, geometry), expected) << again.str();
    ++(!hasValues ? without : expected ? held : failed);
  }
  EXPECT_GT(held, 1000);
  EXPECT_GT(failed, 1000);
  EXPECT_GT(without, 1000);
}

TEST(LaunchContract, NeverCrashesOnDamagedText) {
  const std::string sound =
      "k(n: i32, a: &[f32], m: &mut [f32, 2]) unchecked if min(n, a.len() * 3) "
      "<= (m.dim(1) - 1) / 2 and if gpu.local_size(0) + 12 <= max(0, -n)";
  const Params params = std::move(Params().add(3).slice({5}).slice({7, 9}));
  std::mt19937 random(11);
  int refused = 0;
  for (int round = 0; round < 20000; ++round) {
    std::string text = sound;
    for (int change = 0; change < 2; ++change)
      text[39 + random() % (text.size() - 39)] = sound[random() % sound.size()];
    try {
      const Signature signature = Signature::parse(text);
      ASSERT_NE(signature.launchContract(), nullptr) << text;
      EXPECT_LT(signature.launchContract()->version(params, plain), signature.versionCount());
      EXPECT_EQ(Signature::parse(signature.str()).str(), signature.str());
    } catch (const Error &error) {
      ++refused;
      EXPECT_EQ(error.code(), ErrorCode::InvalidImage);
    }
  }
  EXPECT_GT(refused, 10000);
  EXPECT_LT(refused, 20000);
}

// The condition that spl-small-sizes adds. Without the extents, a product of 0 would hide a large
// one.
TEST(LaunchContract, LimitsSizes) {
  const std::string text =
      "k(a: &[u8], m: &[f32, 2]) unchecked if max(a.len(), m.dim(0), m.dim(1), "
      "m.dim(0) * m.dim(1), gpu.global_size(0)) <= 2000000000";
  const Integer limit = 2000000000;
  const auto fits = [&](Integer length, Integer rows, Integer columns,
                        const detail::Geometry &geometry = plain) {
    return holds(text, Params().slice({length}).slice({rows, columns}), geometry);
  };
  EXPECT_TRUE(fits(limit, 2, limit / 2));
  EXPECT_FALSE(fits(limit + 1, 2, 3));
  EXPECT_FALSE(fits(1, 2, limit / 2 + 1));
  EXPECT_FALSE(fits(1, 0, limit + 1));
  EXPECT_FALSE(fits(1, Integer{1} << 40, Integer{1} << 40));
  const detail::Geometry wide = {.numGroups = {7812500, 1, 1}, .localSize = {256, 1, 1}},
                         wider = {.numGroups = {7812501, 1, 1}, .localSize = {256, 1, 1}};
  EXPECT_TRUE(fits(1, 2, 3, wide));
  EXPECT_FALSE(fits(1, 2, 3, wider));
}

// Each group of conditions is evaluated, also after one that does not hold.
TEST(ContractEvaluation, SelectsTheVersionForTheUnmetGroups) {
  const std::string three =
      "k(a: i32, b: i32, c: u32) unchecked if a <= 1 and 0 <= a and if b / a <= 5 and if c <= 2";
  constexpr std::size_t checked = spl::abi::Contract::Checked,
                        unchecked = spl::abi::Contract::Unchecked,
                        unmet = spl::abi::Contract::FirstUnmet;
  struct Case {
    std::int32_t a, b;
    std::uint32_t c;
    std::size_t version;
  };
  const Case cases[] = {
      {1, 5, 2, unchecked}, {2, 5, 2, unmet},
      {-1, 5, 2, checked},  {1, 6, 2, unmet + 1},
      {1, 5, 3, unmet + 2}, {2, 5, 3, checked},
      {1, 6, 3, checked},   {2, 12, 2, checked},
      {2, 12, 3, checked},  {0, 5, 2, unmet + 1},
      {0, 5, 3, checked},   {1, -1, 2, unmet + 1},
      {2, 11, 2, unmet},    {1, 5, 0x80000000, unmet + 2},
  };
  for (const auto &[a, b, c, version] : cases)
    EXPECT_EQ(versionOf(three, Params().add(a).add(b).add(c)), version)
        << a << ' ' << b << ' ' << c;
  for (std::int32_t a : {1, 2}) // one group has no version for itself
    EXPECT_EQ(versionOf("k(a: i32) unchecked if a <= 1 and 0 <= a", Params().add(a)),
              a == 1 ? unchecked : checked);
}
