// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests which arguments of a launch may share memory, for each rule, and the errors.
#include "test/e2e/Harness.h"

using namespace spl;
using namespace spl::e2e;

namespace {

constexpr std::size_t count = 37;
const LaunchConfig config = {.global = {count}};

std::vector<float> ramp(float first) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = first + static_cast<float>(i);
  return values;
}

Array<float> upload(const Build &build, float first) {
  return build.context().allocUpload<float>(ramp(first));
}

/// Checks that every element is of(i), where i is its index.
void expectAll(const Array<float> &array, float (*of)(float)) {
  const std::vector<float> values = array.download();
  for (std::size_t i = 0; i < count; ++i)
    ASSERT_EQ(values[i], of(static_cast<float>(i))) << "at " << i;
}

void expectRefused(const std::function<void()> &launch, const std::string &message) {
  try {
    launch();
    ADD_FAILURE() << "not refused: " << message;
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::OverlappingArguments);
    EXPECT_EQ(error.message(), message);
  }
}

void forEach(const std::function<void(const Build &)> &test) {
  forEachBuild({"alias-check.spl"}, extremeOptions(), test);
}

} // namespace

TEST(AliasCheck, AreAllowedOfWhatIsOnlyRead) {
  forEach([](const Build &build) {
    Array<float> a = upload(build, 0), out = upload(build, 100);
    build.launch("add", config, a, a, out);
    expectAll(out, [](float x) { return x + x; });
    expectAll(a, [](float x) { return x; });
  });
}

TEST(AliasCheck, AreRefusedNamingBothAndNothingRuns) {
  forEach([](const Build &build) {
    Array<float> a = upload(build, 0), b = upload(build, 100);
    expectRefused([&] { build.launch("add", config, a, b, a); },
                  "parameters 'a' and 'out' of add share memory, and 'out' is &mut [f32]");
    expectRefused([&] { build.launch("add", config, b, a, a); },
                  "parameters 'b' and 'out' of add share memory, and 'out' is &mut [f32]");
    expectRefused([&] { build.launch("swap", config, a, a); },
                  "parameters 'a' and 'b' of swap share memory, and 'a' is &mut [f32]");
    expectAll(a, [](float x) { return x; });
    build.launch("swap", config, a, b);
    expectAll(a, [](float x) { return 100 + x; });
  });
}

TEST(AliasCheck, AreLiftedOfOneParameterAgainstAnyOther) {
  forEach([](const Build &build) {
    Array<float> a = upload(build, 0), other = upload(build, 100);
    build.launch("lifted", config, a, a, other);
    expectAll(a, [](float x) { return x + 1; });
    expectAll(other, [](float x) { return (x + 1) * 10 + x; });

    Array<float> b = upload(build, 0);
    build.launch("lifted", config, b, other, b);
    expectAll(b, [](float x) { return x * 10 + x; });
    expectAll(other, [](float x) { return x + 1; });

    Array<float> out = upload(build, 0);
    build.launch("writer_lifted", config, out, out, out);
    expectAll(out, [](float x) { return x + 1 + (x + 1) * 10; });
  });
}

TEST(AliasCheck, OfTheOthersAreStillRefused) {
  forEach([](const Build &build) {
    Array<float> a = upload(build, 0), b = upload(build, 100);
    const std::string message =
        "parameters 'before' and 'after' of lifted share memory, and 'before' is &mut [f32]";
    expectRefused([&] { build.launch("lifted", config, a, b, b); }, message);
    expectRefused([&] { build.launch("lifted", config, a, a, a); }, message);
  });
}

TEST(AliasCheck, AreNoneOfWhatIsEmpty) {
  forEach([](const Build &build) {
    Array<float> empty = build.context().alloc<float>(0), a = upload(build, 0);
    build.launch("swap", config, empty, empty);
    build.launch("add", config, empty, a, empty);
    build.launch("swap", config, empty, a);
    expectAll(a, [](float x) { return x; });
  });
}

TEST(AliasCheck, AreNoneOfPartsThatMeet) {
  forEach([](const Build &build) {
    constexpr std::size_t at = 19;
    Array<float> a = upload(build, 0);
    build.launch("parts", config, a, std::int64_t(at));
    const std::vector<float> values = a.download();
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(values[i], static_cast<float>(i < count - at ? i + at + 1 : i)) << "at " << i;
  });
}
