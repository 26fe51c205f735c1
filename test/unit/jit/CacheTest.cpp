// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the cache itself: lookups, evictions, and which folders and files it does not touch.
#include "jit/cache/Cache.h"
#include "jit/cache/Entry.h"
#include "test/unit/jit/CacheHome.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

using namespace spl::jit;
using spl::test::bytesOf;
using spl::test::CacheHome;
using spl::test::Environment;
using spl::test::SmallDisk;
using spl::test::writeBytes;
namespace fs = std::filesystem;

namespace {

Cache openCache() {
  return llvm::cantFail(Cache::open(llvm::cantFail(Cache::Settings::ofEnvironment())));
}

std::string whyNotOpened() {
  llvm::Expected<Cache> cache = Cache::open({});
  return cache ? "" : llvm::toString(cache.takeError());
}

std::string whyNotStored(const Cache &cache, const std::string &key, const std::string &payload) {
  return llvm::toString(cache.store(key, payload));
}

void setAge(const fs::path &path, std::time_t seconds) {
  const std::timespec then{std::time(nullptr) - seconds, 0}, both[] = {then, then};
  ASSERT_EQ(utimensat(AT_FDCWD, path.c_str(), both, AT_SYMLINK_NOFOLLOW), 0);
}

} // namespace

TEST(Cache, FindsWhatWasStoredLast) {
  const CacheHome home;
  const Cache cache = openCache();
  EXPECT_FALSE(cache.find("key"));
  EXPECT_EQ(whyNotStored(cache, "key", "one"), "");
  EXPECT_EQ(cache.find("key"), "one");
  EXPECT_EQ(whyNotStored(cache, "key", "two"), "");
  EXPECT_EQ(cache.find("key"), "two");
  EXPECT_EQ(openCache().find("key"), "two");
  EXPECT_FALSE(cache.find("kex"));
  EXPECT_EQ(home.files().size(), 1u);
}

TEST(Cache, TheKeyIsComparedAndNotItsDigestAlone) {
  const CacheHome home;
  const Cache cache = openCache();
  ASSERT_EQ(whyNotStored(cache, "key", "payload"), "");
  writeBytes(home.files().at(0), Entry::write("another key", "another payload"));
  EXPECT_FALSE(cache.find("key"));
  EXPECT_EQ(cache.findDamaged(), std::vector<std::string>{home.files().at(0)});
}

