// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests loadFile and loadSource: their results, their exceptions, and calls from several threads.
#include "test/unit/jit/ErrorOf.h"
#include <gtest/gtest.h>

#include <atomic>
#include <optional>
#include <spl/spl.h>
#include <thread>

using namespace spl;
using spl::test::errorOf;

namespace {

const std::string vectorAdd = std::string(SPL_EXAMPLES_FOLDER) + "/vector_add.spl";

const char *const twice = "#[gpu]\n"
                          "fn twice(a: &mut [i32]):\n"
                          "    val i = gpu.global_id()\n"
                          "    if i < a.len():\n"
                          "        a[i] *= 2\n";

void expectTwice(const Context &context, const Module &module) {
  auto a = context.allocUpload<std::int32_t>({1, -2, 3});
  context.launch(module["twice"], {.global = {3}}, a);
  EXPECT_EQ(a.download(), (std::vector<std::int32_t>{2, -4, 6}));
}

} // namespace

TEST(Load, AFileAndItsKernels) {
  const Context context = Context::make(Backend::Cpu);
  const Module module = jit::loadFile(context, vectorAdd);
  ASSERT_EQ(module.kernels().size(), 1u);
  EXPECT_EQ(module["vector_add"].signature().prototype(),
            "vector_add(a: &[f32], b: &[f32], out: &mut [f32])");
  auto a = context.allocUpload<float>({1, 2, 3, 4});
  auto b = context.allocUpload<float>({5, 6, 7, 8});
  auto out = context.alloc<float>(4);
  context.launch(module["vector_add"], {.global = {4}, .local = {1}}, a, b, out);
  EXPECT_EQ(out.download(), (std::vector<float>{6, 8, 10, 12}));
}

TEST(Load, TextInMemory) {
  const Context context = Context::make(Backend::Cpu);
  expectTwice(context, jit::loadSource(context, twice));
}

TEST(Load, EveryOptimisationLevelAndEveryChoiceOfChecks) {
  const Context context = Context::make(Backend::Cpu);
  for (int level : {0, 1, 2, 3})
    for (const char *checks : {"all", "none", "bounds", "division,exponent"})
      for (bool strictFp : {false, true})
        expectTwice(context,
                    jit::loadSource(context, twice, "twice.spl",
                                    {.optLevel = level, .checks = checks, .strictFp = strictFp}));
}

TEST(Load, AFileThatIsNotThere) {
  const Context context = Context::make(Backend::Cpu);
  const auto error = errorOf([&] { jit::loadFile(context, "/no/such/file.spl"); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::CompileFailed);
  EXPECT_STREQ(error->what(), "error: cannot read '/no/such/file.spl': No such file or directory "
                              "[cannot-read-file]");
}

TEST(Load, AFolder) {
  const Context context = Context::make(Backend::Cpu);
  const auto error = errorOf([&] { jit::loadFile(context, SPL_EXAMPLES_FOLDER); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::CompileFailed);
  EXPECT_NE(std::string(error->what()).find("[cannot-read-file]"), std::string::npos)
      << error->what();
}

TEST(Load, ErrorsAreShownAsTheCommandLineShowsThem) {
  const Context context = Context::make(Backend::Cpu);
  const auto error = errorOf([&] {
    jit::loadSource(context, "#[gpu]\nfn k(out: &mut [i32]):\n    out[0] = oot[0]\n", "mine.spl");
  });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::CompileFailed);
  EXPECT_STREQ(error->what(),
               "mine.spl:3:14: error: unknown name 'oot'; did you mean 'out'? [unknown-name]\n"
               "    out[0] = oot[0]\n"
               "             ^~~");
}

TEST(Load, SourceWithoutAKernel) {
  const Context context = Context::make(Backend::Cpu);
  for (const char *text : {"", "\n\n", "# nothing\n", "fn f(x: i32) -> i32:\n    return x\n"}) {
    const auto error = errorOf([&] { jit::loadSource(context, text, "empty.spl"); });
    ASSERT_TRUE(error) << text;
    EXPECT_EQ(error->code(), ErrorCode::CompileFailed);
    EXPECT_STREQ(error->what(),
                 "error: 'empty.spl' has no kernel; mark a function with #[gpu] [no-kernel]");
  }
}

/// Adds 1 to a number too large for it, and subtracts that number again. Fast math cancels the
/// number, so that 1 is left.
static float leftOfOne(const jit::Options &options) {
  const Context context = Context::make(Backend::Cpu);
  const Module module = jit::loadSource(
      context, "#[gpu]\nfn f(x: &mut [f32], big: f32):\n    x[0] = (x[0] + big) - big\n",
      "left.spl", options);
  auto x = context.allocUpload<float>({1});
  context.launch(module["f"], {.global = {1}, .local = {1}}, x, 1e9f);
  return x.download()[0];
}

TEST(Load, FastMathIsWhatTheCallerAllows) {
  EXPECT_EQ(leftOfOne({}), 0.0f);
  EXPECT_EQ(leftOfOne({.fastMath = true}), 1.0f);
}

TEST(Load, OptionsThatMeanNothing) {
  const Context context = Context::make(Backend::Cpu);
  for (int level : {-1, 4, 100}) {
    const auto error = errorOf([&] { jit::loadSource(context, twice, "t", {.optLevel = level}); });
    ASSERT_TRUE(error) << level;
    EXPECT_EQ(error->code(), ErrorCode::InvalidArgument);
    EXPECT_NE(std::string(error->what()).find("optLevel is " + std::to_string(level)),
              std::string::npos)
        << error->what();
  }
  for (int registers : {-1, 256}) {
    const auto error =
        errorOf([&] { jit::loadSource(context, twice, "t", {.maxRegisters = registers}); });
    ASSERT_TRUE(error) << registers;
    EXPECT_EQ(error->code(), ErrorCode::InvalidArgument);
    EXPECT_EQ(error->message(), "maxRegisters is " + std::to_string(registers));
  }
  for (const char *checks : {"", "some", "all,", "bounds division", "Bounds"}) {
    const auto error = errorOf([&] { jit::loadSource(context, twice, "t", {.checks = checks}); });
    ASSERT_TRUE(error) << "'" << checks << "'";
    EXPECT_EQ(error->code(), ErrorCode::InvalidArgument) << error->what();
  }
}

TEST(Load, AnUnknownKernelNamesTheNearest) {
  const Context context = Context::make(Backend::Cpu);
  const Module module = jit::loadSource(context, twice);
  const auto error = errorOf([&] { module["twise"]; });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::UnknownKernel);
  EXPECT_NE(std::string(error->what()).find("'twice'"), std::string::npos) << error->what();
}

