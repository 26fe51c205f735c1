// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests code that is compiled in several parts (codegen/Parts.h): loaded from source and from a
// bundle, its errors, and its PTX.
#include "driver/Compilation.h"
#include "spl/abi/SignatureText.h"
#include "test/fakecuda/FakeDriver.h"
#include "test/unit/OneProcessor.h"
#include "test/unit/jit/CacheHome.h"
#include "llvm/Object/Archive.h"
#include <algorithm>
#include <atomic>
#include <cmath>
#include <gtest/gtest.h>
#include <spl/spl.h>
#include <thread>

using namespace spl;

namespace {

constexpr int count = 20;

/// The source of kernels k0, k1, ..., some of which share a function or a table.
std::string source() {
  std::string text = "#[noinline]\n"
                     "fn halved(x: f64) -> f64:\n"
                     "    return 0.5 * x\n";
  for (int number = 0; number != count; ++number) {
    const std::string own = std::to_string(number), shared = std::to_string(number / 2);
    if (number % 2 == 0)
      text += "const TABLE" + shared + ": [f64; 3] = [" + shared + ".0, 1.0, 0.5]\n";
    text += "#[gpu]\n"
            "fn k" +
            own +
            "(x: &[f64], at: &[i32], out: &mut [f64]):\n"
            "    val i = gpu.global_id()\n"
            "    val tile = gpu.shared[f64](64)\n"
            "    tile[gpu.local_id()] = x[at[i]]\n"
            "    gpu.barrier()\n"
            "    assert at[i] < 2, \"kernel " +
            own +
            ": {at[i]}\"\n"
            "    val y = tile[1 - gpu.local_id()] * TABLE" +
            shared + "[at[i] % 3]\n    out[i] = math.sin(" +
            (number % 7 == 3 ? "halved(2.0 * y)" : "y") + ") + " + own + ".0\n";
  }
  return text;
}

void expectResults(const Context &context, const Module &module) {
  auto x = context.allocUpload<double>({2, 3, 4});
  auto at = context.allocUpload<std::int32_t>({1, 0}), wrong = context.allocUpload({1, 2});
  auto out = context.alloc<double>(2);
  for (int number = 0; number != count; ++number) {
    const std::string name = "k" + std::to_string(number);
    context.launch(module[name], {.global = {2}, .local = {2}}, x, at, out);
    const std::vector<double> result = out.download();
    EXPECT_NEAR(result[0], std::sin(2.0 * 1.0) + number, 1e-12) << name;
    EXPECT_NEAR(result[1], std::sin(3.0 * (number / 2)) + number, 1e-12) << name;
    try {
      context.launch(module[name], {.global = {2}, .local = {2}}, x, wrong, out);
      out.download(); // waits
      ADD_FAILURE() << name << " has no fault";
    } catch (const Error &error) {
      const std::string message = "kernel " + std::to_string(number) + ": 2";
      EXPECT_NE(std::string(error.what()).find(message), std::string::npos) << error.what();
    }
  }
}

/// The code for a use of the target, and the signatures.
BundleImage compile(const std::string &target, codegen::Output::Use use,
                    const std::string &text = source()) {
  driver::CompileOptions options;
  options.codegen.target = llvm::cantFail(codegen::TargetSpec::parse(target));
  driver::Compilation compilation(std::move(options));
  llvm::SmallVector<char, 0> code;
  EXPECT_TRUE(compilation.setText("many.spl", text) && compilation.emitFor(use, code));
  for (const auto &message : compilation.diagnostics().all())
    ADD_FAILURE() << message.text;
  BundleImage image{target, {code.begin(), code.end()}, {}};
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

} // namespace

TEST(Parts, LoadFromSource) {
  const Context context = Context::make(Backend::Cpu);
  expectResults(context, jit::loadSource(context, source(), "many.spl"));
}

TEST(Parts, LoadForAGpu) {
  const test::FakeDriver fake;
  const Context context = Context::make(Backend::Cuda);
  expectResults(context, jit::loadSource(context, source(), "many.spl"));
}

TEST(Parts, LoadFromABundle) {
  const Context context = Context::make(Backend::Cpu);
  const BundleImage image = compile(lowestLevel(), codegen::Output::Bundled);
  expectResults(context, Module::load(context, writeBundle({&image, 1})));
}

TEST(Parts, AreObjectsOfAnArchiveThatDoesNotDependOnTheThreads) {
  const std::string code = compile("cpu", codegen::Output::Loaded).bytes;
  auto archive = llvm::cantFail(llvm::object::Archive::create({code, "many"}));
  llvm::Error error = llvm::Error::success();
  int parts = 0;
  for ([[maybe_unused]] const auto &part : archive->children(error))
    ++parts;
  EXPECT_FALSE(bool(error));
  EXPECT_GT(parts, 5);
  const test::OneProcessor limit;
  EXPECT_EQ(code, compile("cpu", codegen::Output::Loaded).bytes);
}

namespace {

/// The body of a kernel that is large enough to be a part by itself.
std::string longBody() {
  std::string body;
  for (int line = 0; line != 40; ++line)
    body += "    out[" + std::to_string(line) + "] = 2 * out[" + std::to_string(line) + "] + " +
            std::to_string(line) + "\n";
  return body;
}

/// The kernels k0, k1 and k2. Each begins with \p top, and has its number in place of '?'.
std::string longKernels(const std::string &top) {
  std::string text;
  for (char number : {'0', '1', '2'}) {
    std::string one = top + longBody();
    std::replace(one.begin(), one.end(), '?', number);
    text += one;
  }
  return text;
}

std::size_t countOf(const std::string &part, const std::string &text) {
  std::size_t count = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; ++at)
    ++count;
  return count;
}

} // namespace