TEST(Cache, IsTheUsersAlone) {
  const CacheHome home;
  const mode_t before = umask(0);
  ASSERT_EQ(whyNotStored(openCache(), "key", "payload"), "");
  umask(before);
  struct stat status;
  ASSERT_EQ(stat(home.folder().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0700u);
  ASSERT_EQ(stat(home.files().at(0).c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0600u);
}

TEST(Cache, AFolderThatIsNotTheUsersAloneIsRefused) {
  const CacheHome home;
  const std::string path = home.folder();
  ASSERT_EQ(whyNotOpened(), "");
  for (mode_t mode : {0755, 0770, 0701, 0777}) {
    ASSERT_EQ(chmod(path.c_str(), mode), 0);
    EXPECT_EQ(whyNotOpened(), "'" + path + "' is open to other users; its mode must be 0700");
  }
  ASSERT_EQ(chmod(path.c_str(), 0700), 0);
  EXPECT_EQ(whyNotOpened(), "");

  fs::rename(path, home.root / "elsewhere");
  fs::create_symlink(home.root / "elsewhere", path);
  EXPECT_EQ(whyNotOpened(), "cannot open '" + path + "' as a folder of its own: Not a directory");
  fs::remove(path);
  writeBytes(path, "a file");
  EXPECT_EQ(whyNotOpened(), "cannot open '" + path + "' as a folder of its own: Not a directory");
  EXPECT_EQ(bytesOf(path), "a file");
}

TEST(Cache, AFolderOfAnotherUserIsRefused) {
  if (geteuid() != 0)
    GTEST_SKIP() << "only root can give a folder to another user";
  const CacheHome home;
  ASSERT_EQ(whyNotOpened(), "");
  ASSERT_EQ(chown(home.folder().c_str(), 12345, 12345), 0);
  EXPECT_EQ(whyNotOpened(), "'" + home.folder().string() + "' belongs to another user");
}

TEST(Cache, AFolderThatCannotBeMadeIsNamed) {
  const CacheHome home;
  writeBytes(home.root / "home", "a file");
  EXPECT_EQ(whyNotOpened(), "cannot make '" + home.folder().string() + "': Not a directory");
  const Environment proc("XDG_CACHE_HOME", "/proc/none");
  EXPECT_EQ(whyNotOpened(), "cannot make '/proc/none': No such file or directory");
}

TEST(Cache, TheEnvironmentNamesTheFolder) {
  const CacheHome home;
  const Environment user("HOME", (home.root / "user").string());
  EXPECT_EQ(openCache().stats().folder, home.folder());
  for (const std::optional<std::string> &none :
       {std::optional<std::string>(), std::optional<std::string>(""),
        std::optional<std::string>("relative/is/ignored")}) {
    const Environment xdg("XDG_CACHE_HOME", none);
    EXPECT_EQ(openCache().stats().folder, home.root / "user/.cache/spl");
  }
  const Environment xdg("XDG_CACHE_HOME", std::nullopt), nobody("HOME", std::nullopt);
  EXPECT_EQ(whyNotOpened(), "neither XDG_CACHE_HOME nor HOME names a folder");
}

TEST(Cache, SettingsOfTheEnvironment) {
  const CacheHome home;
  const auto sizeOf = [](const char *text) {
    const Environment size("SPL_CACHE_SIZE", text);
    return llvm::cantFail(Cache::Settings::ofEnvironment()).maxBytes;
  };
  EXPECT_EQ(llvm::cantFail(Cache::Settings::ofEnvironment()).maxBytes, 536870912u);
  EXPECT_EQ(sizeOf("12345"), 12345u);
  EXPECT_EQ(sizeOf("3K"), 3072u);
  EXPECT_EQ(sizeOf("7M"), 7340032u);
  EXPECT_EQ(sizeOf("2G"), 2147483648u);
  EXPECT_EQ(sizeOf("0"), 0u);
  for (const char *wrong :
       {"x", "-1", "1T", "1KM", "K", "1.5G", "99999999999999999999", "99999999999G"}) {
    const Environment size("SPL_CACHE_SIZE", wrong);
    llvm::Expected<Cache::Settings> settings = Cache::Settings::ofEnvironment();
    ASSERT_FALSE(settings) << wrong;
    EXPECT_EQ(llvm::toString(settings.takeError()),
              "SPL_CACHE_SIZE is '" + std::string(wrong) +
                  "'; it is a number of bytes, also with K, M or G");
  }
  const Environment use("SPL_CACHE", "perhaps");
  llvm::Expected<Cache::Settings> settings = Cache::Settings::ofEnvironment();
  ASSERT_FALSE(settings);
  EXPECT_EQ(llvm::toString(settings.takeError()), "SPL_CACHE is 'perhaps'; it is on or off");
}

//===-- Size --===//

TEST(Cache, TheLeastRecentlyUsedGoFirst) {
  const CacheHome home;
  const Environment size("SPL_CACHE_SIZE", "10K");
  const Cache cache = openCache();
  const std::string kilobyte(1000, 'x');
  // Each entry needs slightly more than 1000 bytes, so nine fit.
  for (int i = 0; i != 9; ++i) {
    const std::vector<fs::path> before = home.files();
    ASSERT_EQ(whyNotStored(cache, std::to_string(i), kilobyte), "");
    for (const fs::path &file : home.files())
      if (std::find(before.begin(), before.end(), file) == before.end())
        setAge(file, 1000 - i * 10);
  }
  ASSERT_EQ(cache.stats().entries, 9u);
  EXPECT_TRUE(cache.find("0")); // it is now the most recently used entry
  ASSERT_EQ(whyNotStored(cache, "9", kilobyte), "");
  EXPECT_LE(cache.stats().bytes, 10240u);
  EXPECT_TRUE(cache.find("0"));
  EXPECT_FALSE(cache.find("1"));
  EXPECT_FALSE(cache.find("2"));
  EXPECT_TRUE(cache.find("8"));
  EXPECT_TRUE(cache.find("9"));
  // An entry that is too large evicts nothing.
  const std::uint64_t entries = cache.stats().entries;
  ASSERT_EQ(whyNotStored(cache, "large", std::string(10241, 'x')), "");
  EXPECT_FALSE(cache.find("large"));
  EXPECT_EQ(cache.stats().entries, entries);
}

TEST(Cache, TheSizeIsKeptWithoutALookAtEachStore) {
  const CacheHome home;
  const Environment size("SPL_CACHE_SIZE", "256K");
  const Cache cache = openCache();
  const std::string little(800, 'x'); // a fifth of a 64th part of the limit
  std::uint64_t most = 0, cuts = 0, entries = 0;
  for (int i = 0; i != 400; ++i) {
    ASSERT_EQ(whyNotStored(cache, std::to_string(i), little), "");
    const Cache::Stats stats = cache.stats();
    cuts += stats.entries <= entries;
    entries = stats.entries;
    most = std::max(most, stats.bytes);
  }
  EXPECT_GT(most, 256u << 10);
  EXPECT_LT(most, 300u << 10);
  EXPECT_GT(cuts, 1u);
  EXPECT_LT(cuts, 10u);
}

TEST(Cache, FilesOfOthersStayAndDoNotCount) {
  const CacheHome home;
  const Environment size("SPL_CACHE_SIZE", "2K");
  const Cache cache = openCache();
  const fs::path other = home.folder() / "mine.txt";
  writeBytes(other, std::string(5000, 'x'));
  setAge(other, 100000);
  for (int i = 0; i != 5; ++i)
    ASSERT_EQ(whyNotStored(cache, std::to_string(i), std::string(600, 'x')), "");
  EXPECT_EQ(cache.stats().entries, 3u);
  EXPECT_TRUE(cache.find("4"));
  EXPECT_EQ(cache.findDamaged(), std::vector<std::string>());
  EXPECT_EQ(cache.clear(), 3u);
  EXPECT_EQ(home.files(), std::vector<fs::path>{other});
}

//===-- Files that are odd --===//

TEST(Cache, EveryOtherLengthAndByteIsAMissAndIsReplaced) {
  const CacheHome home;
  const Cache cache = openCache();
  ASSERT_EQ(whyNotStored(cache, "key", "payload"), "");
  const fs::path file = home.files().at(0);
  const std::string good = bytesOf(file);
  const auto expectHealed = [&](const std::string &bytes, const std::string &what) {
    writeBytes(file, bytes);
    ASSERT_FALSE(cache.find("key")) << what;
    ASSERT_EQ(cache.findDamaged(), std::vector<std::string>{file}) << what;
    ASSERT_EQ(whyNotStored(cache, "key", "payload"), "") << what;
    ASSERT_EQ(cache.find("key"), "payload") << what;
    ASSERT_EQ(bytesOf(file), good) << what;
  };
  for (std::size_t at = 0; at != good.size(); ++at) {
    expectHealed(good.substr(0, at), "length " + std::to_string(at));
    for (int change : {0x01, 0x80, 0xff}) {
      std::string changed = good;
      changed[at] = static_cast<char>(changed[at] ^ change);
      expectHealed(changed, "byte " + std::to_string(at));
    }
  }
}

TEST(Cache, OddFilesAreMissesAndAreReplaced) {
  const CacheHome home;
  const Cache cache = openCache();
  ASSERT_EQ(whyNotStored(cache, "key", "payload"), "");
  const fs::path file = home.files().at(0);
  const std::string good = bytesOf(file);
  const auto expectHealed = [&](const char *what) {
    EXPECT_FALSE(cache.find("key")) << what;
    ASSERT_EQ(whyNotStored(cache, "key", "payload"), "") << what;
    EXPECT_EQ(cache.find("key"), "payload") << what;
    EXPECT_EQ(bytesOf(file), good) << what;
    EXPECT_EQ(home.files().size(), 1u) << what;
  };
  for (mode_t mode : {0620, 0602, 0666}) {
    ASSERT_EQ(chmod(file.c_str(), mode), 0);
    expectHealed("writable by others");
  }
  writeBytes(home.root / "copy", good);
  fs::remove(file);
  fs::create_symlink(home.root / "copy", file);
  expectHealed("a link to a good entry");
  EXPECT_EQ(bytesOf(home.root / "copy"), good);
  fs::remove(file);
  ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
  expectHealed("a pipe");
  fs::resize_file(file, std::uintmax_t(1) << 40);
  expectHealed("a terabyte of zeros");
  fs::resize_file(file, 0);
  expectHealed("an empty file");
  fs::remove(file);
  fs::create_directory(file);
  expectHealed("an empty folder");
  if (geteuid() == 0) {
    ASSERT_EQ(chown(file.c_str(), 12345, 12345), 0);
    expectHealed("another user's");
  }
  fs::remove(file);
  fs::create_directory(file);
  writeBytes(file / "mine.txt", "kept");
  EXPECT_FALSE(cache.find("key"));
  EXPECT_NE(whyNotStored(cache, "key", "payload").find("Directory not empty"), std::string::npos);
  EXPECT_EQ(bytesOf(file / "mine.txt"), "kept");
}

TEST(Cache, TemporariesGoOnceTheirWriterIsGone) {
  const CacheHome home;
  const Cache cache = openCache();
  const fs::path abandoned = home.folder() / "new-0123456789ABCDEF",
                 written = home.folder() / "new-2";
  for (const fs::path &file : {abandoned, written})
    writeBytes(file, "half an ent");
  setAge(written, 100000);
  const int writer = open(written.c_str(), O_WRONLY | O_CLOEXEC);
  ASSERT_EQ(flock(writer, LOCK_EX | LOCK_NB), 0);
  ASSERT_EQ(whyNotStored(cache, "key", "payload"), "");
  EXPECT_FALSE(fs::exists(abandoned));
  EXPECT_TRUE(fs::exists(written));
  EXPECT_EQ(cache.stats().entries, 1u);
  close(writer);
  ASSERT_EQ(whyNotStored(cache, "key", "payload"), "");
  EXPECT_FALSE(fs::exists(written));
  EXPECT_EQ(cache.clear(), 1u);
  EXPECT_EQ(home.files(), std::vector<fs::path>{});
}

TEST(Cache, ALimitOnFileSizesEndsNoProcess) {
  const CacheHome home;
  const Cache cache = openCache();
  struct rlimit before, small;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  small = before;
  small.rlim_cur = 100;
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string why = whyNotStored(cache, "key", std::string(100, 'x'));
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &before), 0);
  EXPECT_EQ(why.find("this process may write no file of 1"), 0u) << why;
  EXPECT_EQ(home.files(), std::vector<fs::path>{});
}

