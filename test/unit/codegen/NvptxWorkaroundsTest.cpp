// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What works around LLVM for PTX leaves the module valid, for casts of every size.
#include "codegen/targets/nvptx/LlvmWorkarounds.h"
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

} // namespace
} // namespace spl::codegen
