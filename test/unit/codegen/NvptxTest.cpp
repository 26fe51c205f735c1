// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Archs.h"
#include "test/unit/codegen/Harness.h"
#include <gtest/gtest.h>
#include <regex>

namespace spl::test {
namespace {

bool has(const std::string &text, llvm::StringRef part) {
  return llvm::StringRef(text).contains(part);
}

size_t count(const std::string &text, llvm::StringRef part) {
  return llvm::StringRef(text).count(part);
}

/// The parameter list of the entry.
std::string parameters(const std::string &ptx) {
  std::smatch match;
  return std::regex_search(ptx, match, std::regex("\\.entry \\w+\\(([^)]*)\\)")) ? match[1].str()
                                                                                 : "";
}

TEST(Nvptx, EveryArchitectureGetsTheLowestPtxVersionThatKnowsIt) {
  for (const codegen::NvptxArch &arch : codegen::nvptxArchs()) {
    std::string text = ptx(vectorAdd, optionsFor(arch.name));
    std::string version =
        std::to_string(arch.ptxVersion / 10) + "." + std::to_string(arch.ptxVersion % 10);
    EXPECT_TRUE(has(text, ".version " + version + "\n.target " + arch.name.str() + "\n")) << text;
  }
}

TEST(Nvptx, TextOpensWithTheSignatureOfEachKernel) {
  std::string text = ptx(std::string(vectorAdd) + saxpy, optionsFor("sm_75"));
  EXPECT_TRUE(llvm::StringRef(text).starts_with(
      "// spl.kernel #[faults] vector_add(a: &[f32], b: &[f32], out: &mut [f32]) unchecked if "
      "min(gpu.global_size(0), out.len()) <= a.len() and "
      "min(gpu.global_size(0), out.len()) <= b.len() and "
      "max(a.len(), b.len(), out.len(), gpu.global_size(0)) <= 2000000000\n"
      "// spl.kernel #[faults] saxpy(alpha: f32, x: &[f32], y: &mut [f32]) unchecked if "
      "min(gpu.global_size(0), y.len()) <= x.len() and "
      "max(x.len(), y.len(), gpu.global_size(0)) <= 2000000000\n"))
      << text;
}

TEST(Nvptx, ParametersAreTheAbisWithChecksAndWithout) {
  for (bool isChecked : {true, false}) {
    codegen::Options options = optionsFor("sm_80");
    options.checks = llvm::cantFail(mir::CheckKinds::parse(isChecked ? "all" : "none"));
    std::string text = ptx(saxpy, options);
    const std::string record =
        isChecked ? ",\n\t.param .u64 .ptr .global .align 1 saxpy_param_5" : "";
    EXPECT_EQ(parameters(text), "\n\t.param .f32 saxpy_param_0,"
                                "\n\t.param .u64 .ptr .global .align 4 saxpy_param_1,"
                                "\n\t.param .u64 saxpy_param_2,"
                                "\n\t.param .u64 .ptr .global .align 4 saxpy_param_3,"
                                "\n\t.param .u64 saxpy_param_4" +
                                    record + "\n")
        << text;
    EXPECT_EQ(has(text, "brkpt"), isChecked) << text;
  }
}

TEST(Nvptx, ReadOnlySlicesAreLoadedThroughTheReadOnlyCache) {
  for (unsigned level : {1, 2, 3}) {
    codegen::Options options = optionsFor("sm_75");
    options.optLevel = level;
    options.checks = mir::CheckKinds::none(); // checks store fault records
    options.contracts = false;
    std::string text = ptx(saxpy, options);
    EXPECT_EQ(count(text, "ld.global.nc.b32"), 1u) << text; // x
    EXPECT_EQ(count(text, "ld.global.b32"), 1u) << text;    // y, which is written
    EXPECT_EQ(count(text, "st.global.b32"), 1u) << text;
  }
}

TEST(Nvptx, TheProductsOfIdsAreWidened) {
  codegen::Options options = optionsFor("sm_75");
  options.contracts = false;
  std::string text = ptx(vectorAdd, options);
  EXPECT_TRUE(has(text, "mul.wide.u32")) << text;
  EXPECT_FALSE(has(text, "mul.lo.s64")) << text;
}

const char *const roundings = R"mlir(
spl.kernel @roundings(%a: f32, %b: f32, %c: f64, %o: !spl.slice<f32, mut>, %p: !spl.slice<f64, mut>)
    attributes {signature = #spl.signature<"roundings()">} {
  %i = arith.constant 0 : i64
  %product = arith.mulf %a, %b : f32
  %sum = arith.addf %product, %b : f32
  %quotient = arith.divf %sum, %a : f32
  %root = spl.intrinsic "math.sqrt"(%quotient) : (f32) -> f32
  %least = spl.intrinsic "math.min"(%root, %b) : (f32, f32) -> f32
  spl.store %least, %o[%i] : !spl.slice<f32, mut>
  %square = arith.mulf %c, %c : f64
  %less = arith.subf %square, %c : f64
  %most = spl.intrinsic "math.max"(%less, %c) : (f64, f64) -> f64
  spl.store %most, %p[%i] : !spl.slice<f64, mut>
  spl.return
}
)mlir";

TEST(Nvptx, OperationsAreCorrectlyRoundedAndNeverFused) {
  std::string text = ptx(roundings, optionsFor("sm_90"));
  for (const char *instruction : {"mul.rn.f32", "add.rn.f32", "div.rn.f32", "sqrt.rn.f32",
                                  "min.f32", "mul.rn.f64", "sub.rn.f64", "max.f64"})
    EXPECT_TRUE(has(text, instruction)) << instruction << text;
  EXPECT_FALSE(has(text, "fma")) << text;
  EXPECT_FALSE(has(text, "ftz")) << text;
  EXPECT_TRUE(has(ptx(saxpy, optionsFor("sm_90")), "fma.rn.f32"));
}

TEST(Nvptx, FastMathAllowsApproximations) {
  codegen::Options options = optionsFor("sm_90");
  options.fastMath = true;
  std::string text = ptx(roundings, options);
  for (const char *instruction : {"fma.rn.ftz.f32", "div.approx.ftz.f32", "sqrt.approx.ftz.f32"})
    EXPECT_TRUE(has(text, instruction)) << instruction << text;
}

TEST(Nvptx, MaxRegistersIsADirectiveOfTheKernel) {
  codegen::Options options = optionsFor("sm_90");
  EXPECT_FALSE(has(ptx(vectorAdd, options), ".maxnreg"));
  options.own.set(codegen::maxRegistersOption, "40");
  EXPECT_TRUE(has(ptx(vectorAdd, options), ".maxnreg 40"));
}

TEST(Nvptx, WithoutOptimisationKernelsStillCompile) {
  codegen::Options options = optionsFor("sm_75");
  options.optLevel = 0;
  EXPECT_TRUE(has(ptx(std::string(vectorAdd) + roundings, options), ".entry vector_add("));
}

/// A kernel called \p name that calls math.pow.
std::string powKernel(llvm::StringRef name) {
  return ("spl.kernel @" + name +
          "(%o: !spl.slice<f64, mut>) attributes {signature = #spl.signature<\"x()\">} {" +
          R"mlir(
  %i = arith.constant 0 : i64
  %x = spl.load %o[%i] : !spl.slice<f64, mut>
  %r = spl.intrinsic "math.pow"(%x, %x) : (f64, f64) -> f64
  spl.store %r, %o[%i] : !spl.slice<f64, mut>
  spl.return
})mlir")
      .str();
}