TEST(Load, ModulesOutliveTheirContextAndTheirSource) {
  std::optional<Module> module;
  {
    const Context context = Context::make(Backend::Cpu);
    std::string text = twice;
    module = jit::loadSource(context, text);
    text.assign(text.size(), 'x');
  }
  EXPECT_EQ(module->kernels().size(), 1u);
  EXPECT_EQ((*module)["twice"].signature().str(), "twice(a: &mut [i32])");
  // A module belongs to the context for which it was loaded.
  const auto error = errorOf([&] { expectTwice(Context::make(Backend::Cpu), *module); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::InvalidArgument) << error->what();
}

TEST(Load, FaultsNameTheSourceThatIsGone) {
  const Context context = Context::make(Backend::Cpu);
  std::string name = "the/name/of/the/source.spl";
  const Module module =
      jit::loadSource(context, "#[gpu]\nfn k(out: &mut [i32]):\n    out[7] = 1\n", name);
  name.assign(name.size(), 'x');
  auto out = context.alloc<std::int32_t>(2);
  const auto error = errorOf([&] { context.launch(module["k"], {.global = {1}}, out); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->fault()->diagnostic(),
            "the/name/of/the/source.spl:3:5: error: index 7 is out of bounds for 'out' of length 2 "
            "[index-out-of-bounds]");
}

TEST(Load, FromSeveralThreadsAtOnce) {
  const Context context = Context::make(Backend::Cpu);
  std::atomic<int> failures = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&, t] {
      for (int round = 0; round != 10; ++round) {
        const std::string factor = std::to_string(t * 100 + round);
        const Module module = jit::loadSource(
            context,
            "#[gpu]\nfn scale(a: &mut [i32]):\n    a[gpu.global_id()] *= " + factor + "\n");
        auto a = context.allocUpload<std::int32_t>({1, 2, 3});
        context.launch(module["scale"], {.global = {3}, .local = {3}}, a);
        const int f = t * 100 + round;
        failures += a.download() != std::vector<std::int32_t>{f, 2 * f, 3 * f};
        failures += !errorOf([&] { jit::loadSource(context, "fn f(" + factor); });
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(failures, 0);
}

// The compiler and the runtime each compute the name of an instance's entry. Both must agree.
TEST(Load, InstancesOfEveryKindAreFoundByTheirNames) {
  const jit::Options options{.instances = {"one[f32]", "one[f32x4]", "number[-16]", "number[16]",
                                           "flag[true]", "flag[false]", "two[i64, -1]",
                                           "two[bool, 0]"}};
  const Module module =
      jit::loadSource(Context::make(Backend::Cpu),
                      "#[gpu]\nfn plain(a: &mut [i32]):\n    a[0] = 1\n"
                      "#[gpu]\nfn one[T](a: &mut [T]):\n    a[0] = a[1]\n"
                      "#[gpu]\nfn number[const N: i32](a: &mut [i32]):\n"
                      "    a[0] = N\n"
                      "#[gpu]\nfn flag[const B: bool](a: &mut [bool]):\n"
                      "    a[0] = B\n"
                      "#[gpu]\nfn two[T, const N: i64](a: &mut [T], n: &mut [i64]):\n"
                      "    a[0] = a[1]\n    n[0] = N\n",
                      "instances.spl", options);
  EXPECT_EQ(module.kernels().size(), options.instances.size() + 1);
  for (const std::string &name : options.instances)
    EXPECT_FALSE(errorOf([&] { module[name]; })) << name;
  EXPECT_TRUE(errorOf([&] { module["number[17]"]; }));
}
