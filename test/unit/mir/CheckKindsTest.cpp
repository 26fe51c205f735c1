// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the values of --check.
#include "mir/transforms/CheckKinds.h"
#include "gtest/gtest.h"

using spl::mir::CheckKind;
using spl::mir::CheckKinds;

namespace {

CheckKinds parsed(llvm::StringRef text) {
  llvm::Expected<CheckKinds> kinds = CheckKinds::parse(text);
  EXPECT_TRUE(bool(kinds)) << text.str();
  return kinds ? *kinds : CheckKinds::none();
}

std::string errorOf(llvm::StringRef text) {
  llvm::Expected<CheckKinds> kinds = CheckKinds::parse(text);
  return kinds ? "no error" : llvm::toString(kinds.takeError());
}

TEST(CheckKinds, NamesASet) {
  CheckKinds kinds = parsed("exponent,bounds");
  EXPECT_TRUE(kinds.has(CheckKind::Bounds));
  EXPECT_TRUE(kinds.has(CheckKind::Exponent));
  EXPECT_FALSE(kinds.has(CheckKind::Division));
}

TEST(CheckKinds, AllIsEveryKind) {
  EXPECT_EQ(parsed("all"), CheckKinds::all());
  EXPECT_EQ(parsed("bounds,division,exponent,assert"), CheckKinds::all());
}

TEST(CheckKinds, NoneIsEmpty) {
  for (CheckKind kind :
       {CheckKind::Bounds, CheckKind::Division, CheckKind::Exponent, CheckKind::Assert})
    EXPECT_FALSE(parsed("none").has(kind));
}

TEST(CheckKinds, ListsWhatThereIs) {
  EXPECT_EQ(errorOf("bound"), "unknown kind of check 'bound'; the kinds are bounds, division, "
                              "exponent, assert, all and none");
}

TEST(CheckKinds, AllAndNoneStandAlone) {
  EXPECT_EQ(errorOf("none,bounds"), "'none' is not a kind of check; write it alone");
  EXPECT_EQ(errorOf("bounds,all"), "'all' is not a kind of check; write it alone");
}

TEST(CheckKinds, RefusesWhatIsNoSet) {
  for (llvm::StringRef text : {"", ",", "bounds,", "bounds, division", "all,bounds", "Bounds"})
    EXPECT_NE(errorOf(text), "no error") << text.str();
}

} // namespace