TEST(Nvptx, AKernelMayBeCalledAsAFunctionOfTheLibrary) {
  std::string plain = ptx(powKernel("kernel"), optionsFor("sm_90"));
  ASSERT_TRUE(has(plain, ".entry kernel(")) << plain;
  for (const char *name : {"__nv_pow", "_Z3powdd", "pow", "__internal_accurate_pow", "__clc_pow"}) {
    std::string text = ptx(powKernel(name), optionsFor("sm_90"));
    EXPECT_TRUE(has(text, (llvm::Twine(".entry ") + name + "(").str())) << text;
    EXPECT_EQ(count(text, "fma.rn.f64"), count(plain, "fma.rn.f64")) << name;
  }
}

TEST(Nvptx, WhatPtxCannotNameIsAnError) {
  for (const char *name : {"_", "WARP_SZ"})
    EXPECT_EQ(ptx(powKernel(name), optionsFor("sm_90")),
              "error: test.spl:1:1: '" + std::string(name) +
                  "' cannot be the name of a kernel in PTX; rename it");
}

TEST(Nvptx, WhatTheTargetCannotDoIsAnError) {
  codegen::Options cpu = optionsFor("cpu");
  EXPECT_EQ(ptx(vectorAdd, cpu), "error: target cpu has no PTX");
}

} // namespace
} // namespace spl::test
