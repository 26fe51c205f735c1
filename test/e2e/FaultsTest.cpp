// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests failed checks: the exact text of the error, and the memory after a fault.
#include "test/e2e/Harness.h"

#include <algorithm>
#include <optional>

using namespace spl;
using namespace spl::e2e;

namespace {

const Source source{"faults.spl"};

/// The "path:line:column" of \p piece in the line that ends with the comment "# tag".
std::string placeOf(const std::string &tag, const std::string &piece) {
  const std::string text = source.text();
  const std::size_t comment = text.find("  # " + tag + "\n");
  if (comment == std::string::npos)
    throw std::runtime_error("no line is marked " + tag);
  const std::size_t start = text.rfind('\n', comment) + 1;
  const std::size_t at = text.find(piece, start);
  if (at >= comment)
    throw std::runtime_error("no '" + piece + "' on the line marked " + tag);
  return source.path() + ":" +
         std::to_string(std::count(text.begin(), text.begin() + at, '\n') + 1) + ":" +
         std::to_string(at - start + 1);
}

template <class F> std::optional<Error> errorOf(F &&f) {
  try {
    f();
    return std::nullopt;
  } catch (const Error &error) {
    return error;
  }
}

/// The compiler options with checks.
std::vector<jit::Options> checkedOptions() {
  std::vector<jit::Options> options;
  for (int level : {0, 2, 3})
    options.push_back({.optLevel = level});
  return options;
}

constexpr std::int32_t untouched = -12345;
constexpr std::int64_t n = 1025, local = 64;

std::vector<std::int32_t> numbers(std::size_t count) {
  std::vector<std::int32_t> values(count);
  for (std::size_t i = 0; i != count; ++i)
    values[i] = static_cast<std::int32_t>(i * 31 % 1009 + 2);
  return values;
}

/// Checks the text of the fault, its location, and its work-item and group.
void expectFault(const std::optional<Error> &error, const std::string &place,
                 const std::string &sentence, const std::string &name,
                 const std::array<std::int64_t, 3> &item,
                 const std::array<std::int64_t, 3> &group) {
  ASSERT_TRUE(error) << "nothing failed where this should: " << sentence;
  EXPECT_EQ(error->code(), ErrorCode::KernelFault) << error->what();
  const auto triple = [](const std::array<std::int64_t, 3> &ids) {
    return "(" + std::to_string(ids[0]) + ", " + std::to_string(ids[1]) + ", " +
           std::to_string(ids[2]) + ")";
  };
  EXPECT_EQ(error->what(), place + ": error: " + sentence + " [" + name + "]; in work-item " +
                               triple(item) + " of group " + triple(group));
  ASSERT_TRUE(error->fault());
  EXPECT_EQ(error->fault()->workItem, item);
  EXPECT_EQ(error->fault()->group, group);
}

/// Launches a kernel of (source, at, out) with one invalid element of at, then with valid elements.
template <class Index>
void tryIndex(const Build &build, const std::string &kernel, const std::string &tag,
              const std::string &piece, Index wrong, const std::string &sentence,
              std::size_t failing = 700) {
  SCOPED_TRACE(kernel);
  const auto source = numbers(100);
  std::vector<Index> at(n);
  for (std::size_t i = 0; i != at.size(); ++i)
    at[i] = static_cast<Index>(i % 100);
  const std::vector<Index> right = at;
  at[failing] = wrong;
  std::vector<std::int32_t> out(n, untouched);
  const LaunchConfig config{.global = {n}, .local = {local}};
  const auto item = static_cast<std::int64_t>(failing);
  expectFault(errorOf([&] { build.run(kernel, config, source, at, out); }), placeOf(tag, piece),
              sentence, "index-out-of-bounds", {item, 0, 0}, {item / local, 0, 0});
  // The context and the kernel continue working.
  build.run(kernel, config, source, right, out);
  EXPECT_TRUE(std::none_of(out.begin(), out.end(), [](auto value) { return value == untouched; }));
}

template <class F> void forEachChecked(F &&f) { forEachBuild(source, checkedOptions(), f); }

} // namespace

TEST(Faults, AnIndexOutside) {
  forEachChecked([](const Build &build) {
    const std::int64_t least = std::numeric_limits<std::int64_t>::min();
    const std::int64_t most = std::numeric_limits<std::int64_t>::max();
    for (const auto &[wrong, text] : {std::pair{std::int64_t(100), "100"},
                                      {std::int64_t(-1), "-1"},
                                      {least, "-9223372036854775808"},
                                      {most, "9223372036854775807"},
                                      {std::int64_t(1) << 32, "4294967296"}}) {
      const std::string sentence =
          "index " + std::string(text) + " is out of bounds for 'source' of length 100";
      tryIndex(build, "read", "read", "source[", wrong, sentence);
      tryIndex(build, "read_in_condition", "read_in_condition", "source[", wrong, sentence);
      tryIndex(build, "read_unused", "read_unused", "source[", wrong, sentence);
    }
    tryIndex(build, "read", "read", "source[", std::int64_t(277),
             "index 277 is out of bounds for 'source' of length 100", 0);
    tryIndex(build, "read", "read", "source[", std::int64_t(277),
             "index 277 is out of bounds for 'source' of length 100", 1024);
  });
}

