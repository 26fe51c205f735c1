// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests which conditions of latches are widened (codegen/targets/cpu/LatchConditions.h).
#include "codegen/targets/cpu/LatchConditions.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Support/SourceMgr.h"
#include <gtest/gtest.h>

namespace spl::test {
namespace {

void widen(llvm::Function &function) {
  llvm::PassBuilder builder;
  llvm::FunctionAnalysisManager analyses;
  builder.registerFunctionAnalyses(analyses);
  llvm::LoopAnalysisManager loops;
  analyses.registerPass([&] { return llvm::LoopAnalysisManagerFunctionProxy(loops); });
  codegen::WidenLatchConditions().run(function, analyses);
}

/// A loop whose counter %i is widened from %start to 64 bits.
struct Loop {
  std::string entry = "%isBelow = icmp slt i32 %start, %end";
  std::string start = "%wide = sext i32 %start to i64";
  std::string step = "1";
  std::string latch = "%low = trunc i64 %next to i32\n"
                      "%isEnd = icmp eq i32 %low, %end";
  std::string branch = "br i1 %isEnd, label %exit, label %loop";

  /// The instructions that compute the test of the latch after the pass.
  std::string widened() const {
    const std::string text =
        "declare void @use(i64)\n"
        "define void @f(i32 %start, i32 %end, i64 %any, ptr %p) {\nfirst:\n" +
        entry + "\nbr i1 %isBelow, label %before, label %exit\nbefore:\n" + start +
        "\nbr label %loop\n"
        "loop:\n%i = phi i64 [%wide, %before], [%next, %latch]\n"
        "call void @use(i64 %i)\n%next = add nsw i64 %i, " +
        step + "\nbr label %latch\nlatch:\n" + latch + "\n" + branch + "\nexit:\nret void\n}";
    llvm::LLVMContext context;
    llvm::SMDiagnostic error;
    std::unique_ptr<llvm::Module> module = llvm::parseAssemblyString(text, error, context);
    if (!module)
      return "error: " + error.getMessage().str() + " in\n" + text;
    llvm::Function &function = *module->getFunction("f");
    widen(function);
    if (llvm::verifyFunction(function, &llvm::errs()))
      return "error: not valid";
    std::string result;
    llvm::raw_string_ostream stream(result);
    for (llvm::BasicBlock &block : function)
      if (block.getName() == "before" || block.getName() == "latch")
        for (llvm::Instruction &instruction : block)
          if (!instruction.isTerminator() && instruction.getName() != "wide")
            stream << instruction << '\n';
    return result;
  }
};

const std::string wide = "  %0 = sext i32 %end to i64\n  %1 = icmp eq i64 %next, %0\n";
const std::string narrow = "  %low = trunc i64 %next to i32\n  %isEnd = icmp eq i32 %low, %end\n";

TEST(LatchConditions, ThatOfACounterOfI32IsWidened) {
  EXPECT_EQ(Loop().widened(), wide);
  EXPECT_EQ(
      Loop{.latch = "%low = trunc i64 %next to i32\n%isEnd = icmp eq i32 %end, %low"}.widened(),
      wide);
  EXPECT_EQ((Loop{.latch = "%low = trunc i64 %next to i32\n%isOther = icmp ne i32 %low, %end",
                  .branch = "br i1 %isOther, label %loop, label %exit"}
                 .widened()),
            "  %0 = sext i32 %end to i64\n  %1 = icmp ne i64 %next, %0\n");
}

TEST(LatchConditions, TheEndMayBeAnyValueOfBeforeTheLoop) {
  EXPECT_EQ((Loop{.entry = "%isBelow = icmp slt i32 %start, 7",
                  .latch = "%low = trunc i64 %next to i32\n%isEnd = icmp eq i32 %low, 7"}
                 .widened()),
            "  %0 = icmp eq i64 %next, 7\n");
  EXPECT_EQ((Loop{.entry = "%last = trunc i64 %any to i32\n%isBelow = icmp slt i32 %start, %last",
                  .latch = "%low = trunc i64 %next to i32\n%isEnd = icmp eq i32 %last, %low"}
                 .widened()),
            "  %0 = sext i32 %last to i64\n  %1 = icmp eq i64 %next, %0\n");
}

TEST(LatchConditions, OtherUsesOfTheLowBitsStay) {
  EXPECT_EQ(Loop{.latch = "%low = trunc i64 %next to i32\nstore i32 %low, ptr %p\n"
                          "%isEnd = icmp eq i32 %low, %end"}
                .widened(),
            "  %0 = sext i32 %end to i64\n  %low = trunc i64 %next to i32\n"
            "  store i32 %low, ptr %p, align 4\n  %1 = icmp eq i64 %next, %0\n");
}

// The counter would pass the end 2^32 times before the wide test ends the loop.
TEST(LatchConditions, TheCounterMustStartBelowTheEnd) {
  EXPECT_EQ(Loop{.entry = "%isBelow = icmp sle i32 %start, %end"}.widened(), narrow);
  EXPECT_EQ(Loop{.entry = "%isBelow = icmp ult i32 %start, %end"}.widened(), narrow);
  EXPECT_EQ(Loop{.entry = "%isBelow = icmp ne i32 %start, %end"}.widened(), narrow);
}

TEST(LatchConditions, TheCounterMustStartInTheRangeOfTheEnd) {
  auto startingAtLeastAt = [](const std::string &least) {
    return Loop{.entry = "%clamped = call i64 @llvm.smax.i64(i64 %any, i64 " + least +
                         ")\n%long = sext i32 %end to i64\n"
                         "%isBelow = icmp slt i64 %clamped, %long",
                .start = "%wide = add i64 %clamped, 0"}
        .widened();
  };
  EXPECT_EQ(startingAtLeastAt("-2147483648"), wide);
  EXPECT_EQ(startingAtLeastAt("-2147483649"), narrow);
}

TEST(LatchConditions, TheCounterMustTakeEachValue) {
  EXPECT_EQ(Loop{.step = "2"}.widened(), narrow);
  EXPECT_EQ(Loop{.step = "-1"}.widened(), narrow);
  EXPECT_EQ(Loop{.step = "%any"}.widened(), narrow);
}

TEST(LatchConditions, OtherTestsStay) {
  const std::string goesOnIfEqual = "br i1 %isEnd, label %loop, label %exit";
  EXPECT_EQ(Loop{.branch = goesOnIfEqual}.widened(), narrow);
  for (const std::string latch :
       {"  %low = trunc i64 %next to i32\n  %isEnd = icmp sge i32 %low, %end\n",
        "  %low = load i32, ptr %p, align 4\n  %isEnd = icmp eq i32 %low, %end\n",
        "  %low = trunc i64 %next to i32\n  %now = load i32, ptr %p, align 4\n"
        "  %isEnd = icmp eq i32 %low, %now\n",
        "  %isEnd = load i1, ptr %p, align 1\n"})
    EXPECT_EQ(Loop{.latch = latch}.widened(), latch);
  EXPECT_EQ((Loop{.latch = "", .branch = "br label %loop"}.widened()), "");
}

} // namespace
} // namespace spl::test
