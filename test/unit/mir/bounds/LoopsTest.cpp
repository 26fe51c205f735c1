// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bounds of values that loops carry: what each iteration keeps is proved, and nothing else.
#include "test/unit/mir/bounds/Questions.h"
#include <functional>

using namespace spl::test;

namespace {

/// A loop that carries a value from a first one on. The next value is made from it. The questions
/// are asked of the value in each iteration, and of the result "%r" of the loop.
struct CarryingLoop {
  const char *name, *carried, *begin, *end;
};
const CarryingLoop loops[] = {
    {"for", "%x",
     "  %r = scf.for %i = %zero to %count step %one iter_args(%x = FIRST) -> (i64) : i64 {\n",
     "    scf.yield NEXT : i64\n  }\n"},
    {"while", "%y",
     "  %r = scf.while (%x = FIRST) : (i64) -> i64 {\n    %more = \"test.unknown\"() : () -> i1\n"
     "    scf.condition(%more) %x : i64\n  } do {\n  ^bb0(%y: i64):\n",
     "    scf.yield NEXT : i64\n  }\n"},
};

std::string replaced(llvm::StringRef text, llvm::StringRef from, llvm::StringRef to) {
  return llvm::join(llvm::split(text, from), to);
}

} // namespace

// A first value with several bounds: those stay that the next value has as well.
TEST(BoundsOfLoops, KeepEachBoundThatAnIterationKeeps) {
  struct Row {
    const char *next; // of %x
    bool isMost[2], isLeast[2];
  };
  // %a and %b are at least the first value, %c and %d at most.
  const Row rows[] = {
      {"%x", {true, true}, {true, true}},
      {"%first", {true, true}, {true, true}},
      {"arith.minsi %x, %k : i64", {true, true}, {false, false}},
      {"arith.maxsi %x, %k : i64", {false, false}, {true, true}},
      {"arith.minsi %a, %k : i64", {true, false}, {false, false}},
      {"arith.minsi %b, %k : i64", {false, true}, {false, false}},
      {"arith.maxsi %c, %k : i64", {false, false}, {true, false}},
      {"arith.maxsi %d, %k : i64", {false, false}, {false, true}},
      {"arith.addi %x, %k : i64", {false, false}, {false, false}},
      {"%k", {false, false}, {false, false}},
  };
  for (const CarryingLoop &loop : loops)
    for (const Row &row : rows) {
      Expected all("%a: i64 {spl.name = \"a\"}, %b: i64 {spl.name = \"b\"}, "
                   "%c: i64 {spl.name = \"c\"}, %d: i64 {spl.name = \"d\"}");
      Questions &text = all.text;
      for (const char *name : {"%k", "%first", "%count"})
        text.write(llvm::Twine("  ") + name + " = \"test.unknown\"() : () -> i64\n");
      text.write("  %zero = arith.constant 0 : i64\n  %one = arith.constant 1 : i64\n");
      for (const char *name : {"%a", "%b"})
        text.fact("sle", "%first", name);
      for (const char *name : {"%c", "%d"})
        text.fact("sge", "%first", name);
      auto ask = [&](const char *value) {
        all.ask(row.isMost[0], "sle", value, "%a");
        all.ask(row.isMost[1], "sle", value, "%b");
        all.ask(row.isLeast[0], "sge", value, "%c");
        all.ask(row.isLeast[1], "sge", value, "%d");
      };
      text.write(replaced(loop.begin, "FIRST", "%first"));
      ask(loop.carried);
      std::string next = replaced(row.next, "%x", loop.carried);
      if (!llvm::StringRef(next).starts_with("%"))
        next = text.add(next);
      text.write(replaced(loop.end, "NEXT", next));
      ask("%r");
      SCOPED_TRACE(llvm::Twine(loop.name).concat(": ").concat(row.next).str());
      all.check();
    }
}