TEST(Cache, AFolderThatIsGoneIsAnError) {
  const CacheHome home;
  const Cache cache = openCache();
  fs::remove_all(home.folder());
  EXPECT_FALSE(cache.find("key"));
  EXPECT_EQ(whyNotStored(cache, "key", "payload"),
            "cannot write to '" + home.folder().string() + "': No such file or directory");
  EXPECT_EQ(cache.stats().entries, 0u);
}

//===-- Disks --===//

TEST(Cache, AFullDiskIsAnErrorThatLeavesNothing) {
  const CacheHome home;
  const SmallDisk disk(home);
  if (!disk.isMounted)
    GTEST_SKIP() << "this user may not mount a file system";
  const Cache cache = openCache();
  ASSERT_EQ(whyNotStored(cache, "small", std::string(30000, 'x')), "");
  EXPECT_EQ(whyNotStored(cache, "large", std::string(50000, 'x')),
            "cannot write to '" + home.folder().string() + "': No space left on device");
  EXPECT_EQ(home.files().size(), 1u);
  EXPECT_TRUE(cache.find("small"));
  EXPECT_FALSE(cache.find("large"));
  EXPECT_EQ(whyNotStored(cache, "other", std::string(20000, 'x')), "");
}

TEST(Cache, AReadOnlyDiskStillHits) {
  const CacheHome home;
  const SmallDisk disk(home);
  if (!disk.isMounted)
    GTEST_SKIP() << "this user may not mount a file system";
  ASSERT_EQ(whyNotStored(openCache(), "key", "payload"), "");
  ASSERT_TRUE(disk.makeReadOnly());
  const Cache cache = openCache();
  EXPECT_EQ(cache.find("key"), "payload");
  EXPECT_EQ(whyNotStored(cache, "another", "payload"),
            "cannot write to '" + home.folder().string() + "': Read-only file system");
}
