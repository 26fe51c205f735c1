// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests casts between all pairs of types against the rules of the language.
#include "test/e2e/Float16.h"

#include <tuple>

using namespace spl::e2e;

namespace {

/// Keeps low bits. Casts of floats to integers truncate and saturate, with 0 for NaN. Casts to
/// floats round to nearest even.
template <class To, class From> To converted(From value) {
  if constexpr (isHalf<From>) {
    return converted<To>(static_cast<float>(value)); // widening is exact
  } else if constexpr (isHalf<To>) {
    if constexpr (std::is_floating_point_v<From>)
      return rounded<To>(llvm::APFloat(value));
    llvm::APFloat whole(semanticsOf<To>());
    whole.convertFromAPInt(llvm::APInt(64, static_cast<std::uint64_t>(value)),
                           std::is_signed_v<From>, nearest);
    return halfOf<To>(whole);
  } else if constexpr (std::is_floating_point_v<To>) {
    // __float128 holds every number exactly, so this rounds once.
    return static_cast<To>(static_cast<__float128>(value));
  } else if constexpr (std::is_floating_point_v<From>) {
    if (std::isnan(value))
      return 0;
    const From whole = std::trunc(value);
    if (whole <= static_cast<__float128>(std::numeric_limits<To>::min()))
      return std::numeric_limits<To>::min();
    if (whole >= static_cast<__float128>(std::numeric_limits<To>::max()))
      return std::numeric_limits<To>::max();
    return static_cast<To>(static_cast<__int128>(whole));
  } else {
    return static_cast<To>(static_cast<unsigned __int128>(static_cast<__int128>(value)));
  }
}

/// Floats around and beyond the limits of every integer type.
template <class T> void addLimits(std::vector<T> &values) {
  forEachInteger([&](auto zero, const char *) {
    using Limits = std::numeric_limits<decltype(zero)>;
    for (T limit : {static_cast<T>(Limits::min()), static_cast<T>(Limits::max())})
      for (T value : {limit, std::nextafter(limit, T(0)), std::nextafter(limit, T(1e30)),
                      std::nextafter(limit, T(-1e30)), limit + T(0.5), limit - T(0.5), limit + T(1),
                      limit - T(1)})
        values.push_back(value);
  });
  for (T value : {T(0.5), T(-0.5), T(0.999), T(-0.999), T(2.5), T(-2.5), T(1e20), T(-1e20)})
    values.push_back(value);
}

/// The midpoints between adjacent 16-bit floats, and their neighbours.
template <class Half, class T> void addMiddles(std::vector<T> &values) {
  std::mt19937_64 generator(7);
  for (int i = 0; i != 300; ++i) {
    const auto bits = static_cast<std::uint16_t>(generator());
    const T low = static_cast<float>(ofBits<Half>(bits));
    const T middle = low + (static_cast<float>(ofBits<Half>(bits ^ 1)) - low) / 2;
    for (T value :
         {middle, std::nextafter(middle, T(INFINITY)), std::nextafter(middle, -T(INFINITY))})
      values.push_back(value);
  }
}

template <class From> std::vector<From> sourcesOf() {
  std::vector<From> values = inputs<From>(1025, 1);
  if constexpr (std::is_floating_point_v<From>) {
    addLimits(values);
    addMiddles<spl::f16>(values);
    addMiddles<spl::bf16>(values);
  }
  // Two bits far apart: a conversion to bf16 that rounds twice rounds them wrong.
  if constexpr (sizeof(From) >= 4 && std::is_integral_v<From>)
    for (int shift = 8; shift < int(sizeof(From)) * 8 - 9; ++shift)
      for (std::uint64_t bits : {0x101, 0x103, 0x1ff})
        for (std::uint64_t beside : {-1, 0, 1})
          values.push_back(static_cast<From>((bits << shift) + beside));
  // Integers halfway between two floats, which round to even.
  if constexpr (sizeof(From) == 8 && std::is_integral_v<From>)
    for (std::uint64_t bits : {0x1000001ull, 0x1000003ull, 0x20000000000001ull, 0x20000000000003ull,
                               0x7fffffbfffffffffull, 0x7fffffc000000000ull, 0x8000008000000000ull,
                               0x8000008000000001ull, 0xffffff7fffffffffull, 0xffffff8000000000ull})
      values.push_back(static_cast<From>(bits));
  return values;
}

template <class From> std::vector<From> sources() {
  if constexpr (isHalf<From>)
    return everyValue<From>();
  else
    return sourcesOf<From>();
}

using Results =
    std::tuple<std::vector<std::int8_t>, std::vector<std::int16_t>, std::vector<std::int32_t>,
               std::vector<std::int64_t>, std::vector<std::uint8_t>, std::vector<std::uint16_t>,
               std::vector<std::uint32_t>, std::vector<std::uint64_t>, std::vector<spl::f16>,
               std::vector<spl::bf16>, std::vector<float>, std::vector<double>>;

/// Runs the casts from the argument's type and compares each result. at(i) is the value of the
/// source.
template <class Argument, class At>
void checkCasts(const Build &build, std::size_t n, const Argument &argument, At &&at) {
  Results results;
  std::apply([&](auto &...each) { (each.resize(n), ...); }, results);
  std::apply(
      [&](auto &...each) { build.run("casts", {.global = {std::int64_t(n)}}, argument, each...); },
      results);
  const auto compare = [&]<class To>(const std::vector<To> &each) {
    const std::string what = "cast to " + std::string(spl::toString(spl::scalarTypeOf<To>()));
    expectEach(each, [&](auto i) { return converted<To>(at(i)); }, what.c_str());
  };
  std::apply([&](auto &...each) { (compare(each), ...); }, results);
}

Source castsFrom(const std::string &type) { return {"casts.spl", {{"&[i32]", "&[" + type + "]"}}}; }

} // namespace

