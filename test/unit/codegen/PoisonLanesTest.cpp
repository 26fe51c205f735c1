// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the workaround for poison lanes that a select does not choose
// (codegen/targets/cpu/PoisonLanes.h): the rewritten instructions, and the results of the code for
// several machines. All LLVM IR in this file is valid.
#include "codegen/targets/cpu/PoisonLanes.h"
#include "codegen/targets/cpu/Emit.h"
#include "test/unit/codegen/Harness.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include <array>
#include <gtest/gtest.h>

namespace spl::test {
namespace {

codegen::LlvmModule parse(llvm::StringRef text) {
  auto context = std::make_unique<llvm::LLVMContext>();
  llvm::SMDiagnostic error;
  std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, *context);
  if (!module)
    ADD_FAILURE() << error.getMessage().str() << " in\n" << text.str();
  return {std::move(context), std::move(module)};
}

/// The instruction %r after the rewrite, in a function with the parameters x and n.
std::string rewritten(const std::string &type, const std::string &body) {
  codegen::LlvmModule module = parse("define " + type + " @f(" + type + " %x, " + type +
                                     " %n, i32 %k) {\n" + body + "\nret " + type + " %r\n}");
  codegen::definePoisonLanes(*module.module);
  EXPECT_FALSE(llvm::verifyModule(*module.module, &llvm::errs()));
  for (llvm::Instruction &instruction : module.module->getFunction("f")->getEntryBlock())
    if (instruction.getName() == "r") {
      std::string text;
      llvm::raw_string_ostream(text) << instruction;
      return llvm::StringRef(text).trim().str();
    }
  return "";
}

TEST(PoisonLanes, ConstantCountsBecomeThoseOfALaneInRange) {
  EXPECT_EQ(rewritten("<4 x i64>", "%r = ashr <4 x i64> %x, <i64 255, i64 64, i64 poison, i64 56>"),
            "%r = ashr <4 x i64> %x, splat (i64 56)");
  EXPECT_EQ(rewritten("<4 x i32>", "%r = lshr <4 x i32> %x, <i32 3, i32 31, i32 32, i32 undef>"),
            "%r = lshr <4 x i32> %x, <i32 3, i32 31, i32 3, i32 3>");
  EXPECT_EQ(rewritten("<2 x i16>", "%r = shl <2 x i16> %x, <i16 -1, i16 16>"),
            "%r = shl <2 x i16> %x, zeroinitializer");
  EXPECT_EQ(rewritten("<2 x i8>", "%r = ashr <2 x i8> %x, <i8 7, i8 8>"),
            "%r = ashr <2 x i8> %x, splat (i8 7)");
}

TEST(PoisonLanes, CountsThatAreKnownToBeOutOfRangeAreBounded) {
  const std::string bounded = "%r = shl <2 x i32> %x, %1";
  EXPECT_EQ(rewritten("<2 x i32>",
                      "%c = insertelement <2 x i32> <i32 poison, i32 99>, i32 %k, i64 0\n"
                      "%r = shl <2 x i32> %x, %c"),
            bounded);
  EXPECT_EQ(rewritten("<2 x i32>", "%c = shufflevector <2 x i32> %n, <2 x i32> poison, "
                                   "<2 x i32> <i32 0, i32 poison>\n"
                                   "%r = shl <2 x i32> %x, %c"),
            bounded);
  EXPECT_EQ(rewritten("<2 x i32>", "%c = or <2 x i32> %n, <i32 0, i32 32>\n"
                                   "%r = shl <2 x i32> %x, %c"),
            bounded);
}

TEST(PoisonLanes, OtherCountsStay) {
  const std::string counts = "%r = ashr <2 x i32> %x, <i32 0, i32 31>";
  EXPECT_EQ(rewritten("<2 x i32>", counts), counts);
  const std::string variable = "%r = ashr <2 x i32> %x, %n";
  EXPECT_EQ(rewritten("<2 x i32>", variable), variable);
  const std::string scalar = "%r = lshr exact i64 %x, 64";
  EXPECT_EQ(rewritten("i64", scalar), scalar);
}

TEST(PoisonLanes, FlagsAreDropped) {
  for (std::string operation :
       {"add nuw nsw", "sub nuw", "mul nsw", "or disjoint", "shl nuw", "ashr exact", "udiv exact"})
    EXPECT_EQ(rewritten("<2 x i32>", "%r = " + operation + " <2 x i32> %x, splat (i32 3)"),
              "%r = " + operation.substr(0, operation.find(' ')) + " <2 x i32> %x, splat (i32 3)");
  const std::string scalar = "%r = add nuw i32 %x, 3", floats = "%r = fadd nnan <2 x float> %x, %n";
  EXPECT_EQ(rewritten("i32", scalar), scalar);
  EXPECT_EQ(rewritten("<2 x float>", floats), floats);
}

// Each function stores lanes of %masked and of %shifted or %less. The constants have a second use,
// so that the back end does not simplify them first.
const char *const blends = R"(
define void @longs(ptr %in, ptr %out, ptr %counts) {
  %x = load <4 x i64>, ptr %in, align 8
  store <4 x i64> <i64 255, i64 65535, i64 4294967295, i64 56>, ptr %counts, align 8
  %masked = and <4 x i64> %x, <i64 255, i64 65535, i64 4294967295, i64 poison>
  %shifted = ashr <4 x i64> %x, <i64 255, i64 65535, i64 4294967295, i64 56>
  %both = shufflevector <4 x i64> %masked, <4 x i64> %shifted,
      <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  store <4 x i64> %both, ptr %out, align 8
  ret void
}
define void @ints(ptr %in, ptr %out, ptr %counts) {
  %x = load <8 x i32>, ptr %in, align 4
  store <8 x i32> <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 24>,
        ptr %counts, align 4
  %masked = and <8 x i32> %x,
      <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 poison>
  %shifted = ashr <8 x i32> %x,
      <i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 255, i32 24>
  %both = shufflevector <8 x i32> %masked, <8 x i32> %shifted,
      <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 15>
  store <8 x i32> %both, ptr %out, align 4
  ret void
}
define void @differences(ptr %in, ptr %out, ptr %counts) {
  %x = load <4 x i32>, ptr %in, align 4
  store <4 x i32> <i32 1, i32 2, i32 3, i32 -1>, ptr %counts, align 4
  %less = sub nuw <4 x i32> %x, <i32 1, i32 2, i32 3, i32 -1>
  %masked = and <4 x i32> %x, <i32 0, i32 0, i32 0, i32 255>
  %both = shufflevector <4 x i32> %less, <4 x i32> %masked, <4 x i32> <i32 0, i32 1, i32 2, i32 7>
  store <4 x i32> %both, ptr %out, align 4
  ret void
}
)";

