// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests which products are fused, by the rule on the source text. The rule is the same at every -O.
// With --strict-fp nothing is fused.
#include "test/e2e/Harness.h"

using namespace spl::e2e;

namespace {

/// The fused and the separate evaluation of x * y + z.
template <class T> T fused(T x, T y, T z) { return std::fma(x, y, z); }
template <class T> T rounded(T x, T y, T z) {
  const volatile T product = x * y;
  return product + z;
}

/// The results of the expressions in fusing.spl, with \p mulAdd for fused products.
template <class T> T form(T p, T q, T r, T s, std::size_t which, T (*mulAdd)(T, T, T)) {
  const volatile T pq = p * q, rs = r * s;
  switch (which) {
  case 0:
  case 1:
  case 6:
    return mulAdd(p, q, r);
  case 2:
    return mulAdd(p, q, -r);
  case 3:
  case 7:
    return mulAdd(-p, q, r);
  case 4:
    return mulAdd(p, q, rs);
  case 5:
    return mulAdd(p, q, -rs);
  case 8:
    return mulAdd(pq, r, s);
  case 9:
    return mulAdd(p, q, r) + s;
  case 10:
    return mulAdd(p, q, r + s);
  case 11:
    return -pq + r;
  case 12:
  case 13:
  case 14:
    return pq + r;
  case 15:
    return p / q + r;
  case 16:
    return mulAdd(-p, q, r);
  case 17:
    return mulAdd(p, q, r) * s;
  case 18:
    return (p < q ? T(pq) : r) + s;
  default:
    return std::fabs(pq) - r;
  }
}

std::vector<spl::jit::Options> withStrictFp(std::vector<spl::jit::Options> options, bool strictFp) {
  for (spl::jit::Options &each : options)
    each.strictFp = strictFp;
  return options;
}

template <class F> void forEachCase(F &&f) {
  forEachFloat([&](auto zero, const char *name) {
    using T = decltype(zero);
    for (bool strictFp : {false, true})
      forEachBuild({"fusing.spl", {{"f32", name}}}, withStrictFp(everyOption(), strictFp),
                   [&](const Build &build) {
                     for (std::size_t n : smallSizes)
                       f(build, plainFloats<T>(n, 1), plainFloats<T>(n, 2), plainFloats<T>(n, 3),
                         strictFp ? rounded<T> : fused<T>);
                   });
  });
}

} // namespace

TEST(Fusing, TheInputsTellOneRoundingFromTwo) {
  const auto a = plainFloats<float>(1025, 1), b = plainFloats<float>(1025, 2),
             c = plainFloats<float>(1025, 3), d = plainFloats<float>(1025, 4);
  for (std::size_t which = 0; which != 20; ++which) {
    const bool fuses = which <= 10 || which == 16 || which == 17;
    std::size_t differing = 0;
    for (std::size_t i = 0; i != a.size(); ++i)
      differing += !isSame(form(a[i], b[i], c[i], d[i], which, fused<float>),
                           form(a[i], b[i], c[i], d[i], which, rounded<float>));
    EXPECT_EQ(differing > 50, fuses) << "form " << which << ": " << differing;
  }
}

TEST(Fusing, EveryForm) {
  forEachCase([]<class T>(const Build &build, const std::vector<T> &a, const std::vector<T> &b,
                          const std::vector<T> &c, T (*mulAdd)(T, T, T)) {
    const auto d = plainFloats<T>(a.size(), 4);
    std::vector<T> out(a.size() * 20);
    build.run("forms", {.global = {std::int64_t(a.size())}}, a, b, c, d, out);
    expectFields(
        out, 20, [&](auto i, auto k) { return form(a[i], b[i], c[i], d[i], k, mulAdd); }, "form");
  });
}

TEST(Fusing, CompoundAssignmentIsOneExpression) {
  forEachCase([]<class T>(const Build &build, const std::vector<T> &a, const std::vector<T> &b,
                          const std::vector<T> &c, T (*mulAdd)(T, T, T)) {
    std::vector<T> out(a.size() * 4);
    for (std::size_t i = 0; i != out.size(); ++i)
      out[i] = c[i / 4];
    build.run("compound", {.global = {std::int64_t(a.size())}}, a, b, out);
    expectFields(
        out, 4, [&](auto i, auto k) { return mulAdd(k == 1 ? -a[i] : a[i], b[i], c[i]); }, "form");
  });
}

TEST(Fusing, Accumulation) {
  forEachCase([]<class T>(const Build &build, const std::vector<T> &a, const std::vector<T> &b,
                          const std::vector<T> &, T (*mulAdd)(T, T, T)) {
    std::vector<T> out(1);
    build.run("accumulate", {.global = {1}}, a, b, out);
    T total = 0;
    for (std::size_t i = 0; i != a.size(); ++i)
      total = mulAdd(a[i], b[i], total);
    expectEach(out, [&](auto) { return total; }, "sum of products");
  });
}
