// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What works around LLVM for PTX leaves the module valid, for casts of every size. What works
// around ptxas changes the instructions that it miscompiles and no other line.
#include "codegen/targets/nvptx/LlvmWorkarounds.h"
#include "codegen/targets/nvptx/PtxasWorkarounds.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"
#include <gtest/gtest.h>

namespace spl::codegen {
namespace {

/// "i32" or "<4 x i32>".
std::string typeOf(const std::string &element, unsigned lanes) {
  return lanes == 1 ? element : "<" + std::to_string(lanes) + " x " + element + ">";
}

TEST(NvptxWorkarounds, BitcastsOfBfloatStayOfTheirSize) {
  const std::pair<const char *, unsigned> elements[] = {{"i8", 8},     {"i16", 16},   {"half", 16},
                                                        {"i32", 32},   {"float", 32}, {"i64", 64},
                                                        {"double", 64}};
  for (unsigned lanes : {1, 2, 4, 8})
    for (auto [element, bits] : elements) {
      if (lanes * 16 % bits != 0)
        continue;
      const std::string bfloat = typeOf("bfloat", lanes),
                        other = typeOf(element, lanes * 16 / bits);
      for (bool isTo : {false, true}) {
        const std::string from = isTo ? other : bfloat, to = isTo ? bfloat : other;
        llvm::LLVMContext context;
        llvm::SMDiagnostic error;
        std::unique_ptr<llvm::Module> module =
            llvm::parseAssemblyString("define " + to + " @f(" + from + " %x) {\n  %y = bitcast " +
                                          from + " %x to " + to + "\n  ret " + to + " %y\n}\n",
                                      error, context);
        ASSERT_TRUE(module) << error.getMessage().str();
        workAroundNvptx(*module);
        std::string text;
        llvm::raw_string_ostream stream(text);
        EXPECT_FALSE(llvm::verifyModule(*module, &stream)) << from << " to " << to << ": " << text;
        // No cast of the result can be combined with one of the operand.
        bool isHidden = false;
        for (const llvm::Instruction &each : llvm::instructions(*module->getFunction("f")))
          isHidden |= llvm::isa<llvm::CallInst>(each);
        EXPECT_TRUE(isHidden) << from << " to " << to;
      }
    }
}

TEST(PtxasWorkarounds, RewriteWhatPtxasMiscompiles) {
  auto widened = [](const std::string &operation, const std::string &first,
                    const std::string &second) {
    return "\t{\n\t.reg .b32 \t%wide<2>;\n\t" + first + "\n\t" + second + "\n\t" + operation +
           " \t%wide0, %wide0, %wide1;\n\tcvt.u16.u32 \t%rs3, %wide0;\n\t}\n";
  };
  EXPECT_EQ(workAroundPtxas("\tmax.s16 \t%rs3, %rs1, %rs2;\n"),
            widened("max.s32", "cvt.s32.s16 \t%wide0, %rs1;", "cvt.s32.s16 \t%wide1, %rs2;"));
  EXPECT_EQ(workAroundPtxas("\tmin.s16 \t%rs3, %rs1, -7;\n"),
            widened("min.s32", "cvt.s32.s16 \t%wide0, %rs1;", "mov.b32 \t%wide1, -7;"));
  EXPECT_EQ(workAroundPtxas("\tmin.s16 \t%rs3, %rs1, 32768;\n"),
            widened("min.s32", "cvt.s32.s16 \t%wide0, %rs1;", "mov.b32 \t%wide1, -32768;"));
  EXPECT_EQ(workAroundPtxas("\tmin.u16 \t%rs3, %rs1, -2;\n"),
            widened("min.u32", "cvt.u32.u16 \t%wide0, %rs1;", "mov.b32 \t%wide1, 65534;"));
  EXPECT_EQ(workAroundPtxas("\tmax.u16 \t%rs3, %rs1, 40000;\n"),
            widened("max.u32", "cvt.u32.u16 \t%wide0, %rs1;", "mov.b32 \t%wide1, 40000;"));
  EXPECT_EQ(workAroundPtxas("\tsub.s16 \t%rs3, 0, %rs1;\n"),
            widened("sub.s32", "mov.b32 \t%wide0, 0;", "cvt.s32.s16 \t%wide1, %rs1;"));
  EXPECT_EQ(workAroundPtxas("\tneg.s16 \t%rs2, %rs1;\n"),
            "\t{\n\t.reg .b32 \t%wide<2>;\n\tcvt.s32.s16 \t%wide0, %rs1;\n"
            "\tneg.s32 \t%wide0, %wide0;\n\tcvt.u16.u32 \t%rs2, %wide0;\n\t}\n");
  EXPECT_EQ(workAroundPtxas("\tabs.s32 \t%r2, %r1;\n"),
            "\t{\n\t.reg .b32 \t%negated;\n\tneg.s32 \t%negated, %r1;\n"
            "\tmax.s32 \t%r2, %r1, %negated;\n\t}\n");
  for (const char *other : {"", "\n", "ret;", "\tabs.f32 \t%r2, %r1;\n", "\n\nret;\n",
                            "\tmax.s32 \t%r3, %r1, %r2;\n", "\tmax.s16x2 \t%r3, %r1, %r2;\n",
                            "\tmin.f16 \t%rs3, %rs1, %rs2;\n", "// max.s16 %rs3, %rs1, %rs2;\n"})
    EXPECT_EQ(workAroundPtxas(other), other);
}

TEST(NvptxWorkarounds, ComparisonsOfBfloatHaveNoFtz) {
  EXPECT_EQ(withoutFlushedComparisons("\tsetp.lt.ftz.bf16 \t%p1, %rs1, %rs2;\n"
                                      "\tex2.approx.ftz.bf16 \t%rs1, %rs2;\n"
                                      "\tsetp.lt.ftz.bf16x2 \t%p1|%p2, %r1, %r2;\n"),
            "\tsetp.lt.bf16 \t%p1, %rs1, %rs2;\n"
            "\tex2.approx.ftz.bf16 \t%rs1, %rs2;\n"
            "\tsetp.lt.bf16x2 \t%p1|%p2, %r1, %r2;\n");
  for (const char *other : {"", "ret;", ".ftz.bf16", "\tsetp.lt.ftz.f32 \t%p1, %f1, %f2;\n"})
    EXPECT_EQ(withoutFlushedComparisons(other), other);
}

} // namespace
} // namespace spl::codegen
