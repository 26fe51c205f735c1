// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests that random programs type-check, and that a seed always gives the same text.
#include "test/generator/Generator.h"

#include "frontend/diag/Engine.h"
#include "frontend/sema/Check.h"
#include "frontend/sema/Program.h"
#include "frontend/syntax/FileSet.h"

#include <gtest/gtest.h>
#include <map>

using namespace spl;

namespace {

/// The errors of the front end. Empty for a valid program.
std::string errorsOf(const generator::Program &program) {
  const std::string text = generator::prelude + program.text;
  std::vector<std::string> instances;
  for (const generator::Instance &instance : program.instances)
    instances.push_back(instance.request);
  diag::SourceManager sources;
  diag::Engine engine(sources);
  syntax::FileSet files(sources, engine, {});
  files.load("random.spl", sources.addBuffer("random.spl", text), /*isFile=*/false);
  if (sema::check(files, {.instances = instances}, engine))
    return {};
  std::string errors;
  for (const diag::Message &message : engine.all())
    if (diag::info(message.kind).severity == diag::Severity::Error)
      errors +=
          std::to_string(sources.position(message.range.begin).line) + ": " + message.text + "\n";
  return errors;
}

} // namespace

TEST(Generator, MakesCorrectPrograms) {
  for (std::uint64_t seed = 0; seed != 400; ++seed) {
    const generator::Program program = generator::generate(seed);
    const std::string errors = errorsOf(program);
    ASSERT_EQ(errors, "") << program.text;
  }
}

TEST(Generator, GivesTheSameForTheSameSeed) {
  for (std::uint64_t seed = 0; seed != 20; ++seed)
    EXPECT_EQ(generator::generate(seed).text, generator::generate(seed).text);
}

TEST(Generator, MakesEveryFlavour) {
  int flavours[3] = {}, groups = 0;
  for (std::uint64_t seed = 0; seed != 300; ++seed) {
    const generator::Program program = generator::generate(seed);
    ++flavours[static_cast<int>(program.flavour)];
    groups += program.text.find("gpu.barrier") != std::string::npos ||
              program.text.find("gpu.atomic") != std::string::npos ||
              program.text.find("gpu.shared") != std::string::npos;
  }
  for (const int count : flavours)
    EXPECT_GT(count, 60);
  EXPECT_GT(groups, 150);
}

// Each feature is in as many programs as Weights.def says, or more.
TEST(Generator, GivesProgramsTheirFeatures) {
  std::map<std::string, int> programs;
  int layouts[3] = {};
  std::size_t generic = 0, instances = 0;
  for (std::uint64_t seed = 0; seed != 2000; ++seed) {
    const generator::Program program = generator::generate(seed);
    const std::string &text = program.text;
    EXPECT_TRUE(program.prints || text.find("print ") == std::string::npos);
    EXPECT_EQ(program.layout != generator::Layout::OneFile,
              text.find(generator::border) != std::string::npos);
    ++layouts[static_cast<int>(program.layout)];
    generic += !program.instances.empty();
    instances += program.instances.size();
    for (const char *part : {"kind: Level",
                             "kinds: &[Level]",
                             "ok: &mut [Level]",
                             "match kind",
                             "weight_of(",
                             "&mut [T]",
                             ", N](",
                             "in 0..N",
                             ", const K: i64]:",
                             "in 0..K",
                             "e[wrapped(",
                             "z[flat_item()] ",
                             "print ",
                             "if counters[0]",
                             "while counters[1]",
                             "= advanced(&mut v",
                             "swapped(&mut v",
                             "twice(&mut v",
                             ".change(",
                             "if cell & 1",
                             "if tally.",
                             "from_tally(",
                             "gpu.group_broadcast(Tally(",
                             "gpu.atomic_store(",
                             "gpu.atomic_load(",
                             ".BITS",
                             "size_of[",
                             "gpu.uniform((",
                             "gpu.group_broadcast((",
                             "agreed(",
                             "(held: H",
                             ", held: H",
                             "= held if ",
                             "rows",
                             "& 7i64)..("})
      programs[part] += text.find(part) != std::string::npos;
  }
  EXPECT_GT(programs["kind: Level"], 160);
  EXPECT_EQ(programs["kind: Level"], programs["kinds: &[Level]"]);
  EXPECT_GT(programs["ok: &mut [Level]"], 80);
  EXPECT_GT(programs["match kind"], 8);
  EXPECT_GT(programs["weight_of("], 160);
  EXPECT_GT(programs["e[wrapped("], 80);
  EXPECT_GT(programs["z[flat_item()] "], 160);
  EXPECT_GT(programs["print "], 100);
  EXPECT_GT(programs["if counters[0]"], 10);
  EXPECT_GT(programs["while counters[1]"], 10);
  for (const char *part : {"= advanced(&mut v", "swapped(&mut v", "twice(&mut v", ".change(",
                           "if cell & 1", "if tally.", "from_tally(", "gpu.group_broadcast(Tally(",
                           "gpu.atomic_store(", "gpu.atomic_load(", ".BITS", "size_of[",
                           "gpu.uniform((", "gpu.group_broadcast((", "agreed("})
    EXPECT_GT(programs[part], 5) << part;
  EXPECT_GT(programs["(held: H"] + programs[", held: H"], 150);
  EXPECT_GT(programs["= held if "], 50);
  EXPECT_GT(programs["rows"], 80);
  EXPECT_GT(programs["& 7i64)..("], 10);
  EXPECT_GT(layouts[1], 40);
  EXPECT_GT(layouts[2], 40);
  EXPECT_GT(generic, 120);
  EXPECT_GT(instances, generic);
  EXPECT_GT(programs["&mut [T]"], 20);
  EXPECT_GT(programs[", const K: i64]:"], 100);
  EXPECT_GT(programs["in 0..K"], 60);
  EXPECT_GT(programs[", N]("] + programs["in 0..N"], 4);
}

// Each variant has the same parameters, differs often, and is correct.
TEST(Generator, WritesProgramsInOtherWays) {
  using generator::Variant;
  for (const Variant variant :
       {Variant::UnrolledLoops, Variant::InlinedCalls, Variant::SwappedOperands}) {
    int differing = 0;
    for (std::uint64_t seed = 0; seed != 400; ++seed) {
      const generator::Program program = generator::generate(seed),
                               other = generator::generate(seed, std::nullopt, variant);
      EXPECT_EQ(program.parameters.size(), other.parameters.size());
      if (program.text == other.text)
        continue;
      ++differing;
      const std::string errors = errorsOf(other);
      ASSERT_EQ(errors, "") << other.text;
    }
    EXPECT_GT(differing, 10) << static_cast<int>(variant);
    std::printf("%d of 400 programs differ\n", differing);
  }
}
