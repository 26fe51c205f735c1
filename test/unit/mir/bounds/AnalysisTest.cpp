// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the analysis says of integers holds for every integer, and it says what can be said.
#include "mir/bounds/Analysis.h"
#include "test/unit/mir/bounds/ContractText.h"
#include "test/unit/mir/bounds/IntegerProgram.h"
#include "test/unit/mir/bounds/ParsedKernel.h"
#include "gtest/gtest.h"
#include <deque>

using namespace spl::mir::bounds;
using namespace spl::test;
using mlir::arith::CmpIPredicate;

namespace {

struct Count {
  unsigned proofs = 0, conditional = 0;
};

/// The first combination in which a proof is wrong.
std::optional<size_t> counterexample(const IntegerProgram &program, size_t question, bool truth,
                                     llvm::StringRef contract) {
  for (size_t i = 0; i < program.combinations(); ++i) {
    bool isPossible = program.isDefined(i);
    for (size_t fact = 0; fact < program.facts.size() && isPossible; ++fact)
      isPossible = program.facts[fact].in[i] == program.factTruths[fact];
    if (isPossible && program.questions[question].in[i] != truth &&
        ContractText::holds(contract, program.parameters(i)))
      return i;
  }
  return std::nullopt;
}

void expectSound(unsigned seed, Count &count) {
  IntegerProgram program(seed);
  ParsedKernel parsed(program.parameterText(), program.body);
  ASSERT_TRUE(parsed) << program.body;
  Analysis analysis(parsed.kernel());
  std::deque<Analysis::Scope> scopes;
  for (auto [fact, truth] : llvm::zip(parsed.marked("test.fact"), program.factTruths)) {
    scopes.emplace_back(analysis);
    analysis.assume(fact, truth);
  }
  for (auto [index, question] : llvm::enumerate(parsed.marked("test.question")))
    for (bool truth : {true, false}) {
      std::optional<Needs> needs = analysis.prove(question, truth);
      if (!needs)
        continue;
      ++(needs->empty() ? count.proofs : count.conditional);
      const std::string contract = parsed.written(analysis.launchConditions().contract(*needs));
      std::optional<size_t> wrong = counterexample(program, index, truth, contract);
      ASSERT_FALSE(wrong) << "seed " << seed << ": " << program.questions[index].name << " is not "
                          << truth << " under '" << contract << "'\n"
                          << parsed.text;
    }
  while (!scopes.empty())
    scopes.pop_back();
}

} // namespace

TEST(BoundsAnalysis, ProvesNothingThatDoesNotHold) {
  Count count;
  for (unsigned seed = 0; seed < 3000 && !HasFatalFailure(); ++seed)
    expectSound(seed, count);
  // Enough is proved for this to be a test.
  EXPECT_GT(count.proofs, 1000u);
  EXPECT_GT(count.conditional, 300u);
}

namespace {

bool compares(CmpIPredicate predicate, int8_t a, int8_t b) {
  return mlir::arith::applyCmpPredicate(predicate, llvm::APInt(8, static_cast<uint8_t>(a)),
                                        llvm::APInt(8, static_cast<uint8_t>(b)));
}

const int8_t edges[] = {-128, -127, -1, 0, 1, 5, 126, 127};
const CmpIPredicate everyPredicate[] = {CmpIPredicate::eq,  CmpIPredicate::ne,  CmpIPredicate::slt,
                                        CmpIPredicate::sle, CmpIPredicate::sgt, CmpIPredicate::sge,
                                        CmpIPredicate::ult, CmpIPredicate::ule, CmpIPredicate::ugt,
                                        CmpIPredicate::uge};

/// Whether the second comparison of a number with a constant follows from the first.
bool follows(CmpIPredicate first, int8_t a, CmpIPredicate second, int8_t b) {
  for (int x = -128; x < 128; ++x)
    if (compares(first, x, a) && !compares(second, x, b))
      return false;
  return true;
}

bool isPossible(CmpIPredicate predicate, int8_t a) {
  for (int x = -128; x < 128; ++x)
    if (compares(predicate, x, a))
      return true;
  return false;
}

bool isUnsigned(CmpIPredicate predicate) { return predicate >= CmpIPredicate::ult; }

/// Bounds are those of a signed number: two intervals of it, as most unsigned ones are, or all but
/// one number, are none.
bool isExpected(CmpIPredicate first, int8_t a, CmpIPredicate second, int8_t b) {
  const bool knows = first == CmpIPredicate::ult || first == CmpIPredicate::ule ? a >= 0
                     : isUnsigned(first) || first == CmpIPredicate::ne          ? false
                                                                                : true;
  if (!knows)
    return false;
  if (second == CmpIPredicate::ne) // without 0 <= x, one end
    return !isUnsigned(first) && first != CmpIPredicate::eq;
  return !isUnsigned(second) || (b >= 0 && follows(first, a, CmpIPredicate::sge, 0));
}

} // namespace

