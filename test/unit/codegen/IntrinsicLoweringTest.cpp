// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Pipeline.h"
#include "codegen/Target.h"
#include "mir/transforms/Passes.h"
#include <gtest/gtest.h>

namespace spl::codegen {
namespace {

using Kind = IntrinsicLowering::Kind;

TEST(IntrinsicLowering, HasWhatItsKindNeeds) {
  for (const Target *target : allTargets())
    for (const intrinsics::Row &row : intrinsics::all()) {
      const IntrinsicLowering &how = target->lowering(row.id);
      const std::string what = (target->name() + " " + row.name).str();
      if (how.kind != Kind::Unsupported)
        EXPECT_FALSE(how.doc.empty()) << what;
      if (how.kind == Kind::Library || how.kind == Kind::Approximate)
        EXPECT_FALSE(how.name.empty()) << what;
      if (how.kind != Kind::Library && how.kind != Kind::Approximate && how.kind != Kind::Llvm &&
          how.kind != Kind::Own)
        EXPECT_TRUE(how.name.empty()) << what;
      if (how.kind != Kind::Own)
        EXPECT_EQ(how.own, 0) << what;
      for (llvm::StringRef name : {how.name, how.signedName, how.unsignedName})
        if (how.kind == Kind::Llvm) // the identity has no name in LLVM
          EXPECT_TRUE(name.empty() || name.starts_with("llvm.")) << what;
    }
}

TEST(IntrinsicLowering, TargetsOfTheProductHaveEveryRow) {
  for (const char *word : {"sm_75", "cpu"})
    for (const intrinsics::Row &row : intrinsics::all())
      EXPECT_NE(llvm::cantFail(TargetSpec::parse(word))->lowering(row.id).kind, Kind::Unsupported)
          << word << ' ' << row.name.str();
}

TEST(IntrinsicLowering, WhatATargetLacksIsExpanded) {
  for (const Target *target : allTargets()) {
    const mir::ExpandIntrinsicsOptions expansion = expansionFor(*target);
    EXPECT_EQ(expansion.workItemsAreLoops, !target->hasWorkItems());
    for (const intrinsics::Row &row : intrinsics::all()) {
      const Kind kind = target->lowering(row.id).kind;
      const std::string name = row.name.str();
      EXPECT_EQ(llvm::is_contained(expansion.rows, name), kind == Kind::Expand)
          << target->name().str() << " " << name;
      // The approximation is for f32.
      EXPECT_EQ(llvm::is_contained(expansion.f64Rows, name), kind == Kind::Approximate)
          << target->name().str() << " " << name;
    }
  }
}

} // namespace
} // namespace spl::codegen
