// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests loads with a cache that cannot be used or written: they compile, and report the reason
// once. Also tests how an entry is written: into a temporary file in the same folder, which is
// flushed and renamed.
#include "jit/cache/Cache.h"
#include "test/unit/jit/CacheHome.h"

#include <cstdarg>
#include <fcntl.h>
#include <spl/spl.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace spl;
using spl::test::CacheHome;
using spl::test::SmallDisk;
using spl::test::writeBytes;
namespace fs = std::filesystem;

namespace {

const std::string source = "#[gpu]\nfn seven(a: &mut [i32]):\n    a[gpu.global_id()] = 7\n";

/// Loads the kernel twice, checks its results, and returns the messages.
std::vector<std::string> saidOfLoads(const std::string &text = source) {
  const Context context = Context::make(Backend::Cpu);
  std::vector<std::string> said;
  for (int i = 0; i != 2; ++i) {
    const Module module =
        jit::loadSource(context, text, "seven.spl",
                        {.onWarning = [&](const std::string &reason) { said.push_back(reason); }});
    auto a = context.allocZeros<std::int32_t>(3);
    context.launch(module["seven"], {.global = {3}, .local = {3}}, a);
    EXPECT_EQ(a.download(), std::vector<std::int32_t>(3, 7));
  }
  return said;
}

std::vector<std::string> once(const std::string &reason) {
  return {"kernels are not cached: " + reason};
}

/// The operations on temporary files of the cache, in order.
std::vector<std::string> *steps = nullptr;

} // namespace

//===-- The functions of the system, as seen by this program --===//

extern "C" int openat(int folder, const char *name, int flags, ...) {
  va_list more;
  va_start(more, flags);
  const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;
  va_end(more);
  if (steps && fs::path(name).filename().string().starts_with("new-"))
    steps->push_back(flags & O_EXCL && flags & O_CREAT ? "make new" : "open");
  return static_cast<int>(syscall(SYS_openat, folder, name, flags, mode));
}

extern "C" int fsync(int file) {
  if (steps)
    steps->push_back("flush");
  return static_cast<int>(syscall(SYS_fsync, file));
}

extern "C" int renameat(int folder, const char *from, int toFolder, const char *to) noexcept {
  if (steps)
    steps->push_back("rename");
  return static_cast<int>(syscall(SYS_renameat2, folder, from, toFolder, to, 0));
}

TEST(CacheFailures, AnEntryIsWrittenBesideItsPlaceAndFlushedBeforeItIsRenamed) {
  const CacheHome home;
  const jit::Cache cache = llvm::cantFail(jit::Cache::open({}));
  std::vector<std::string> seen;
  steps = &seen;
  const std::string why = llvm::toString(cache.store("key", "payload"));
  steps = nullptr;
  EXPECT_EQ(why, "");
  EXPECT_EQ(seen, (std::vector<std::string>{"make new", "flush", "rename"}));
}

//===-- Folders --===//

TEST(CacheFailures, AFullDisk) {
  const CacheHome home;
  const SmallDisk disk(home);
  if (!disk.isMounted)
    GTEST_SKIP() << "this user may not mount a file system";
  fs::create_directory(home.folder());
  fs::permissions(home.folder(), fs::perms::owner_all);
  writeBytes(home.folder() / "filler", std::string(1 << 20, 'x')); // until the disk is full
  EXPECT_EQ(saidOfLoads(),
            once("cannot write to '" + home.folder().string() + "': No space left on device"));
  fs::remove(home.folder() / "filler");
  EXPECT_EQ(saidOfLoads(), std::vector<std::string>{});
  EXPECT_EQ(home.files().size(), 1u);
}

TEST(CacheFailures, AReadOnlyDisk) {
  const CacheHome home;
  const SmallDisk disk(home);
  if (!disk.isMounted)
    GTEST_SKIP() << "this user may not mount a file system";
  ASSERT_TRUE(disk.makeReadOnly());
  EXPECT_EQ(saidOfLoads(),
            once("cannot make '" + home.folder().string() + "': Read-only file system"));
}

TEST(CacheFailures, AReadOnlyDiskWithAFolder) {
  const CacheHome home;
  const SmallDisk disk(home);
  if (!disk.isMounted)
    GTEST_SKIP() << "this user may not mount a file system";
  EXPECT_EQ(saidOfLoads(), std::vector<std::string>{});
  ASSERT_TRUE(disk.makeReadOnly());
  EXPECT_EQ(saidOfLoads(), std::vector<std::string>{}); // existing entries are used
  EXPECT_EQ(saidOfLoads(source + "\n"),
            once("cannot write to '" + home.folder().string() + "': Read-only file system"));
}

TEST(CacheFailures, AFolderOfAnotherUser) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give a folder to another user";
  const CacheHome home;
  fs::create_directories(home.folder());
  fs::permissions(home.folder(), fs::perms::owner_all);
  ASSERT_EQ(chown(home.folder().c_str(), 12345, 12345), 0);
  EXPECT_EQ(saidOfLoads(), once("'" + home.folder().string() + "' belongs to another user"));
}

TEST(CacheFailures, AFolderWithoutPermission) {
  const CacheHome home;
  fs::create_directories(home.folder());
  const uid_t user = geteuid();
  if (user != 0)
    fs::permissions(home.root / "home", fs::perms::none);
  else
    ASSERT_EQ(seteuid(65534), 0); // this user has no access to the folder above
  const std::vector<std::string> said = saidOfLoads();
  if (user != 0)
    fs::permissions(home.root / "home", fs::perms::owner_all);
  else
    ASSERT_EQ(seteuid(user), 0);
  ASSERT_EQ(said.size(), 1u);
  EXPECT_NE(said[0].find("Permission denied"), std::string::npos) << said[0];
}
