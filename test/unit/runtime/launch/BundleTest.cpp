// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests bundles: writing and reading, the choice of an image for a device, and invalid bundles.
#include "runtime/backends/cpu/CpuObject.h"
#include "runtime/backends/cuda/CudaImage.h"
#include "test/conformance/Kernels.h"
#include "test/fakecuda/FakeDriver.h"
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

#include <map>

using namespace spl;
using namespace spl::test;

namespace {

const std::vector<BundleImage> images = {{"sm_75", ".version 6.3", {}},
                                         {"sm_90a", std::string("\0\x7f", 2), {"k()", "l(a: f32)"}},
                                         {"cpu:x86-64-v3", "x", {"k()"}}};

/// The bytes of the image that is chosen for \p capability, or the text of the error.
std::string chosen(const std::vector<BundleImage> &from, int capability) {
  try {
    return detail::chooseForGpu(from, capability, "the device").bytes;
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::UnsupportedOnTarget);
    return error.what();
  }
}

} // namespace

TEST(Bundle, IsReadAsItWasWritten) {
  const std::string bytes = writeBundle(images);
  EXPECT_TRUE(isBundle(bytes));
  EXPECT_EQ(readBundle(bytes), images);
  EXPECT_FALSE(isBundle(conformancePtx()));
  EXPECT_FALSE(isBundle("SPLBNDL"));
}

TEST(Bundle, IsRefusedWithAnyByteChangedAndAtEveryOtherLength) {
  const std::string whole = writeBundle(images);
  auto expectRefused = [&](const std::string &bytes, const std::string &what) {
    EXPECT_EQ(thrownBy([&] { readBundle(bytes); }).code(), ErrorCode::InvalidImage) << what;
  };
  for (std::size_t size = 0; size < whole.size(); ++size)
    expectRefused(whole.substr(0, size), "length " + std::to_string(size));
  expectRefused(whole + '\0', "a byte more");
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string bytes = whole;
      bytes[at] = static_cast<char>(bytes[at] ^ 1 << bit);
      expectRefused(bytes, "byte " + std::to_string(at));
    }
  EXPECT_EQ(textOf([&] { readBundle(whole.substr(0, 100)); }),
            "the bundle is damaged or cut short; compile it again");
  EXPECT_EQ(textOf([&] { readBundle("PTX"); }),
            "the image is not a bundle; make one with 'simple compile --emit bundle'");
}

TEST(Bundle, HasOneImageForEachTarget) {
  auto refusal = [](std::vector<BundleImage> of) { return textOf([&] { writeBundle(of); }); };
  EXPECT_EQ(refusal({}), "a bundle without images");
  EXPECT_EQ(refusal({{"sm_75", "x", {}}, {"sm_75", "y", {}}}),
            "a bundle has one image for sm_75, not two");
  EXPECT_EQ(refusal({{"sm_75", "", {}}}), "the image for sm_75 is empty");
  for (const char *target : {"", "sm_", "sm_a", "sm_9x", "sm_-75", "sm_5", "sm_99999999999", "75",
                             "cpu", "cpu:", "cpu:znver4", "gpu"})
    EXPECT_EQ(refusal({{target, "x", {}}}),
              "'" + std::string(target) +
                  "' is no target of a bundle; take an architecture, such as sm_90, or a level of "
                  "the CPU, such as cpu:x86-64-v3");
}

TEST(Bundle, ADeviceTakesTheNewestThatItRuns) {
  const std::string ptx = ".version ";
  const std::vector<BundleImage> some = {
      {"sm_90", ptx + "90", {}}, {"sm_75", ptx + "75", {}}, {"sm_90a", ptx + "90a", {}},
      {"cpu:x86-64", "cpu", {}}, {"sm_80", ptx + "80", {}}, {"sm_100a", ptx + "100a", {}}};
  const std::map<int, std::string> expected = {{75, "75"},  {79, "75"},  {80, "80"}, {86, "80"},
                                               {89, "80"},  {90, "90a"}, {92, "90"}, {100, "100a"},
                                               {101, "90"}, {121, "90"}, {130, "90"}};
  for (const auto &[capability, image] : expected)
    EXPECT_EQ(chosen(some, capability), ptx + image) << capability;
  EXPECT_EQ(chosen(some, 70),
            "the bundle has code for sm_90, sm_75, sm_90a, cpu:x86-64, sm_80 and sm_100a, none of "
            "it for the device; compile it for sm_70 too");
}

