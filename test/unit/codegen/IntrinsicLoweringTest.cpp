// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Target.h"
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

} // namespace
} // namespace spl::codegen
