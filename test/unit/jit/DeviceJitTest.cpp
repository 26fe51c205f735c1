// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests PTX that is loaded from source, on the fake driver: versions of kernels that only launches
// with an unmet contract run are compiled when a launch needs them.
#include "jit/DeviceJit.h"
#include "spl/abi/SignatureText.h"
#include "test/fakecuda/FakeDriver.h"
#include "test/unit/OneProcessor.h"
#include "test/unit/abi/Text.h"
#include "test/unit/jit/CacheHome.h"
#include "llvm/Support/CrashRecoveryContext.h"
#include <gtest/gtest.h>
#include <spl/spl.h>

using namespace spl;

namespace {

// The contract has three groups, so that there are five versions. They share a shared array, and
// call the math library.
const char *const add = "#[gpu]\n"
                        "fn add(a: &[f32], b: &[f32], out: &mut [f32]):\n"
                        "    val i = gpu.global_id()\n"
                        "    val tile = gpu.shared[f32](64)\n"
                        "    tile[gpu.local_id()] = 1.0\n"
                        "    gpu.barrier()\n"
                        "    if i < out.len():\n"
                        "        out[i] = math.cosh(a[i]) * tile[39 - gpu.local_id()] + b[i]\n";

/// The message of the error of a launch with arrays of these lengths, or "" and the right results.
std::string launched(const Context &context, const Module &module, std::size_t a, std::size_t b) {
  auto first = context.allocZeros<float>(a), second = context.allocUpload(std::vector(b, 2.0f));
  auto out = context.allocZeros<float>(40);
  try {
    context.launch(module["add"], {.global = {40}, .local = {40}}, first, second, out);
    return out.download() == std::vector(40, 3.0f) ? "" : "wrong results";
  } catch (const Error &error) {
    return error.what();
  }
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

/// What a source is compiled to for this process.
driver::Compiled compile(const std::string &source) {
  driver::CompileOptions options;
  options.codegen.target = llvm::cantFail(codegen::TargetSpec::parse("sm_80"));
  driver::Compilation compilation(std::move(options));
  llvm::SmallVector<char, 0> code;
  EXPECT_TRUE(compilation.setText("k.spl", source) &&
              compilation.emitFor(codegen::Output::Loaded, code));
  return {compilation.kernels(), std::string(code.begin(), code.end())};
}

/// The options with which compile() compiles.
codegen::Options options() {
  codegen::Options result;
  result.target = llvm::cantFail(codegen::TargetSpec::parse("sm_80"));
  return result;
}

CompiledCode codeOf(const std::string &source) {
  return llvm::cantFail(jit::deviceCode(compile(source), options()));
}

} // namespace

TEST(DeviceJit, CompilesVersionsWhenALaunchNeedsThem) {
  const test::FakeDriver fake;
  const Context context = Context::make(Backend::Cuda);
  for (int level : {0, 2})
    expectEachVersion(context, jit::loadSource(context, add, "add.spl", {.optLevel = level}));
}

TEST(DeviceJit, DoesSoFromTheCacheToo) {
  const test::FakeDriver fake;
  const test::CacheHome home;
  const Context context = Context::make(Backend::Cuda);
  for (int load = 0; load != 2; ++load)
    expectEachVersion(context, jit::loadSource(context, add, "add.spl"));
}

TEST(DeviceJit, LeavesOutAllButTheVersionForMetContracts) {
  const CompiledCode code = codeOf(add);
  EXPECT_EQ(code.later, (std::set<std::string>{"add", "add$unmet1", "add$unmet2", "add$unmet3"}));
  EXPECT_NE(code.bytes.find(".entry add$unchecked("), std::string::npos);
  EXPECT_EQ(code.bytes.find(".entry add("), std::string::npos);
  const std::string later = code.compileLater("add", 512);
  EXPECT_NE(later.find(".entry add("), std::string::npos) << later;
  EXPECT_NE(later.find(".maxntid 512"), std::string::npos) << later;
  EXPECT_EQ(later.find("$unchecked"), std::string::npos) << later;
  EXPECT_EQ(later, code.compileLater("add", 512));
}

TEST(DeviceJit, KeepsTheGroupSizeThatAKernelFixes) {
  const CompiledCode code = codeOf("#[gpu(block: [64])]\n"
                                   "fn k(a: &[i32], out: &mut [i32]):\n"
                                   "    val i = gpu.global_id()\n"
                                   "    if i < out.len():\n"
                                   "        out[i] = a[i]\n");
  ASSERT_TRUE(code.compileLater);
  const std::string later = code.compileLater("k", 64);
  EXPECT_NE(later.find(".reqntid 64"), std::string::npos) << later;
  EXPECT_EQ(later.find(".maxntid"), std::string::npos) << later;
}

TEST(DeviceJit, CompilesAtOnceWhatIsShared) {
  // The versions share the function, and the limit of a grid barrier depends on all versions.
  EXPECT_TRUE(codeOf("#[noinline]\n"
                     "fn halved(x: i32) -> i32:\n"
                     "    return x / 2\n"
                     "#[gpu]\n"
                     "fn k(a: &[i32], out: &mut [i32]):\n"
                     "    val i = gpu.global_id()\n"
                     "    if i < out.len():\n"
                     "        out[i] = halved(a[i])\n")
                  .later.empty());
  EXPECT_TRUE(codeOf("#[gpu]\n"
                     "fn k(a: &[i32], out: &mut [i32]):\n"
                     "    val i = gpu.global_id()\n"
                     "    if i < out.len():\n"
                     "        out[i] = a[i]\n"
                     "    gpu.grid_barrier()\n")
                  .later.empty());
  const CompiledCode code = codeOf("#[gpu]\n"
                                   "fn k(out: &mut [i32]):\n"
                                   "    if gpu.global_id() < out.len():\n"
                                   "        out[gpu.global_id()] = 1\n");
  EXPECT_TRUE(code.later.empty());
  EXPECT_FALSE(code.compileLater);
}

// In a file this version is short (test/contracts/short-unmet.spl).
TEST(DeviceJit, OptimisesWhatItCompilesLater) {
  const CompiledCode code = codeOf("#[gpu]\n"
                                   "fn sum(x: &[f32], out: &mut [f32], n: i64):\n"
                                   "    val id = gpu.global_id()\n"
                                   "    var total = 0.0f32\n"
                                   "    for i in id..n step gpu.global_size():\n"
                                   "        total += x[i]\n"
                                   "    if id < out.len():\n"
                                   "        out[id] = total\n");
  const std::string later = code.compileLater("sum", 0);
  std::size_t loads = 0;
  for (std::size_t at = 0; (at = later.find("ld.global.nc", at)) != std::string::npos; ++at)
    ++loads;
  EXPECT_EQ(loads, 5u) << later; // a batch of four, and the loop after it
}

TEST(DeviceJit, DoesNotDependOnTheThreads) {
  std::string many;
  for (int number = 0; number != 20; ++number) {
    std::string one = add;
    many += one.replace(one.find("add"), 3, "add" + std::to_string(number));
  }
  const std::string code = compile(many).code;
  const test::OneProcessor limit;
  EXPECT_EQ(code, compile(many).code);
}

namespace {

/// The message of the error if the version 'add' is compiled later from this MIR.
std::string refusalOf(llvm::StringRef mir) {
  driver::Compiled compiled = compile(add);
  const std::vector<codegen::PartCode> parts{{{'p', 't', 'x'}, ""},
                                             {{mir.begin(), mir.end()}, "add"}};
  const auto bytes = llvm::cantFail(codegen::writeArchive(parts));
  compiled.code.assign(bytes.begin(), bytes.end());
  const CompiledCode code = llvm::cantFail(jit::deviceCode(compiled, options()));
  EXPECT_EQ(code.bytes, "ptx");
  try {
    code.compileLater("add", 1);
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::CompileFailed);
    return error.message();
  }
  return "";
}

} // namespace