TEST(Bundle, BinariesRunOnLaterDevicesOfTheirMajorCapabilityAlone) {
  const std::vector<BundleImage> some = {{"sm_80", "\177ELF", {"k()"}},
                                         {"sm_75", ".version 6.3", {}}};
  EXPECT_EQ(chosen(some, 80), "\177ELF");
  EXPECT_EQ(chosen(some, 89), "\177ELF");
  EXPECT_EQ(chosen(some, 90), ".version 6.3");
  EXPECT_EQ(chosen(some, 75), ".version 6.3");
}

TEST(Bundle, AProcessorTakesTheHighestLevelThatItHas) {
  std::vector<BundleImage> some = {{"sm_75", "gpu", {}}};
  EXPECT_EQ(thrownBy([&] { detail::chooseForCpu(some, "the processor"); }).code(),
            ErrorCode::UnsupportedOnTarget);
  std::string best;
#if defined(__x86_64__)
  for (const char *level : {"x86-64-v4", "x86-64", "x86-64-v3", "x86-64-v2"})
    some.push_back({std::string("cpu:") + level, level, {}});
  best = __builtin_cpu_supports("avx512vl") ? "x86-64-v4"
         : __builtin_cpu_supports("avx2")   ? "x86-64-v3"
         : __builtin_cpu_supports("sse4.2") ? "x86-64-v2"
                                            : "x86-64";
#else
  some.push_back({"cpu:generic", best = "generic", {}});
#endif
  EXPECT_EQ(detail::chooseForCpu(some, "the processor").bytes, best);
  std::erase_if(some, [&](const BundleImage &image) { return image.bytes == best; });
#if defined(__x86_64__)
  EXPECT_NE(detail::chooseForCpu(some, "the processor").bytes, "x86-64-v4");
#endif
}

TEST(Bundle, OfTheCpuIsRefusedWhereTheSystemDoesNotLoadIt) {
  const Error error =
      thrownBy([] { detail::loadSharedObject({"cpu:x86-64", "no shared object", {"k()"}}); });
  EXPECT_EQ(error.code(), ErrorCode::InvalidImage);
  EXPECT_EQ(std::string(error.what()).find("the bundle's code for cpu:x86-64 cannot be loaded: "),
            0u);
}

TEST(Bundle, IsLoadedByAContext) {
  FakeDriver fake;
  {
    Context context = Context::make(Backend::Cuda);
    const std::string bytes = writeBundle(std::vector<BundleImage>{
        {"sm_120", ".version nonsense", {}}, {"sm_75", conformancePtx(), {}}});
    EXPECT_EQ(Module::load(context, bytes).kernels().size(), 5u);
    EXPECT_EQ(textOf([&] { Module::load(context, bytes, {"k()"}); }),
              "load: signatures are given, and the image is a bundle, which has them");
    EXPECT_EQ(textOf([&] {
                Module::load(Context::make(Backend::Cpu), bytes);
              }).find("the bundle has code for sm_120 and sm_75, none of it for cpu device 0"),
              0u);
    const std::string newer =
        writeBundle(std::vector<BundleImage>{{"sm_120", conformancePtx(), {}}});
    EXPECT_EQ(textOf([&] { Module::load(context, newer); }),
              "the bundle has code for sm_120, none of it for cuda device 0 (PTX interpreter); "
              "compile it for sm_90 too");
    EXPECT_EQ(thrownBy([&] { Module::load(context, bytes.substr(0, 1000)); }).code(),
              ErrorCode::InvalidImage);
  }
  EXPECT_EQ(fake.complaints(), "");
}