// Errors of the lowering, which each version of a kernel has. Several parts, which are lowered at
// once, report as many as one part.
TEST(Parts, ReportTheirErrorsInOrderAndOnce) {
  const std::string text = longKernels("#[gpu(block: [1024], min_blocks: 32)]\n"
                                       "fn k?(out: &mut [i32]):\n");
  for (bool isOne : {false, true}) {
    driver::CompileOptions options;
    options.codegen.target = llvm::cantFail(codegen::TargetSpec::parse("sm_90"));
    options.codegen.lineInfo = isOne;
    driver::Compilation compilation(std::move(options));
    llvm::SmallVector<char, 0> code;
    ASSERT_TRUE(compilation.setText("many.spl", text));
    EXPECT_FALSE(compilation.emitFor(codegen::Output::Bundled, code));
    const auto &messages = compilation.diagnostics().all();
    ASSERT_EQ(messages.size(), 3u);
    for (int number = 0; number != 3; ++number) {
      const std::string start = "'k" + std::to_string(number) + "' requires room for 32";
      EXPECT_EQ(messages[number].text.find(start), 0u) << messages[number].text;
      EXPECT_EQ(messages[number].kind, diag::Kind::BlocksResident);
      EXPECT_TRUE(messages[number].range.isValid());
    }
  }
}

TEST(Parts, HaveOneHeaderForTheHighestVersionOfPtx) {
  std::string text = longKernels("#[gpu]\n"
                                 "fn k?(out: &mut [i32]):\n");
  const auto versions = [&] {
    const std::string code = compile("sm_75", codegen::Output::Bundled, text).bytes;
    EXPECT_EQ(countOf(".address_size 64\n", code), 1u);
    EXPECT_EQ(countOf("\n.version ", code), 1u);
    return code.substr(code.find("\n.version "), 13);
  };
  EXPECT_EQ(versions(), "\n.version 6.3");
  text += "    gpu.store(out, 40, 1, cache: keep)\n"; // in the last part
  EXPECT_EQ(versions(), "\n.version 7.4");
}

