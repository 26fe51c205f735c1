// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests bundles of compiled code from source to results: on the CPU at every level that this
// machine has, and as PTX.
#include "driver/Compilation.h"
#include "spl/abi/SignatureText.h"
#include "test/fakecuda/FakeDriver.h"

#include <gtest/gtest.h>

#include <cmath>
#include <spl/spl.h>

using namespace spl;

namespace {

// A kernel that uses everything that compiled code imports: the math library, scratch memory,
// faults, print and grid barriers.
const char *const source = "#[gpu]\n"
                           "fn work(a: &[f32], out: &mut [f32], k: i32):\n"
                           "    val i = gpu.global_id()\n"
                           "    val total = gpu.group_sum(k)\n"
                           "    assert k > 0, \"k is {k}\"\n"
                           "    out[i] = math.sin(a[i]) + total as f32\n"
                           "\n"
                           "#[gpu]\n"
                           "fn twice(a: &mut [i32]):\n"
                           "    val i = gpu.global_id()\n"
                           "    if i < a.len():\n"
                           "        a[i] *= 2\n"
                           "\n"
                           "#[gpu]\n"
                           "fn turn(a: &mut [i32], copy: &mut [i32]):\n"
                           "    val i = gpu.global_id()\n"
                           "    copy[i] = a[i]\n"
                           "    gpu.grid_barrier()\n"
                           "    a[i] = copy[copy.len() - 1 - i]\n";

BundleImage compile(const std::string &target) {
  driver::CompileOptions options;
  options.codegen.target = llvm::cantFail(codegen::TargetSpec::parse(target));
  driver::Compilation compilation(std::move(options));
  llvm::SmallVector<char, 0> output;
  const bool done = compilation.setText("work.spl", source) &&
                    compilation.emitFor(codegen::Output::Bundled, output);
  EXPECT_TRUE(done);
  for (const auto &message : compilation.diagnostics().all())
    ADD_FAILURE() << message.text;
  BundleImage image{target, {output.begin(), output.end()}, {}};
  for (const driver::KernelInfo &kernel : compilation.kernels())
    image.signatures.push_back(writeSignature(kernel.signature));
  return image;
}

std::string lowestLevel() {
  static constexpr const char *levels[] = {
#define SPL_CPU_LEVEL(NAME) "cpu:" NAME,
#include "spl/CpuLevels.def"
  };
  return levels[0];
}

void expectWorks(const Context &context, const std::string &bundle) {
  const Module module = Module::load(context, bundle);
  ASSERT_EQ(module.kernels().size(), 3u);
  const std::vector<float> values = {0.5f, -1, 2, 3};
  auto a = context.allocUpload<float>(values);
  auto out = context.allocZeros<float>(4);
  context.launch(module["work"], {.global = {4}, .local = {4}}, a, out, 3);
  const std::vector<float> result = out.download();
  for (std::size_t i = 0; i < values.size(); ++i)
    EXPECT_NEAR(result[i], std::sin(values[i]) + 12, 1e-5);
  auto numbers = context.allocUpload<std::int32_t>({1, -2, 3});
  context.launch(module["twice"], {.global = {3}}, numbers);
  EXPECT_EQ(numbers.download(), (std::vector<std::int32_t>{2, -4, 6}));
  auto turned = context.allocUpload<std::int32_t>({1, 2, 3, 4, 5, 6});
  auto copy = context.allocZeros<std::int32_t>(6);
  context.launch(module["turn"], {.global = {6}, .local = {2}}, turned, copy);
  EXPECT_EQ(turned.download(), (std::vector<std::int32_t>{6, 5, 4, 3, 2, 1}));
}

} // namespace

TEST(CompiledBundle, RunsOnTheCpuAtEveryLevel) {
  const Context context = Context::make(Backend::Cpu);
  std::vector<BundleImage> all;
#define SPL_CPU_LEVEL(NAME) all.push_back(compile("cpu:" NAME));
#include "spl/CpuLevels.def"
  int loaded = 0;
  for (const BundleImage &image : all) {
    const std::string bundle = writeBundle({&image, 1});
    try {
      Module::load(context, bundle);
    } catch (const Error &error) { // this machine lacks the level
      EXPECT_EQ(error.code(), ErrorCode::UnsupportedOnTarget) << error.what();
      continue;
    }
    ++loaded;
    expectWorks(context, bundle);
  }
  EXPECT_GE(loaded, 1);
  expectWorks(context, writeBundle(all));
}

TEST(CompiledBundle, TellsItsFaults) {
  const Context context = Context::make(Backend::Cpu);
  std::vector<BundleImage> all = {compile(lowestLevel())};
  const Module module = Module::load(context, writeBundle(all));
  auto a = context.allocZeros<float>(4), out = context.allocZeros<float>(4);
  try {
    context.launch(module["work"], {.global = {4}, .local = {4}}, a, out, -1);
    context.sync();
    FAIL() << "no fault";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("k is -1"), std::string::npos) << error.what();
  }
  auto shorter = context.allocZeros<float>(3);
  try {
    context.launch(module["work"], {.global = {4}, .local = {4}}, a, shorter, 1);
    FAIL() << "no fault";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what())
                  .find("work.spl:6:5: error: index 3 is out of bounds for 'out' of length 3"),
              std::string::npos)
        << error.what();
  }
}

TEST(CompiledBundle, KeepsItsCodeAsLongAsAKernelIsThere) {
  const Context context = Context::make(Backend::Cpu);
  std::vector<BundleImage> all = {compile(lowestLevel())};
  const Kernel twice = Module::load(context, writeBundle(all))["twice"];
  auto numbers = context.allocUpload<std::int32_t>({4});
  context.launch(twice, {.global = {1}}, numbers);
  EXPECT_EQ(numbers.download(), std::vector<std::int32_t>{8});
}

TEST(CompiledBundle, NamesAKernelThatIsNotInIt) {
  const Context context = Context::make(Backend::Cpu);
  std::vector<BundleImage> all = {compile(lowestLevel())};
  all[0].signatures.push_back("other(a: f32)");
  try {
    Module::load(context, writeBundle(all));
    FAIL() << "it was loaded";
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::InvalidImage);
    EXPECT_STREQ(error.what(), "the bundle's signatures name a kernel 'other' that is not in it");
  }
}

TEST(CompiledBundle, RunsAsPtx) {
  test::FakeDriver fake;
  {
    const std::vector<BundleImage> all = {compile("sm_120"), compile("sm_75"), compile("sm_90")};
    expectWorks(Context::make(Backend::Cuda), writeBundle(all));
  }
  EXPECT_EQ(fake.complaints(), "");
}