// A constant bound stays if each iteration keeps it: the next value is computed from a range.
TEST(BoundsOfLoops, KeepConstantBoundsThatAnIterationKeeps) {
  struct Row {
    const char *next;
    bool isMost, isLeast; // x <= 10, -10 <= x
  };
  const Row rows[] = {
      {"arith.minsi %x, %ten : i64", true, true},   {"arith.maxsi %x, %less : i64", true, true},
      {"arith.andi %k, %seven : i64", true, true},  {"arith.subi %x, %one : i64", false, false},
      {"arith.addi %x, %one : i64", false, false},  {"arith.subi %ten, %one : i64", true, true},
      {"arith.addi %ten, %one : i64", false, true}, {"arith.subi %less, %one : i64", true, false},
  };
  for (const CarryingLoop &loop : loops)
    for (const Row &row : rows) {
      Expected all;
      Questions &text = all.text;
      for (const char *name : {"%k", "%first", "%count"})
        text.write(llvm::Twine("  ") + name + " = \"test.unknown\"() : () -> i64\n");
      text.write("  %zero = arith.constant 0 : i64\n  %one = arith.constant 1 : i64\n"
                 "  %ten = arith.constant 10 : i64\n  %less = arith.constant -10 : i64\n"
                 "  %seven = arith.constant 7 : i64\n");
      text.fact("sle", "%first", "%ten");
      text.fact("sge", "%first", "%less");
      text.write(replaced(loop.begin, "FIRST", "%first"));
      all.ask(row.isMost, "sle", loop.carried, "%ten");
      all.ask(row.isLeast, "sge", loop.carried, "%less");
      text.write(replaced(loop.end, "NEXT", text.add(replaced(row.next, "%x", loop.carried))));
      all.ask(row.isMost, "sle", "%r", "%ten");
      all.ask(row.isLeast, "sge", "%r", "%less");
      SCOPED_TRACE(llvm::Twine(loop.name).concat(": ").concat(row.next).str());
      all.check();
    }
}

// What is asked before does not change the answer: in a branch behind the loop more is known of the
// first value than before the branch.
TEST(BoundsOfLoops, AreKnownByTheFactsOfTheQuestion) {
  for (const CarryingLoop &loop : loops)
    for (bool asksBefore : {false, true}) {
      Expected all;
      Questions &text = all.text;
      text.write("  %first = \"test.unknown\"() : () -> i64\n"
                 "  %count = \"test.unknown\"() : () -> i64\n"
                 "  %zero = arith.constant 0 : i64\n  %one = arith.constant 1 : i64\n");
      text.write(replaced(loop.begin, "FIRST", "%first"));
      text.write(replaced(loop.end, "NEXT", loop.carried));
      const std::string small = text.compare("sle", "%first", "%one");
      if (asksBefore)
        all.ask(false, "sle", "%r", "%one");
      text.write("  scf.if " + small + " {\n");
      all.ask(true, "sle", "%r", "%one");
      text.write("  } else {\n");
      all.ask(false, "sle", "%r", "%one");
      all.ask(true, "sgt", "%r", "%one");
      text.write("  }\n");
      all.ask(false, "sle", "%r", "%one");
      all.ask(false, "sgt", "%r", "%one");
      SCOPED_TRACE(loop.name);
      all.check();
    }
}

namespace {

/// A change of a loop that the frontend makes for a range. In the changed loop the variable may
/// leave the range.
struct Change {
  const char *from, *to;
};

/// `for i in first..bound step step` where the step is not constant.
const char *const stepLoop = R"(
  %some = arith.cmpi slt, %first, %bound : i64
  %whole = arith.subi %bound, %first : i64
  %distance = arith.subi %whole, %one : i64
  %r:3 = scf.while (%v = %first, %m = %some, %d = %distance) : (i64, i1, i64) -> (i64, i1, i64) {
    scf.condition(%m) %v, %m, %d : i64, i1, i64
  } do {
  ^bb0(%i: i64, %more: i1, %left: i64):
    %inside = "test.unknown"() : () -> i64
QUESTIONS
    %next = arith.addi %i, %step : i64
    %continues = arith.cmpi uge, %left, %step : i64
    %rest = arith.subi %left, %step : i64
    scf.yield %next, %continues, %rest : i64, i1, i64
  }
)";

/// The iterations of `for i in 0..=last`.
const char *const countLoop = R"(
  %some = arith.cmpi sle, %zero, %last : i64
  %r:2 = scf.while (%v = %zero, %m = %some) : (i64, i1) -> (i64, i1) {
    scf.condition(%m) %v, %m : i64, i1
  } do {
  ^bb0(%i: i64, %more: i1):
    %inside = "test.unknown"() : () -> i64
QUESTIONS
    %next = arith.addi %i, %one : i64
    %continues = arith.cmpi ne, %i, %last : i64
    scf.yield %next, %continues : i64, i1
  }
)";