TEST(Parts, ShareTheConstantMemoryOfAGpu) {
  std::string table;
  for (int number = 0; number != 3750; ++number)
    table += std::to_string(number % 10) + ".?5, ";
  const std::string text = longKernels("const TABLE?: [f64; 3750] = [" + table +
                                       "]\n"
                                       "#[gpu]\n"
                                       "fn k?(out: &mut [i32], at: i32, table: &mut [f64]):\n"
                                       "    table[0] = TABLE?[at]\n");
  const std::string code = compile("sm_90", codegen::Output::Bundled, text).bytes;
  EXPECT_EQ(countOf(".visible .entry k", code), 6u);
  EXPECT_EQ(countOf("\n.const .align 8 .b8 spl_$_constant", code), 2u); // 60,000 bytes of 65,536
  EXPECT_EQ(countOf("\n.global .align 8 .b8 spl_$_constant", code), 1u);
}

namespace {

// The contract has two groups, so that there are four versions.
const char *const add = "#[gpu]\n"
                        "fn add(a: &[f32], b: &[f32], out: &mut [f32]):\n"
                        "    val i = gpu.global_id()\n"
                        "    if i < out.len():\n"
                        "        out[i] = math.exp(a[i]) + b[i]\n";

/// The message of the error that a launch with arrays of these lengths throws, or "" and the right
/// results.
std::string launched(const Context &context, const Module &module, std::size_t a, std::size_t b) {
  auto first = context.allocZeros<float>(a), second = context.allocUpload(std::vector(b, 2.0f));
  auto out = context.allocZeros<float>(40);
  try {
    context.launch(module["add"], {.global = {40}, .local = {40}}, first, second, out);
  } catch (const Error &error) {
    return error.what();
  }
  return out.download() == std::vector(40, 3.0f) ? "" : "wrong results";
}

void expectEachVersion(const Context &context, const Module &module) {
  EXPECT_EQ(launched(context, module, 40, 41), "");
  for (int round = 0; round != 2; ++round) { // compiled, and found again
    EXPECT_NE(launched(context, module, 39, 40).find("index 39 is out of bounds for 'a'"),
              std::string::npos);
    EXPECT_NE(launched(context, module, 40, 38).find("index 38 is out of bounds for 'b'"),
              std::string::npos);
    EXPECT_NE(launched(context, module, 37, 36).find(" is out of bounds for "), std::string::npos);
    EXPECT_EQ(launched(context, module, 40, 40), "");
  }
}

} // namespace

TEST(Parts, AreCompiledLaterIfOnlyUnmetContractsNeedThem) {
  const Context context = Context::make(Backend::Cpu);
  for (int level : {0, 2})
    expectEachVersion(context, jit::loadSource(context, add, "add.spl", {.optLevel = level}));
}

TEST(Parts, AreCompiledLaterFromTheCacheToo) {
  const spl::test::CacheHome home;
  const Context context = Context::make(Backend::Cpu);
  for (int load = 0; load != 2; ++load)
    expectEachVersion(context, jit::loadSource(context, add, "add.spl"));
}

TEST(Parts, AreCompiledOnceIfSeveralThreadsNeedThem) {
  const Context context = Context::make(Backend::Cpu);
  const Module module = jit::loadSource(context, add, "add.spl");
  std::vector<std::thread> threads;
  std::atomic<int> faults = 0;
  for (int thread = 0; thread != 8; ++thread)
    threads.emplace_back([&, thread] {
      const bool isFirst = thread % 2 == 0;
      faults += launched(context, module, isFirst ? 39 : 40, isFirst ? 40 : 39)
                    .find("index 39 is out of bounds") != std::string::npos;
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(faults, 8);
}

TEST(Parts, ThatCannotBeCompiledFailTheLaunch) {
  const Context context = Context::make(Backend::Cpu);
  HostCode code;
  code.kernels.push_back({.signature = "k()", .find = [](std::size_t) -> spl_cpu_entry {
                            throw Error({.code = ErrorCode::CompileFailed, .message = "no"});
                          }});
  const Module module = Module::load(context, code);
  try {
    context.launch(module["k"], {.global = {1}});
    ADD_FAILURE() << "the launch did not fail";
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::CompileFailed);
  }
  const Stream stream = context.makeStream();
  context.launchAsync(stream, module["k"], {.global = {1}});
  EXPECT_THROW(stream.sync(), Error);
}
