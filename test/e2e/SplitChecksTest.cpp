// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that loops whose checks are behind them (spl-split-checks) have the faults, results and
// stores that they have at -O0: for empty and reversed ranges, negative bounds, bounds at the
// limits of the type, and arrays with fewer or more elements than the type has numbers.
#include "test/e2e/Harness.h"

#include <algorithm>
#include <string>

using namespace spl;
using namespace spl::e2e;

namespace {

constexpr const char *kernels[] = {"loads",   "stores",   "breaks", "returns", "inclusive",
                                   "steps",   "reversed", "nested", "offset",  "products",
                                   "others",  "casts",    "whiles", "gathers", "chains",
                                   "strides", "grids"};

template <class T> std::string textOf(const Array<T> &array) {
  std::string text;
  for (const T &value : array.download())
    text += " " + std::to_string(value);
  return text;
}

/// The fault or nothing, and the contents of the arrays. A context of a GPU ends with a fault.
template <class T>
std::string outcome(const Build &build, const char *kernel, const std::vector<T> &range,
                    std::int64_t base, std::size_t ofX, std::size_t ofY) {
  std::vector<std::int64_t> numbers(ofX);
  for (std::size_t i = 0; i != ofX; ++i)
    numbers[i] = static_cast<std::int64_t>(i % 5);
  Array<T> ranges = build.context().allocUpload<T>(range);
  Array<std::int64_t> x = build.context().allocUpload<std::int64_t>(numbers);
  numbers.resize(ofY);
  Array<std::int64_t> y = build.context().allocUpload<std::int64_t>(numbers),
                      out = build.context().allocUpload<std::int64_t>({0, 0});
  try {
    build.launch(kernel, {.global = {1}, .local = {1}}, ranges, base, x, y, out);
  } catch (const Error &error) {
    const std::string text = error.what(); // with the place first, which depends on the checkout
    const std::string fault = error.fault() ? text.substr(text.find(": error")) : text;
    return fault + (build.isPtx() ? "" : textOf(x) + textOf(y) + textOf(out));
  }
  return "no fault" + textOf(x) + "," + textOf(y) + "," + textOf(out);
}

/// Whether both are the same. After a fault on a GPU the memory is not known.
bool isSame(const std::string &expected, const std::string &found) {
  return found.starts_with("no fault") ? expected == found : expected.starts_with(found);
}

template <class T> std::vector<std::vector<T>> ranges() {
  using Limits = std::numeric_limits<T>;
  const T bounds[] = {T(0),
                      T(1),
                      T(3),
                      T(4),
                      T(6),
                      T(7),
                      T(-1),
                      T(-3),
                      Limits::min(),
                      Limits::max(),
                      T(Limits::max() - 2),
                      T(Limits::min() + 2)};
  const T thirds[] = {T(5), T(1), T(-2), T(-1), Limits::max()}; // the step of some loops
  std::vector<std::vector<T>> all;
  for (T from : bounds)
    for (T to : bounds)
      all.push_back({from, to, thirds[all.size() % 5]});
  return all;
}

struct Lengths {
  std::int64_t base;
  std::size_t ofX, ofY;
};

/// Calls test with each launch and its number.
template <class T, class F> void forEachLaunch(F &&test) {
  std::size_t number = 0;
  for (const char *kernel : kernels)
    for (const std::vector<T> &range : ranges<T>())
      for (const Lengths &lengths : {Lengths{5, 6, 4}, Lengths{3, 4, 7}, Lengths{2, 300, 260}})
        test(kernel, range, lengths, number++);
}

TEST(SplitChecks, FailAsInEachRound) {
  forEachInteger([](auto zero, const std::string &name) {
    using T = decltype(zero);
    if (sizeof(T) == 2) // as the narrower and the wider ones
      return;
    SCOPED_TRACE(name);
    const Source source{"split-checks.spl", {{"i32", name}, {"u32", "u" + name.substr(1)}}};
    std::vector<std::string> expected;
    forEachBuild(source, {{.optLevel = 0}}, [&](const Build &build) {
      if (expected.empty()) // the first build is for the CPU
        forEachLaunch<T>([&](auto kernel, auto range, auto lengths, std::size_t) {
          expected.push_back(outcome(build, kernel, range, lengths.base, lengths.ofX, lengths.ofY));
        });
    });
    const auto faults =
        std::ranges::count_if(expected, [](auto &text) { return !text.starts_with("no fault"); });
    EXPECT_GT(faults, expected.size() / 10);
    EXPECT_LT(faults, expected.size() * 9 / 10);
    forEachBuild(source, {{.optLevel = 2}}, [&](const Build &build) {
      forEachLaunch<T>([&](auto kernel, auto range, auto lengths, std::size_t number) {
        if (number % 2 != 0 || (!build.isPtx() && number % 16 != 0)) // the CPU has no such loops
          return;
        EXPECT_PRED2(isSame, expected[number],
                     outcome(build, kernel, range, lengths.base, lengths.ofX, lengths.ofY))
            << kernel << " of " << std::to_string(range[0]) << ".." << std::to_string(range[1])
            << ", base " << lengths.base << ", lengths " << lengths.ofX << " and " << lengths.ofY;
      });
    });
  });
}

} // namespace