TEST(Faults, AnIndexOfAnotherType) {
  forEachChecked([](const Build &build) {
    tryIndex(build, "read_u64", "read_u64", "source[", std::uint64_t(100),
             "index 100 is out of bounds for 'source' of length 100");
    tryIndex(build, "read_i8", "read_i8", "source[", std::int8_t(-128),
             "index -128 is out of bounds for 'source' of length 100");
    tryIndex(build, "read_u8", "read_u8", "source[", std::uint8_t(255),
             "index 255 is out of bounds for 'source' of length 100");
  });
}

TEST(Faults, AnIndexBeyondTheSignedRange) {
  forEachChecked([](const Build &build) {
    tryIndex(build, "read_u64", "read_u64", "source[", (std::uint64_t(1) << 63) + 5,
             "index 9223372036854775813 is out of bounds for 'source' of length 100");
    tryIndex(build, "read_u64", "read_u64", "source[", ~std::uint64_t(0),
             "index 18446744073709551615 is out of bounds for 'source' of length 100");
  });
}

TEST(Faults, InACalledFunctionAndInALoop) {
  forEachChecked([](const Build &build) {
    tryIndex(build, "read_in_function", "fetch", "values[", std::int64_t(100),
             "index 100 is out of bounds for 'values' of length 100");
    tryIndex(build, "read_in_loop", "read_in_loop", "source[", std::int64_t(1000000),
             "index 100 is out of bounds for 'source' of length 100");
  });
}

TEST(Faults, AWriteOutside) {
  forEachChecked([](const Build &build) {
    for (const char *kernel : {"write", "add_to"}) {
      const auto values = numbers(n);
      std::vector<std::int64_t> at(n);
      for (std::size_t i = 0; i != at.size(); ++i)
        at[i] = n - 1 - static_cast<std::int64_t>(i);
      at[33] = n;
      std::vector<std::int32_t> out(n);
      expectFault(
          errorOf([&] { build.run(kernel, {.global = {n}, .local = {local}}, values, at, out); }),
          placeOf(kernel, "out["), "index 1025 is out of bounds for 'out' of length 1025",
          "index-out-of-bounds", {33, 0, 0}, {0, 0, 0});
    }
  });
}

TEST(Faults, AccessesByTheOwnIdFailAtTheFirstElementOutside) {
  forEachChecked([](const Build &build) {
    const std::vector<std::int64_t> at(1);
    for (std::int64_t shorter : {0, 1, 63, 64, 65, 1000, 1023}) {
      const auto brief = numbers(static_cast<std::size_t>(shorter)), whole = numbers(1024);
      std::vector<std::int32_t> out(1024, untouched);
      std::vector<std::int32_t> briefOut(static_cast<std::size_t>(shorter), untouched);
      // A single group, so that the first failing work-item is the one that is reported.
      const LaunchConfig config{.global = {1024}, .local = {1024}};
      if (build.isPtx()) { // any of them may be the first
        const auto error = errorOf([&] { build.run("read_straight", config, brief, at, out); });
        ASSERT_TRUE(error && error->fault());
        EXPECT_GE(error->fault()->value, shorter);
        EXPECT_EQ(error->fault()->workItem[0], error->fault()->value);
        EXPECT_TRUE(errorOf([&] { build.run("write_straight", config, whole, at, briefOut); }));
        continue;
      }
      const std::string index = std::to_string(shorter);
      expectFault(errorOf([&] { build.run("read_straight", config, brief, at, out); }),
                  placeOf("read_straight", "source["),
                  "index " + index + " is out of bounds for 'source' of length " + index,
                  "index-out-of-bounds", {shorter, 0, 0}, {0, 0, 0});
      expectFault(errorOf([&] { build.run("write_straight", config, whole, at, briefOut); }),
                  placeOf("write_straight", "out["),
                  "index " + index + " is out of bounds for 'out' of length " + index,
                  "index-out-of-bounds", {shorter, 0, 0}, {0, 0, 0});
    }
  });
}

TEST(Faults, BeforeTheFirstElementAndBehindTheLast) {
  forEachChecked([](const Build &build) {
    const std::vector<std::int64_t> at(1);
    std::vector<std::int32_t> out(1024, untouched);
    const LaunchConfig config{.global = {1024}, .local = {1024}};
    expectFault(errorOf([&] { build.run("read_neighbours", config, numbers(1025), at, out); }),
                placeOf("read_neighbours", "source[i - 1]"),
                "index -1 is out of bounds for 'source' of length 1025", "index-out-of-bounds",
                {0, 0, 0}, {0, 0, 0});
    expectFault(errorOf([&] { build.run("read_behind", config, numbers(1024), at, out); }),
                placeOf("read_behind", "source[i + 1]"),
                "index 1024 is out of bounds for 'source' of length 1024", "index-out-of-bounds",
                {1023, 0, 0}, {0, 0, 0});
  });
}