codegen::LlvmModule blendsWithoutPoison() {
  codegen::LlvmModule module = parse(blends);
  codegen::definePoisonLanes(*module.module);
  return module;
}

// The code contains no OR, and the back end must not generate one from a select.
TEST(PoisonLanes, ChoicesDoNotBecomeOrs) {
  for (const char *target : {"cpu:x86-64-v2", "cpu:haswell", "cpu:skylake-avx512", "cpu:znver4"}) {
    codegen::LlvmModule module = blendsWithoutPoison();
    std::string code = llvm::cantFail(codegen::emitAssembly(module, optionsFor(target)));
    for (const char *instruction : {"\tpor\t", "\tvpor\t", "\tvpternlog"})
      EXPECT_EQ(code.find(instruction), std::string::npos) << target << ":\n" << code;
  }
}

#if defined(__x86_64__)
class Machines : public testing::TestWithParam<std::tuple<const char *, bool>> {};

INSTANTIATE_TEST_SUITE_P(
    PoisonLanes, Machines,
    testing::Values(std::tuple("cpu:x86-64", true),
                    std::tuple("cpu:x86-64-v3", __builtin_cpu_supports("avx2")),
                    std::tuple("cpu:x86-64-v4", __builtin_cpu_supports("avx512vl"))));

TEST_P(Machines, ChosenLanesAreRight) {
  auto [target, isHere] = GetParam();
  if (!isHere)
    GTEST_SKIP() << "this processor does not run " << target;
  HostCode code(blendsWithoutPoison(), optionsFor(target));
  auto run = [&]<class T, std::size_t N>(const char *name, std::array<T, N> in) {
    std::array<T, N> out{}, counts{};
    reinterpret_cast<void (*)(T *, T *, T *)>(code.symbol(name))(in.data(), out.data(),
                                                                 counts.data());
    return out;
  };
  EXPECT_EQ(run("longs", std::array<int64_t, 4>{-2, -2, -2, -2}),
            (std::array<int64_t, 4>{254, 65534, 4294967294, -1}));
  EXPECT_EQ(run("ints", std::array<int32_t, 8>{-2, -2, -2, -2, -2, -2, -2, -2}),
            (std::array<int32_t, 8>{254, 254, 254, 254, 254, 254, 254, -1}));
  EXPECT_EQ(run("differences", std::array<int32_t, 4>{-2, -2, -2, -2}),
            (std::array<int32_t, 4>{-3, -4, -5, 254}));
}
#endif

} // namespace
} // namespace spl::test
