// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which files removeAbandoned removes: those with the prefix, six characters and the suffix that no
// process has locked.
#include "codegen/LockedFile.h"
#include "test/unit/TemporaryFolder.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <fstream>
#include <gtest/gtest.h>
#include <set>

namespace spl::codegen {
namespace {

TEST(LockedFile, AbandonedOnesAreKnownByTheirNames) {
  for (const std::string suffix : {"", ".o", ".cubin"})
    for (const std::string prefix : {"", "spl-"}) {
      test::TemporaryFolder folder;
      const std::string root = folder.path();
      std::set<std::string> abandoned, others;
      for (const char *middle : {"abcdef", "a.b.c.", "......", "XXXXXX"})
        abandoned.insert(prefix + middle + suffix);
      for (const char *middle : {"a", "abcde", "abcdefg", "abcdefabcdef"})
        others.insert(prefix + middle + suffix);
      if (!prefix.empty() && !suffix.empty())
        others.insert({"Spl-abcdef" + suffix, "spl-abcdef" + suffix + "x", "abcdef" + suffix});
      for (const auto *names : {&abandoned, &others})
        for (const std::string &name : *names)
          std::ofstream(root + "/" + name) << "content";
      std::optional<LockedFile> held = LockedFile::create(root, prefix, suffix);
      ASSERT_TRUE(held);
      std::set<std::string> told;
      removeAbandoned(root, prefix, suffix, [&](llvm::StringRef path) {
        EXPECT_TRUE(llvm::sys::fs::exists(path));
        told.insert(llvm::sys::path::filename(path).str());
      });
      EXPECT_EQ(told, abandoned) << prefix << " " << suffix;
      for (const std::string &name : abandoned)
        EXPECT_FALSE(llvm::sys::fs::exists(root + "/" + name)) << name;
      for (const std::string &name : others)
        EXPECT_TRUE(llvm::sys::fs::exists(root + "/" + name)) << name;
      EXPECT_TRUE(llvm::sys::fs::exists(held->path()));
      const std::string path = held->path();
      held.reset(); // releases the lock
      removeAbandoned(root, prefix, suffix);
      EXPECT_FALSE(llvm::sys::fs::exists(path));
    }
}

} // namespace
} // namespace spl::codegen