TEST(Faults, DivisionAndRemainderByZero) {
  forEachChecked([](const Build &build) {
    for (const auto &[kernel, piece] : {std::pair{"divide", "a[i] / b[i]"},
                                        {"remainder", "a[i] % b[i]"},
                                        {"divide_place", "out[i] /="},
                                        {"divide_unused", "a[i] / b[i]"}}) {
      SCOPED_TRACE(kernel);
      const auto a = numbers(n);
      auto b = numbers(n);
      b[700] = 0;
      std::vector<std::int32_t> out(n, untouched);
      const LaunchConfig config{.global = {n}, .local = {local}};
      expectFault(errorOf([&] { build.run(kernel, config, a, b, out); }), placeOf(kernel, piece),
                  "division by zero", "division-by-zero", {700, 0, 0}, {10, 0, 0});
      b[700] = 1;
      EXPECT_NO_THROW(build.run(kernel, config, a, b, out));
    }
  });
}

TEST(Faults, NegativeExponent) {
  forEachChecked([](const Build &build) {
    for (const char *kernel : {"power", "power_unused"}) {
      auto b = numbers(n);
      b[1024] = -3;
      std::vector<std::int32_t> out(n, untouched);
      expectFault(errorOf([&] {
                    build.run(kernel, {.global = {n}, .local = {local}}, numbers(n), b, out);
                  }),
                  placeOf(kernel, "a[i] **"), "negative exponent -3", "negative-exponent",
                  {1024, 0, 0}, {16, 0, 0});
    }
  });
}

TEST(Faults, OnThreeAxes) {
  forEachChecked([](const Build &build) {
    const std::vector<std::int32_t> a = {95};
    std::vector<std::int32_t> out(100);
    expectFault(
        errorOf([&] { build.run("in_space", {.global = {8, 6, 4}, .local = {4, 3, 2}}, a, out); }),
        placeOf("in_space", "out["), "index 100 is out of bounds for 'out' of length 100",
        "index-out-of-bounds", {5, 3, 2}, {1, 1, 1});
  });
}

TEST(Faults, WhatIsNotReachedDoesNotFail) {
  forEachChecked([](const Build &build) {
    std::vector<std::int32_t> a(n), b(n), out(n);
    for (std::size_t i = 0; i != a.size(); ++i)
      a[i] = -static_cast<std::int32_t>(i % 7);
    build.run("not_reached", {.global = {n}}, a, b, out);
    expectEach(out, [](auto) { return 7; }, "untouched by faults");
  });
}

// Stores of other work-items may happen or not. The failing work-item stores nothing after its
// fault.
TEST(Faults, LeaveOnlyStoresOfOtherWorkItems) {
  forEachChecked([](const Build &build) {
    const auto source = numbers(100);
    std::vector<std::int64_t> at(n);
    for (std::size_t i = 0; i != at.size(); ++i)
      at[i] = static_cast<std::int64_t>(i % 100);
    at[777] = 100;
    const Context &context = build.context();
    Buffer sourceBuffer = context.allocUpload<std::int32_t>(source);
    Buffer atBuffer = context.allocUpload<std::int64_t>(at);
    auto out = context.alloc<std::int32_t>(n);
    out.fill(untouched);
    EXPECT_TRUE(errorOf([&] {
      build.launch("read", {.global = {n}, .local = {local}}, sourceBuffer, atBuffer, out);
      context.sync();
    }));
    const auto left = out.download();
    for (std::size_t i = 0; i != left.size(); ++i)
      EXPECT_TRUE(left[i] == untouched || (i != 777 && left[i] == 1 + source[i % 100])) << i;
  });
}

// Only the selected kinds of checks fail.
TEST(Faults, OfTheKindsThatAreChecked) {
  forEachBuild(source, {{.optLevel = 2, .checks = "bounds"}, {.optLevel = 0, .checks = "bounds"}},
               [](const Build &build) {
                 tryIndex(build, "read", "read", "source[", std::int64_t(100),
                          "index 100 is out of bounds for 'source' of length 100");
               });
  forEachBuild(source, {{.optLevel = 2, .checks = "division,exponent"}}, [](const Build &build) {
    auto b = numbers(n);
    b[0] = 0;
    std::vector<std::int32_t> out(n);
    const auto division =
        errorOf([&] { build.run("divide", {.global = {n}}, numbers(n), b, out); });
    ASSERT_TRUE(division);
    EXPECT_NE(std::string(division->what()).find("[division-by-zero]"), std::string::npos);
    b[0] = -1;
    const auto exponent = errorOf([&] { build.run("power", {.global = {n}}, numbers(n), b, out); });
    ASSERT_TRUE(exponent);
    EXPECT_NE(std::string(exponent->what()).find("[negative-exponent]"), std::string::npos);
  });
}