TEST(BoundsAnalysis, OneComparisonImpliesAnother) {
  for (CmpIPredicate first : everyPredicate)
    for (int8_t a : edges) {
      std::string body = "  %x = \"test.unknown\"() : () -> i8\n  %a = arith.constant " +
                         std::to_string(a) + " : i8\n  %fact = arith.cmpi " +
                         mlir::arith::stringifyCmpIPredicate(first).str() +
                         ", %x, %a : i8\n  \"test.fact\"(%fact) : (i1) -> ()\n";
      for (CmpIPredicate second : everyPredicate)
        for (int8_t b : edges) {
          const std::string name =
              "%q" + std::to_string(static_cast<unsigned>(second)) + "_" + std::to_string(b + 128);
          body += "  " + name + "c = arith.constant " + std::to_string(b) + " : i8\n  " + name +
                  " = arith.cmpi " + mlir::arith::stringifyCmpIPredicate(second).str() + ", %x, " +
                  name + "c : i8\n  \"test.question\"(" + name + ") : (i1) -> ()\n";
        }
      ParsedKernel parsed("", body);
      ASSERT_TRUE(parsed);
      const mlir::Value fact = parsed.marked("test.fact").front();
      const auto questions = parsed.marked("test.question");
      for (bool truth : {true, false}) {
        const CmpIPredicate known = truth ? first : mlir::arith::invertPredicate(first);
        if (!isPossible(known, a))
          continue;
        Analysis analysis(parsed.kernel());
        Analysis::Scope scope(analysis);
        analysis.assume(fact, truth);
        size_t index = 0;
        for (CmpIPredicate second : everyPredicate)
          for (int8_t b : edges) {
            const mlir::Value question = questions[index++];
            const bool holds = follows(known, a, second, b);
            const bool proved = analysis.prove(question) == Needs();
            auto text = [&] {
              return (stringifyCmpIPredicate(known) + " " + llvm::Twine(int{a}) + ", then " +
                      stringifyCmpIPredicate(second) + " " + llvm::Twine(int{b}))
                  .str();
            };
            EXPECT_TRUE(holds || !proved) << text();
            EXPECT_TRUE(proved || !holds || !isExpected(known, a, second, b)) << text();
          }
      }
    }
}

// With no comparison, a number is what its type holds, and no less; a shift is by what the type
// takes.
TEST(BoundsAnalysis, KnowsTheEndsOfTypes) {
  for (unsigned width : {8u, 16u, 32u}) {
    const int64_t most = (int64_t{1} << (width - 1)) - 1, least = -most - 1;
    const std::string type = "i" + std::to_string(width);
    std::string body = "  %x = \"test.unknown\"() : () -> " + type + "\n";
    llvm::SmallVector<bool> expected;
    auto ask = [&](const char *predicate, int64_t number, bool holds) {
      const std::string name = "%q" + std::to_string(expected.size());
      body += "  " + name + "c = arith.constant " + std::to_string(number) + " : " + type + "\n  " +
              name + " = arith.cmpi " + predicate + ", %x, " + name + "c : " + type +
              "\n  \"test.question\"(" + name + ") : (i1) -> ()\n";
      expected.push_back(holds);
    };
    for (int64_t inside : {0, 1, 2}) {
      ask("sle", most - inside, inside == 0);
      ask("sge", least + inside, inside == 0);
      ask("slt", most - inside, false);
      ask("sgt", least + inside, false);
    }
    ParsedKernel parsed("", body);
    ASSERT_TRUE(parsed);
    Analysis analysis(parsed.kernel());
    for (auto [index, question] : llvm::enumerate(parsed.marked("test.question")))
      EXPECT_EQ(analysis.prove(question) == Needs(), expected[index]) << width << " " << index;
  }
}

TEST(BoundsAnalysis, ShiftsMultiplyByPowersOfTwoThatFit) {
  for (unsigned width : {8u, 16u, 32u, 64u})
    for (unsigned by = 0; by < width; ++by) {
      const std::string type = "i" + std::to_string(width);
      // 0 <= x <= 1, so that the product is 0 or 2^by, which the sign may take.
      const std::string body =
          "  %x = \"test.unknown\"() : () -> " + type + "\n  %zero = arith.constant 0 : " + type +
          "\n  %two = arith.constant 2 : " + type + "\n  %by = arith.constant " +
          std::to_string(by) + " : " + type + "\n  %fact = arith.cmpi ult, %x, %two : " + type +
          "\n  \"test.fact\"(%fact) : (i1) -> ()\n  %y = arith.shli %x, %by : " + type +
          "\n  %q = arith.cmpi sge, %y, %zero : " + type +
          "\n  \"test.question\"(%q) : (i1) -> ()\n";
      ParsedKernel parsed("", body);
      ASSERT_TRUE(parsed);
      Analysis analysis(parsed.kernel());
      Analysis::Scope scope(analysis);
      analysis.assume(parsed.marked("test.fact").front(), true);
      const bool proved = analysis.prove(parsed.marked("test.question").front()) == Needs();
      EXPECT_EQ(proved, by < width - 1) << width << " by " << by;
    }
}