/// Whether `least <= %i` and `%i compare most` are proved in the loop.
std::pair<bool, bool> provedOfVariable(llvm::StringRef loop, const char *least,
                                       const char *predicate, const char *most) {
  Questions text;
  for (const char *name : {"%first", "%bound", "%last", "%step", "%other"})
    text.write(llvm::Twine("  ") + name + " = \"test.unknown\"() : () -> i64\n");
  text.write("  %zero = arith.constant 0 : i64\n  %one = arith.constant 1 : i64\n"
             "  %two = arith.constant 2 : i64\n");
  text.fact("sge", "%step", "%one");
  text.fact("sge", "%other", "%one");
  text.fact("sge", "%last", "%zero");
  std::string before = text.body;
  text.body.clear();
  text.ask("sle", least, "%i");
  text.ask(predicate, "%i", most);
  text.body = before + replaced(loop, "QUESTIONS\n", text.body);
  const std::vector<bool> proved = text.proved();
  if (proved.size() != 2) {
    ADD_FAILURE() << loop.str();
    return {};
  }
  return {proved[0], proved[1]};
}

std::string changed(llvm::StringRef loop, const Change &change) {
  EXPECT_TRUE(loop.contains(change.from)) << change.from;
  return replaced(loop, change.from, change.to);
}

} // namespace

TEST(BoundsOfLoops, AStepStaysBelowTheBoundOnlyInTheLoopOfARange) {
  EXPECT_EQ(provedOfVariable(stepLoop, "%first", "slt", "%bound"), std::pair(true, true));
  EXPECT_FALSE(provedOfVariable(stepLoop, "%bound", "slt", "%bound").first);
  EXPECT_FALSE(provedOfVariable(stepLoop, "%first", "slt", "%first").second);
  const Change changes[] = {
      // the comparison for another iteration
      {"cmpi uge, %left, %step", "cmpi ule, %left, %step"},
      {"cmpi uge, %left, %step", "cmpi uge, %other, %step"},
      {"cmpi uge, %left, %step", "cmpi uge, %step, %left"},
      {"cmpi uge, %left, %step", "cmpi uge, %left, %other"},
      {"cmpi uge, %left, %step", "cmpi uge, %left, %inside"},
      {"cmpi uge, %left, %step", "cmpi uge, %i, %step"},
      // the distance that is left
      {"%rest = arith.subi %left, %step", "%rest = arith.subi %left, %other"},
      {"%rest = arith.subi %left, %step", "%rest = arith.subi %left, %inside"},
      {"%rest = arith.subi %left, %step", "%rest = arith.subi %other, %step"},
      {"%rest = arith.subi %left, %step", "%rest = arith.subi %step, %left"},
      {"%rest = arith.subi %left, %step", "%rest = arith.addi %left, %step"},
      {"scf.yield %next, %continues, %rest", "scf.yield %next, %continues, %left"},
      {"scf.yield %next, %continues, %rest", "scf.yield %next, %continues, %other"},
      // the next value of the variable
      {"%next = arith.addi %i, %step", "%next = arith.addi %i, %other"},
      {"%next = arith.addi %i, %step", "%next = arith.addi %i, %inside"},
      {"%next = arith.addi %i, %step", "%next = arith.addi %left, %step"},
      {"%next = arith.addi %i, %step", "%next = arith.muli %i, %step"},
      {"scf.yield %next, %continues", "scf.yield %other, %continues"},
      {"scf.yield %next, %continues", "scf.yield %next, %more"},
      // what the loop starts with
      {"%some = arith.cmpi slt, %first", "%some = arith.cmpi sle, %first"},
      {"%some = arith.cmpi slt, %first", "%some = arith.cmpi ult, %first"},
      {"cmpi slt, %first, %bound", "cmpi slt, %bound, %first"},
      {"cmpi slt, %first, %bound", "cmpi slt, %other, %bound"},
      {"cmpi slt, %first, %bound", "cmpi slt, %first, %other"},
      {"%whole = arith.subi %bound, %first", "%whole = arith.subi %first, %bound"},
      {"%whole = arith.subi %bound, %first", "%whole = arith.subi %bound, %other"},
      {"%whole = arith.subi %bound, %first", "%whole = arith.subi %other, %first"},
      {"%whole = arith.subi %bound, %first", "%whole = arith.addi %bound, %first"},
      {"%distance = arith.subi %whole, %one", "%distance = arith.subi %whole, %zero"},
      {"%distance = arith.subi %whole, %one", "%distance = arith.subi %whole, %two"},
      {"%distance = arith.subi %whole, %one", "%distance = arith.addi %whole, %one"},
      {"%v = %first", "%v = %other"},
      {"%m = %some", "%m = %unknown"},
      {"%d = %distance", "%d = %whole"},
      {"%d = %distance", "%d = %other"},
      // what the body is given
      {"scf.condition(%m) %v, %m, %d", "scf.condition(%unknown) %v, %m, %d"},
      {"scf.condition(%m) %v, %m, %d", "scf.condition(%m) %d, %m, %v"},
  };
  for (const Change &change : changes) {
    std::string loop = "  %unknown = \"test.unknown\"() : () -> i1\n" + changed(stepLoop, change);
    EXPECT_FALSE(provedOfVariable(loop, "%first", "slt", "%bound").second)
        << change.from << " as " << change.to;
  }
}

