// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The body of a kernel, written an operation at a time, with facts and questions about its values.
#pragma once

#include "mir/bounds/Analysis.h"
#include "test/unit/mir/bounds/ParsedKernel.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "gtest/gtest.h"
#include <deque>

namespace spl::test {

/// The names of the predicates of arith.cmpi, in the order of arith::CmpIPredicate.
inline constexpr const char *predicateNames[] = {"eq",  "ne",  "slt", "sle", "sgt",
                                                 "sge", "ult", "ule", "ugt", "uge"};

class Questions {
public:
  explicit Questions(std::string parameters = "") : parameters(std::move(parameters)) {}

  /// Appends an operation with one result. Returns the name of the result.
  std::string add(const llvm::Twine &operation) {
    std::string name = "%v" + std::to_string(names++);
    body += ("  " + llvm::Twine(name) + " = " + operation + "\n").str();
    return name;
  }
  /// Appends text as it is.
  void write(const llvm::Twine &text) { body += text.str(); }

  std::string constant(int64_t number, llvm::StringRef type = "i64") {
    return add("arith.constant " + llvm::Twine(number) + " : " + type);
  }
  /// A value of which nothing is known but its type.
  std::string unknown(llvm::StringRef type = "i64") {
    return add("\"test.unknown\"() : () -> " + type);
  }
  std::string compare(llvm::StringRef predicate, const llvm::Twine &a, const llvm::Twine &b,
                      llvm::StringRef type = "i64") {
    return add("arith.cmpi " + predicate + ", " + a + ", " + b + " : " + type);
  }

  /// Adds a fact. All questions assume it.
  void fact(llvm::StringRef predicate, const llvm::Twine &a, const llvm::Twine &b,
            llvm::StringRef type = "i64") {
    body += "  \"test.fact\"(" + compare(predicate, a, b, type) + ") : (i1) -> ()\n";
  }
  /// 'least <= value <= most'.
  void within(const llvm::Twine &value, int64_t least, int64_t most, llvm::StringRef type) {
    fact("sge", value, constant(least, type), type);
    fact("sle", value, constant(most, type), type);
  }
  /// Asks whether this holds in every launch. Returns the number of the question.
  size_t ask(llvm::StringRef predicate, const llvm::Twine &a, const llvm::Twine &b,
             llvm::StringRef type = "i64") {
    body += "  \"test.question\"(" + compare(predicate, a, b, type) + ") : (i1) -> ()\n";
    return questions++;
  }

  /// Returns for each question whether it is proved without a condition on the launch. One analysis
  /// tries all of them, each at its place.
  std::vector<bool> proved() {
    ParsedKernel parsed(parameters, body);
    EXPECT_TRUE(parsed) << parsed.text;
    std::vector<bool> result;
    if (!parsed)
      return std::vector<bool>(questions);
    mir::bounds::Analysis analysis(parsed.kernel());
    parsed.kernel().walk([&](mlir::Operation *op) {
      if (op->getName().getStringRef() != "test.question")
        return;
      Scopes scopes;
      goTo(op, analysis, scopes);
      result.push_back(analysis.prove(op->getOperand(0)) == mir::bounds::Needs());
      while (!scopes.empty())
        scopes.pop_back();
    });
    return result;
  }

  std::string body;

private:
  using Scopes = std::deque<mir::bounds::Analysis::Scope>;

  /// Reports what holds at the place of an operation: the facts before it, and the branches and
  /// loops around it.
  static void goTo(mlir::Operation *op, mir::bounds::Analysis &analysis, Scopes &scopes) {
    mlir::Operation *parent = op->getParentOp();
    if (!llvm::isa<mir::KernelOp>(parent))
      goTo(parent, analysis, scopes);
    scopes.emplace_back(analysis);
    if (auto choice = llvm::dyn_cast<mlir::scf::IfOp>(parent))
      analysis.assume(choice.getCondition(), op->getParentRegion() == &choice.getThenRegion());
    if (llvm::isa<mlir::scf::ForOp, mlir::scf::WhileOp>(parent))
      analysis.enter(parent);
    if (auto loop = llvm::dyn_cast<mlir::scf::WhileOp>(parent);
        loop && op->getBlock() == loop.getAfterBody())
      analysis.enterBody(loop);
    for (mlir::Operation &before : *op->getBlock()) {
      if (&before == op)
        break;
      if (before.getName().getStringRef() == "test.fact")
        analysis.assume(before.getOperand(0), true);
    }
  }

  std::string parameters;
  unsigned names = 0;
  size_t questions = 0;
};

/// Questions with the expected results.
class Expected {
public:
  Questions text;

  explicit Expected(std::string parameters = "") : text(std::move(parameters)) {}

  void ask(bool holds, llvm::StringRef predicate, const llvm::Twine &a, const llvm::Twine &b,
           llvm::StringRef type = "i64") {
    text.ask(predicate, a, b, type);
    expected.push_back(holds);
    shown.push_back((a + " " + predicate + " " + b).str());
  }
  /// These are the least and the most that the value is shown to be.
  void askRange(const llvm::Twine &value, int64_t least, int64_t most, llvm::StringRef type) {
    for (int64_t by : {0, 1}) {
      ask(by == 0, "sge", value, text.constant(least + by, type), type);
      ask(by == 0, "sle", value, text.constant(most - by, type), type);
    }
  }
  void check() {
    const std::vector<bool> proved = text.proved();
    ASSERT_EQ(proved.size(), expected.size());
    for (size_t i = 0; i < expected.size(); ++i)
      EXPECT_EQ(proved[i], expected[i]) << shown[i] << " in\n" << text.body;
  }

private:
  std::vector<bool> expected;
  std::vector<std::string> shown;
};

} // namespace spl::test
