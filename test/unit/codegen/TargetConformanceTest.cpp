// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that every target in the registry conforms to its declared names, outputs, options and
// intrinsics. The registry of this program also contains the null target.
#include "codegen/Target.h"
#include "driver/Compilation.h"
#include "driver/Outputs.h"
#include "test/unit/TemporaryFolder.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>

namespace spl::test {
namespace {

using codegen::IntrinsicLowering;
using codegen::Output;
using codegen::Target;
using codegen::TargetSpec;

class TargetConformance : public testing::TestWithParam<const Target *> {
protected:
  const Target &target = *GetParam();
  const TargetSpec spec{target, target.defaultProcessor()};

  bool supports(const intrinsics::Row &row) const {
    return target.lowering(row.id).kind != IntrinsicLowering::Kind::Unsupported;
  }

  /// The compiled kernel as \p output, or the text of the diagnostics.
  std::string compiled(const Output &output, const std::string &value) const {
    driver::CompileOptions options;
    options.codegen.target = spec;
    driver::Compilation compilation(options);
    compilation.setText("k.spl", "#[gpu]\nfn k(a: &[f32], out: &mut [f32]):\n"
                                 "    val i = gpu.global_id()\n"
                                 "    if i < out.len() and i < a.len():\n"
                                 "        out[i] = " +
                                     value + "\n");
    llvm::SmallVector<char, 0> bytes;
    if (compilation.emit(output.name, bytes))
      return std::string(bytes.begin(), bytes.end());
    std::string text;
    llvm::raw_string_ostream os(text);
    compilation.diagnostics().print(os, /*colour=*/false);
    return "failed: " + text;
  }
};

std::string nameOf(const testing::TestParamInfo<const Target *> &info) {
  return info.param->name().str();
}
INSTANTIATE_TEST_SUITE_P(All, TargetConformance, testing::ValuesIn(codegen::allTargets().vec()),
                         nameOf);

TEST_P(TargetConformance, ItsWordNamesItAndNoOtherTarget) {
  llvm::Expected<TargetSpec> parsed = TargetSpec::parse(spec.str());
  ASSERT_TRUE(bool(parsed)) << llvm::toString(parsed.takeError());
  EXPECT_EQ(parsed->target, &target);
  EXPECT_EQ(parsed->str(), spec.str());
  for (const Target *other : codegen::allTargets())
    EXPECT_EQ(other->owns(spec.str()), other == &target) << other->name().str();
  EXPECT_NE(target.allWords().find(spec.str()), std::string::npos);
  EXPECT_NE(target.wordsInShort().find(spec.str()), std::string::npos);
}

TEST_P(TargetConformance, ItsOutputsHaveNamesOfTheirOwn) {
  ASSERT_NE(target.outputFor(Output::Default), nullptr);
  std::set<std::string> names;
  for (const Output &output : target.outputs()) {
    EXPECT_TRUE(names.insert(output.name.str()).second) << output.name.str();
    EXPECT_FALSE(driver::stageNamed(output.name)) << output.name.str();
    EXPECT_EQ(output.extension.front(), '.') << output.name.str();
    EXPECT_EQ(target.output(output.name), output.is(Output::Hidden) ? nullptr : &output);
  }
  EXPECT_FALSE(target.outputFor(Output::Default)->is(Output::Hidden));
  if (!target.backend().empty())
    EXPECT_NE(target.outputFor(Output::Loaded), nullptr);
}

TEST_P(TargetConformance, ItsOptionsHaveHelpAndNoOtherTargetHasThem) {
  for (const codegen::TargetOption &option : target.options()) {
    EXPECT_FALSE(option.help.empty()) << option.name.str();
    EXPECT_EQ(option.word.empty(), option.kind == codegen::TargetOption::Kind::Flag);
    for (const Target *other : codegen::allTargets())
      EXPECT_EQ(other->option(option.name) != nullptr, other == &target) << option.name.str();
  }
}

TEST_P(TargetConformance, ItWritesEachTextOfAKernel) {
  for (const Output &output : target.outputs()) {
    if (!output.isText || output.is(Output::Hidden))
      continue;
    const std::string text = compiled(output, "math.sqrt(a[i])");
    EXPECT_NE(text.find(target.entrySymbol("k")), std::string::npos) << text;
    EXPECT_EQ(text.find("failed: "), std::string::npos) << text;
    EXPECT_EQ(text, compiled(output, "math.sqrt(a[i])")) << "another text for the same";
  }
}

// One kernel for each function of one f32 that the target supports.
TEST_P(TargetConformance, ItTakesTheIntrinsicsThatItDeclares) {
  const Output &output = *target.outputFor(Output::Default);
  for (const intrinsics::Row &row : intrinsics::all()) {
    if (row.signature != "(F) -> F" || row.name.starts_with("op.") || !supports(row))
      continue;
    const std::string text = compiled(output, row.name.str() + "(a[i])");
    EXPECT_EQ(text.find("failed: "), std::string::npos) << text;
  }
}

TEST_P(TargetConformance, ItRefusesAnIntrinsicThatItLacks) {
  const TemporaryFolder folder; // an internal error writes a reproducer here
  const char *before = std::getenv("TMPDIR");
  const std::string previous = before ? before : "/tmp";
  setenv("TMPDIR", folder.path().c_str(), 1);
  for (const intrinsics::Row &row : intrinsics::all()) {
    if (row.signature != "(F) -> F" || row.name.starts_with("op.") || supports(row))
      continue;
    const std::string text =
        compiled(*target.outputFor(Output::Default), row.name.str() + "(a[i])");
    EXPECT_NE(text.find("does not support " + row.name.str()), std::string::npos) << text;
    break;
  }
  setenv("TMPDIR", previous.c_str(), 1);
}

TEST(NullTarget, WritesMirAsText) {
  driver::CompileOptions options;
  options.codegen.target = llvm::cantFail(TargetSpec::parse("null"));
  driver::Compilation compilation(options);
  compilation.setText("k.spl", "#[gpu]\nfn k(out: &mut [f32]):\n    out[0] = 1.0\n");
  llvm::SmallVector<char, 0> text;
  ASSERT_TRUE(compilation.emit("text", text));
  EXPECT_NE(llvm::StringRef(text.data(), text.size()).find("spl.kernel @k("),
            llvm::StringRef::npos);
}

TEST(NullTarget, HasThreeIntrinsics) {
  const TargetSpec null = llvm::cantFail(TargetSpec::parse("null"));
  EXPECT_EQ(llvm::count_if(intrinsics::all(),
                           [&](const intrinsics::Row &row) {
                             return null->lowering(row.id).kind !=
                                    IntrinsicLowering::Kind::Unsupported;
                           }),
            3);
}

} // namespace
} // namespace spl::test