// `for i in first..=bound step step`: the distance is that to the bound itself.
TEST(BoundsOfLoops, AStepEndsAtTheLastOfAnInclusiveRange) {
  const std::string loop = changed(changed(stepLoop, {"cmpi slt, %first", "cmpi sle, %first"}),
                                   {"%d = %distance", "%d = %whole"});
  EXPECT_EQ(provedOfVariable(loop, "%first", "sle", "%bound"), std::pair(true, true));
  EXPECT_FALSE(provedOfVariable(loop, "%first", "slt", "%bound").second);
  const Change changes[] = {
      {"cmpi sle, %first", "cmpi ule, %first"},
      {"cmpi sle, %first", "cmpi sge, %first"},
      {"cmpi sle, %first, %bound", "cmpi sle, %first, %other"},
      {"cmpi sle, %first, %bound", "cmpi sle, %other, %bound"},
      {"%whole = arith.subi %bound, %first", "%whole = arith.subi %bound, %other"},
      {"%whole = arith.subi %bound, %first", "%whole = arith.subi %other, %first"},
      {"%whole = arith.subi %bound, %first", "%whole = arith.addi %bound, %first"},
      {"%distance = arith.subi %whole, %one", "%distance = arith.addi %whole, %one"},
      {"%rest = arith.subi %left, %step", "%rest = arith.subi %left, %other"},
  };
  for (const Change &change : changes) {
    const bool isDistance = llvm::StringRef(change.from).starts_with("%distance");
    const std::string wrong =
        changed(isDistance ? changed(loop, {"%d = %whole", "%d = %distance"}) : loop, change);
    EXPECT_FALSE(provedOfVariable(wrong, "%first", "sle", "%bound").second)
        << change.from << " as " << change.to;
  }
}

// The number of the iteration ends at the last one only if it meets it.
TEST(BoundsOfLoops, ANumberOfIterationsEndsAtTheLastOnlyInTheLoopOfARange) {
  EXPECT_EQ(provedOfVariable(countLoop, "%zero", "sle", "%last"), std::pair(true, true));
  EXPECT_FALSE(provedOfVariable(countLoop, "%one", "slt", "%last").first);
  EXPECT_FALSE(provedOfVariable(countLoop, "%zero", "slt", "%last").second);
  const Change changes[] = {
      {"cmpi ne, %i, %last", "cmpi eq, %i, %last"},
      {"cmpi ne, %i, %last", "cmpi ne, %next, %last"},
      {"cmpi ne, %i, %last", "cmpi ne, %i, %other"},
      {"cmpi ne, %i, %last", "cmpi ne, %i, %inside"},
      {"cmpi ne, %i, %last", "cmpi ne, %other, %last"},
      {"%next = arith.addi %i, %one", "%next = arith.addi %i, %two"},
      {"%next = arith.addi %i, %one", "%next = arith.addi %i, %other"},
      {"%next = arith.addi %i, %one", "%next = arith.subi %i, %one"},
      {"%next = arith.addi %i, %one", "%next = arith.addi %other, %one"},
      {"scf.yield %next, %continues", "scf.yield %next, %unknown"},
      {"%v = %zero", "%v = %one"},
      {"%v = %zero", "%v = %other"},
      {"scf.condition(%m) %v, %m", "scf.condition(%unknown) %v, %m"},
  };
  for (const Change &change : changes) {
    std::string loop = "  %unknown = \"test.unknown\"() : () -> i1\n" + changed(countLoop, change);
    EXPECT_FALSE(provedOfVariable(loop, "%zero", "sle", "%last").second)
        << change.from << " as " << change.to;
  }
}