TEST(DeviceJit, SaysWhatCannotBeCompiled) {
  for (const char *mir : {"bad!", "ML\xefR", "spl.kernel @add() {\n  spl.undefined\n}\n"}) {
    const std::string message = refusalOf(mir);
    EXPECT_EQ(message.find("add cannot be compiled: "), 0u) << message;
  }
}

// Where crashes are recovered from, as in `simple run`.
TEST(DeviceJit, SurvivesACrashOfTheCompiler) {
  llvm::CrashRecoveryContext::Enable();
  // LLVM ends the process for an intrinsic of another target.
  const std::string message =
      refusalOf("spl.kernel @add() attributes {signature = #spl.signature<\"add()\">, spl.number = "
                "0 : i64} {\n"
                "  \"llvm.call_intrinsic\"() <{intrin = \"llvm.x86.sse2.mfence\", op_bundle_sizes "
                "= array<i32>, operandSegmentSizes = array<i32: 0, 0>}> : () -> ()\n"
                "  spl.return\n"
                "}\n");
  llvm::CrashRecoveryContext::Disable();
  EXPECT_EQ(message, "add cannot be compiled: it crashed");
  EXPECT_NE(codeOf(add).compileLater("add", 1).find(".entry add("), std::string::npos);
}

TEST(DeviceJit, RefusesADamagedArchive) {
  driver::Compiled compiled = compile(add);
  const std::string whole = compiled.code;
  for (std::size_t size : {whole.size() / 2, std::size_t{70}, std::size_t{8}}) {
    compiled.code = whole.substr(0, size);
    llvm::Expected<CompiledCode> code = jit::deviceCode(compiled, options());
    EXPECT_FALSE(static_cast<bool>(code)) << size;
    llvm::consumeError(code.takeError());
  }
}
