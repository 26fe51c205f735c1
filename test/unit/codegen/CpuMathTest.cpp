// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which functions of SLEEF and of the project a machine gets: for scalars, for vectors of each
// width, and as variants for the vectoriser.
#include "codegen/targets/cpu/Math.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/VFABIDemangler.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TargetParser/Triple.h"
#include <gtest/gtest.h>
#include <set>

namespace spl::codegen {
namespace {

struct Level {
  const char *cpu;
  std::vector<unsigned> widths; ///< of its vectors in bits, the widest first
};
const Level levels[] = {
    {"x86-64", {128}},
    {"sandybridge", {256, 128}},
    {"haswell", {256, 128}},
    {"skylake-avx512", {512, 256, 128}},
};

class CpuMathOfX86 : public testing::Test {
protected:
  void SetUp() override {
    if (!llvm::Triple(hostTriple()).isX86())
      GTEST_SKIP() << "no LLVM backend for x86-64";
    registerHostBackend();
  }
  static CpuMath mathOf(const char *cpu) {
    return CpuMath({"x86_64-unknown-linux-gnu", cpu, "", 2});
  }
};

std::string typeIn(bool isDouble, unsigned lanes) {
  return (isDouble ? "d" : "f") + std::to_string(lanes) + "_";
}

} // namespace

TEST_F(CpuMathOfX86, AVectorGetsTheNarrowestFunctionThatHoldsIt) {
  for (const Level &level : levels)
    for (bool isDouble : {false, true})
      for (unsigned lanes = 1; lanes <= 32; ++lanes) {
        const unsigned bits = isDouble ? 64 : 32;
        unsigned expected = level.widths.front() / bits;
        for (unsigned width : level.widths)
          if (width >= lanes * bits)
            expected = width / bits;
        if (lanes == 1)
          expected = 1;
        for (const char *name : {"tan", "hypot", "exp2"}) {
          CpuMath::Function found = mathOf(level.cpu).find(name, isDouble, lanes);
          EXPECT_EQ(found.lanes, expected) << level.cpu << " " << lanes;
          EXPECT_NE(found.symbol.find("Sleef_"), std::string::npos) << found.symbol;
          EXPECT_NE(found.symbol.find(name + typeIn(isDouble, expected)), std::string::npos)
              << found.symbol << " for " << lanes << " lanes on " << level.cpu;
        }
      }
}

TEST_F(CpuMathOfX86, WhatSleefLacksIsTheFunctionOfC) {
  for (const Level &level : levels)
    for (unsigned lanes : {1, 2, 4, 8, 16}) {
      CpuMath::Function wide = mathOf(level.cpu).find("fmod", true, lanes);
      EXPECT_EQ(wide.symbol, "fmod");
      EXPECT_EQ(wide.lanes, 1u);
      CpuMath::Function narrow = mathOf(level.cpu).find("fmod", false, lanes);
      EXPECT_EQ(narrow.symbol, "fmodf");
      EXPECT_EQ(narrow.lanes, 1u);
    }
}

TEST_F(CpuMathOfX86, MachinesWithFmaGetTheOwnFunctions) {
  EXPECT_EQ(mathOf("haswell").find("exp", false, 1).symbol, "spl_exp_f32");
  EXPECT_EQ(mathOf("haswell").find("exp", true, 1).symbol, "spl_exp_f64");
  EXPECT_EQ(mathOf("haswell").find("exp", false, 5).symbol, "spl_exp_f32x8");
  EXPECT_EQ(mathOf("haswell").find("sin", true, 8).symbol, "spl_sin_f64x4");
  EXPECT_EQ(mathOf("skylake-avx512").find("log", true, 8).symbol, "spl_log_f64x8");
  for (const char *cpu : {"x86-64", "sandybridge"})
    EXPECT_EQ(mathOf(cpu).find("exp", false, 1).symbol, "Sleef_cinz_expf1_u10purec");
}

TEST(CpuMath, MachinesOfArmGetTheOwnFunctions) {
  const CpuMath math({"aarch64-unknown-linux-gnu", "", "", 2});
  EXPECT_EQ(math.find("exp", false, 1).symbol, "spl_exp_f32");
  EXPECT_EQ(math.find("exp", false, 8).symbol, "spl_exp_f32x4");
  EXPECT_EQ(math.find("tan", false, 8).symbol, "tanf");
}

TEST(CpuMath, OtherMachinesHaveTheFunctionsOfC) {
  const CpuMath math({"powerpc64le-unknown-linux-gnu", "", "", 2});
  for (const char *name : {"sin", "fmod"})
    for (unsigned lanes : {1, 4}) {
      EXPECT_EQ(math.find(name, true, lanes).symbol, name);
      EXPECT_EQ(math.find(name, false, lanes).symbol, name + std::string("f"));
      EXPECT_EQ(math.find(name, true, lanes).lanes, 1u);
    }
}

TEST(CpuMath, AMachineThatLlvmDoesNotKnowHasNoFeatures) {
  EXPECT_FALSE(hasFeature({"nothing-unknown-linux-gnu", "", "", 2}, "avx2"));
}

TEST_F(CpuMathOfX86, TheVectoriserGetsAVariantForEachWidth) {
  for (const Level &level : levels)
    for (bool isDouble : {false, true})
      for (unsigned operands : {1, 2}) {
        const CpuMath math = mathOf(level.cpu);
        const std::string type = isDouble ? "double" : "float";
        const std::string symbol = math.find(operands == 1 ? "tan" : "hypot", isDouble, 1).symbol;
        const std::string more = operands == 2 ? ", " + type : "",
                          given = operands == 2 ? ", " + type + " %x" : "";
        llvm::LLVMContext context;
        llvm::SMDiagnostic error;
        std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(
            "declare " + type + " @" + symbol + "(" + type + more +
                ") nounwind willreturn memory(none)\n" + "define " + type + " @f(" + type +
                " %x) {\n  %y = call " + type + " @" + symbol + "(" + type + " %x" + given +
                ")\n  ret " + type + " %y\n}\n",
            error, context);
        ASSERT_TRUE(module) << error.getMessage().str();
        math.addVectorVariants(*module);
        auto *call = llvm::cast<llvm::CallInst>(&*llvm::inst_begin(module->getFunction("f")));
        std::set<std::pair<unsigned, bool>> found; // the width, and whether it takes a mask
        for (const llvm::VFInfo &variant : llvm::VFDatabase::getMappings(*call)) {
          const llvm::Function *function = module->getFunction(variant.VectorName);
          ASSERT_TRUE(function) << variant.VectorName;
          auto *vector = llvm::cast<llvm::FixedVectorType>(function->getReturnType());
          EXPECT_EQ(variant.Shape.VF.getFixedValue(), vector->getNumElements());
          EXPECT_EQ(function->arg_size(), operands + variant.isMasked());
          EXPECT_TRUE(function->doesNotThrow() && function->doesNotAccessMemory() &&
                      function->willReturn())
              << variant.VectorName;
          EXPECT_EQ(function->isDeclaration(), !variant.isMasked());
          EXPECT_NE(variant.VectorName.find(typeIn(isDouble, vector->getNumElements())),
                    std::string::npos)
              << variant.VectorName;
          found.emplace(vector->getPrimitiveSizeInBits().getFixedValue(), variant.isMasked());
        }
        std::set<std::pair<unsigned, bool>> expected;
        for (unsigned width : level.widths)
          for (bool isMasked : {false, true})
            expected.emplace(width, isMasked);
        EXPECT_EQ(found, expected) << level.cpu;
      }
}

} // namespace spl::codegen