TEST(Casts, FromIntegers) {
  forEachInteger([](auto zero, const char *name) {
    const auto values = sources<decltype(zero)>();
    forEachBuild(castsFrom(name), everyOption(), [&](const Build &build) {
      checkCasts(build, values.size(), values, [&](auto i) { return values[i]; });
    });
  });
}

TEST(Casts, FromFloats) {
  forEachFloat([](auto zero, const char *name) {
    const auto values = sources<decltype(zero)>();
    forEachBuild(castsFrom(name), everyOption(), [&](const Build &build) {
      checkCasts(build, values.size(), values, [&](auto i) { return values[i]; });
    });
  });
}

TEST(Casts, FromHalves) {
  const auto test = [](auto zero, const char *name) {
    const auto values = sources<decltype(zero)>();
    forEachBuild(
        castsFrom(name), everyOption(),
        [&](const Build &build) {
          checkCasts(build, values.size(), values, [&](auto i) { return values[i]; });
        },
        oldCpu);
  };
  test(spl::f16{}, "f16");
  test(spl::bf16{}, "bf16");
}

TEST(Casts, FromBool) {
  std::vector<unsigned char> values(33);
  for (std::size_t i = 0; i != values.size(); ++i)
    values[i] = i % 3 != 0;
  forEachBuild(castsFrom("bool"), everyOption(), [&](const Build &build) {
    checkCasts(build, values.size(), Bools{values}, [&](auto i) { return int(values[i]); });
  });
}

TEST(Casts, OfLiterals) {
  forEachBuild({"casts.spl"}, everyOption(), [](const Build &build) {
    std::vector<std::int64_t> out(9, 77);
    std::vector<double> floats(6, 77);
    build.run("literals", {.global = {1}}, out, floats);
    EXPECT_EQ(
        out, (std::vector<std::int64_t>{4294967295, 44, -1, 2147483647, 0, -2, 0, -1294967296, 1}));
    EXPECT_EQ(floats,
              (std::vector<double>{0.017, double(0.1F), 16777216.0, 0.0, 65504.0, 1.0078125}));
  });
}
