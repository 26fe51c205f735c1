// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests loadFile and loadSource with the cache, for the CPU and as PTX: which loads hit, which must
// miss, and that results are right whatever the folder contains.
#include "test/fakecuda/FakeDriver.h"
#include "test/unit/Sanitizers.h"
#include "test/unit/jit/CacheHome.h"

#include <chrono>
#include <fcntl.h>
#include <functional>
#include <spl/spl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace spl;
using spl::test::bytesOf;
using spl::test::CacheHome;
using spl::test::Environment;
using spl::test::FakeDriver;
using spl::test::writeBytes;
namespace fs = std::filesystem;

namespace {

/// A kernel that adds the number that an imported file defines.
const char *const source = "use lib.step.amount\n"
                           "#[gpu]\n"
                           "fn advance(a: &mut [i32]):\n"
                           "    val i = gpu.global_id()\n"
                           "    if i < a.len():\n"
                           "        a[i] += amount()\n";

std::string amountOf(int amount) {
  return "fn amount() -> i32:\n    return " + std::to_string(amount) + "\n";
}

std::string adding(int amount) {
  return "#[gpu]\nfn advance(a: &mut [i32]):\n    a[gpu.global_id()] += " + std::to_string(amount) +
         "\n";
}

int amountIn(const Context &context, const Module &module) {
  auto a = context.allocUpload<std::int32_t>({100, 0, -3});
  context.launch(module["advance"], {.global = {3}, .local = {3}}, a);
  const std::vector<std::int32_t> result = a.download();
  EXPECT_EQ(result[1], result[0] - 100);
  EXPECT_EQ(result[2], result[0] - 103);
  return result[1];
}

/// The effect of a load: it hit an entry and marked it as used, it stored an entry, or neither.
enum class Seen { Hit, Stored, Neither };
std::ostream &operator<<(std::ostream &os, Seen seen) {
  return os << (seen == Seen::Hit ? "Hit" : seen == Seen::Stored ? "Stored" : "Neither");
}

class CachedLoads : public testing::Test {
protected:
  explicit CachedLoads(Backend backend) : context(Context::make(backend)) {}

  /// Runs a load. Existing entries are made old first, so that their use is visible.
  Seen seenBy(const std::function<void()> &load) const {
    struct Known {
      fs::path path;
      ino_t inode;
    };
    std::vector<Known> before;
    const std::timespec old{1000000000, 0}, both[] = {old, old};
    for (const fs::path &file : home.files()) {
      struct stat status;
      EXPECT_EQ(lstat(file.c_str(), &status), 0);
      utimensat(AT_FDCWD, file.c_str(), both, AT_SYMLINK_NOFOLLOW);
      before.push_back({file, status.st_ino});
    }
    load();
    Seen seen = Seen::Neither;
    for (const fs::path &file : home.files()) {
      struct stat status;
      EXPECT_EQ(lstat(file.c_str(), &status), 0);
      if (status.st_mtim.tv_sec == old.tv_sec)
        continue;
      EXPECT_EQ(seen, Seen::Neither) << "one load, one entry";
      const bool isKnown = std::any_of(before.begin(), before.end(), [&](const Known &known) {
        return known.path == file && known.inode == status.st_ino;
      });
      seen = isKnown ? Seen::Hit : Seen::Stored;
    }
    return seen;
  }

  /// Loads the file and checks that its kernel adds \p amount.
  Seen load(const fs::path &file, int amount, const jit::Options &options = {}) const {
    return seenBy(
        [&] { EXPECT_EQ(amountIn(context, jit::loadFile(context, file, options)), amount); });
  }
  Seen loadText(const std::string &text, int amount, const std::string &name = "text",
                const jit::Options &options = {}) const {
    return seenBy([&] {
      EXPECT_EQ(amountIn(context, jit::loadSource(context, text, name, options)), amount);
    });
  }

  /// Writes a file and all files that it imports.
  fs::path makeProject(const std::string &name, int amount) const {
    writeBytes(home.root / name / "lib/step.spl", amountOf(amount));
    writeBytes(home.root / name / "main.spl", source);
    return home.root / name / "main.spl";
  }

  const FakeDriver driver;
  const CacheHome home;
  const Context context;
};

class CachedLoad : public CachedLoads, public testing::WithParamInterface<Backend> {
protected:
  CachedLoad() : CachedLoads(GetParam()) {}
};
class CachedLoadOnCpu : public CachedLoads {
protected:
  CachedLoadOnCpu() : CachedLoads(Backend::Cpu) {}
};
class CachedLoadAsPtx : public CachedLoads {
protected:
  CachedLoadAsPtx() : CachedLoads(Backend::Cuda) {}
};

INSTANTIATE_TEST_SUITE_P(, CachedLoad, testing::Values(Backend::Cpu, Backend::Cuda),
                         [](const auto &info) {
                           return info.param == Backend::Cpu ? "Cpu" : "Ptx";
                         });

} // namespace

TEST_P(CachedLoad, TheSecondLoadHits) {
  const fs::path file = makeProject("project", 7);
  EXPECT_EQ(load(file, 7), Seen::Stored);
  EXPECT_EQ(load(file, 7), Seen::Hit);
  EXPECT_EQ(load(file, 7), Seen::Hit);
  EXPECT_EQ(loadText(adding(9), 9), Seen::Stored);
  EXPECT_EQ(loadText(adding(9), 9), Seen::Hit);
  EXPECT_EQ(home.files().size(), 2u);
}

// Uses the minimum of many measurements, so that other processes do not make the test fail.
TEST_P(CachedLoad, AHitTakesLessThanTwoMilliseconds) {
  SPL_SKIP_UNDER_SANITIZERS("the time of a load");
  for (const char *name : {"vector_add.spl", "matmul.spl"}) {
    const fs::path file = fs::path(SPL_EXAMPLES_FOLDER) / name;
    EXPECT_EQ(seenBy([&] { jit::loadFile(context, file); }), Seen::Stored);
    auto least = std::chrono::steady_clock::duration::max();
    EXPECT_EQ(seenBy([&] {
                for (int i = 0; i != 50; ++i) {
                  const auto start = std::chrono::steady_clock::now();
                  const Module module = jit::loadFile(context, file);
                  least = std::min(least, std::chrono::steady_clock::now() - start);
                }
              }),
              Seen::Hit);
    EXPECT_LT(least, std::chrono::milliseconds(2)) << name;
    const std::chrono::duration<double, std::milli> time = least;
    std::printf("a load of %s from the cache takes %.3f ms\n", name, time.count());
  }
}

TEST_P(CachedLoad, WhateverTheCodeFollowsFromMisses) {
  EXPECT_EQ(loadText(adding(1), 1), Seen::Stored);
  EXPECT_EQ(loadText(adding(2), 2), Seen::Stored);
  EXPECT_EQ(loadText(adding(1) + "\n", 1), Seen::Stored);
  EXPECT_EQ(loadText(adding(1), 1, "another name"), Seen::Stored);
  const std::vector<jit::Options> others = {{.optLevel = 0},
                                            {.optLevel = 1},
                                            {.optLevel = 3},
                                            {.checks = "none"},
                                            {.checks = "bounds"},
                                            {.strictFp = true},
                                            {.fastMath = true},
                                            {.maxRegisters = 32},
                                            {.lineInfo = true},
                                            {.includes = {"/no/such/folder"}},
                                            {.includes = {"/no/such", "/folder"}}};
  for (std::size_t i = 0; i != others.size(); ++i)
    EXPECT_EQ(loadText(adding(1), 1, "text", others[i]), Seen::Stored) << i;
  for (std::size_t i = 0; i != others.size(); ++i)
    EXPECT_EQ(loadText(adding(1), 1, "text", others[i]), Seen::Hit) << i;
  const std::string generic =
      adding(1) + "#[gpu]\nfn fill[T: Num](a: &mut [T], x: T):\n    a[gpu.global_id()] = x\n";
  for (const char *instance : {"fill[i32]", "fill[f32]"})
    for (const Seen seen : {Seen::Stored, Seen::Hit})
      EXPECT_EQ(seenBy([&] {
                  const Module module =
                      jit::loadSource(context, generic, "generic", {.instances = {instance}});
                  EXPECT_EQ(module.kernels().size(), 2u);
                  EXPECT_EQ(module[instance].name().substr(0, 4), "fill");
                }),
                seen);
}

TEST_P(CachedLoad, AUsedFileThatChangesMisses) {
  const fs::path file = makeProject("project", 1), step = home.root / "project/lib/step.spl";
  EXPECT_EQ(load(file, 1), Seen::Stored);
  writeBytes(step, amountOf(2));
  EXPECT_EQ(load(file, 2), Seen::Stored);
  EXPECT_EQ(load(file, 2), Seen::Hit);
  // The same bytes in a file of another name. A program can observe which file it imports.
  fs::rename(step, home.root / "project/lib/other.spl");
  fs::create_symlink("other.spl", step);
  EXPECT_EQ(load(file, 2), Seen::Stored);
  EXPECT_EQ(load(file, 2), Seen::Hit);

  fs::remove(step);
  for (int i = 0; i != 2; ++i)
    try {
      jit::loadFile(context, file);
      ADD_FAILURE() << "what is used is not there";
    } catch (const Error &error) {
      EXPECT_EQ(error.code(), ErrorCode::CompileFailed);
      EXPECT_NE(std::string(error.what()).find("[use-not-found]"), std::string::npos);
    }
  ASSERT_EQ(mkfifo(step.c_str(), 0600), 0);
  EXPECT_THROW(jit::loadFile(context, file), Error); // and does not wait for a lock
  fs::remove(step);
  writeBytes(step, amountOf(2));
  EXPECT_EQ(load(file, 2), Seen::Stored);
}

TEST_P(CachedLoad, AFileThatShadowsAUsedOneMisses) {
  const fs::path project = home.root / "project", first = home.root / "first",
                 second = home.root / "second";
  writeBytes(project / "main.spl", source);
  writeBytes(second / "lib/step.spl", amountOf(3));
  const jit::Options options{.includes = {first, second}};
  EXPECT_EQ(load(project / "main.spl", 3, options), Seen::Stored);
  EXPECT_EQ(load(project / "main.spl", 3, options), Seen::Hit);
  writeBytes(first / "lib/step.spl", amountOf(2));
  EXPECT_EQ(load(project / "main.spl", 2, options), Seen::Stored);
  writeBytes(project / "lib/step.spl", amountOf(1));
  EXPECT_EQ(load(project / "main.spl", 1, options), Seen::Stored);
  EXPECT_EQ(load(project / "main.spl", 1, options), Seen::Hit);
  fs::remove_all(project / "lib");
  EXPECT_EQ(load(project / "main.spl", 2, options), Seen::Stored);
  // The same bytes in another folder. Faults name the path of the file.
  writeBytes(project / "lib/step.spl", amountOf(2));
  EXPECT_EQ(load(project / "main.spl", 2, options), Seen::Stored);
}

TEST_P(CachedLoad, AFolderThatLeadsElsewhereMisses) {
  const fs::path file = makeProject("project", 1), lib = home.root / "project/lib";
  EXPECT_EQ(load(file, 1), Seen::Stored);
  writeBytes(home.root / "outside/step.spl", amountOf(1));
  fs::remove_all(lib);
  fs::create_symlink(home.root / "outside", lib);
  try {
    jit::loadFile(context, file);
    ADD_FAILURE() << "nothing outside the project is read";
  } catch (const Error &error) {
    EXPECT_NE(std::string(error.what()).find("[use-outside]"), std::string::npos) << error.what();
  }
}

TEST_P(CachedLoad, RelativeNamesMeanFilesOfTheCurrentFolder) {
  makeProject("one", 1);
  makeProject("two", 2);
  const fs::path before = fs::current_path();
  fs::current_path(home.root / "one");
  EXPECT_EQ(load("main.spl", 1), Seen::Stored);
  fs::current_path(home.root / "two");
  EXPECT_EQ(load("main.spl", 2), Seen::Stored);
  EXPECT_EQ(load("main.spl", 2), Seen::Hit);
  fs::current_path(home.root / "one");
  EXPECT_EQ(load("main.spl", 1), Seen::Hit);
  fs::current_path(before);
}

TEST_F(CachedLoadOnCpu, FaultsNameTheirPlace) {
  for (const Seen seen : {Seen::Stored, Seen::Hit})
    EXPECT_EQ(seenBy([&] {
                const Module module = jit::loadSource(
                    context, "#[gpu]\nfn k(out: &mut [i32]):\n    out[7] = 1\n", "the/source.spl");
                auto out = context.alloc<std::int32_t>(2);
                try {
                  context.launch(module["k"], {.global = {1}}, out);
                  ADD_FAILURE() << "no fault";
                } catch (const Error &error) {
                  EXPECT_EQ(error.fault()->diagnostic(),
                            "the/source.spl:3:5: error: index 7 is out of bounds for 'out' of "
                            "length 2 [index-out-of-bounds]");
                }
              }),
              seen);
}

// A load must print warnings each time, so its result is not stored.
TEST_P(CachedLoad, WhatWarnsIsNotStored) {
  makeProject("project", 1);
  const fs::path file = home.root / "project/warns.spl";
  writeBytes(file, "use lib.step.amount\n" + adding(4));
  for (int i = 0; i != 2; ++i)
    EXPECT_EQ(load(file, 4), Seen::Neither);
  EXPECT_EQ(home.files().size(), 0u);
}

TEST_P(CachedLoad, OffIsOff) {
  const jit::Options off{.cache = false};
  EXPECT_EQ(loadText(adding(1), 1, "text", off), Seen::Neither);
  {
    const Environment use("SPL_CACHE", "off");
    EXPECT_EQ(loadText(adding(1), 1), Seen::Neither);
  }
  EXPECT_FALSE(fs::exists(home.folder()));
  EXPECT_EQ(loadText(adding(1), 1), Seen::Stored);
  EXPECT_EQ(loadText(adding(1), 1, "text", off), Seen::Neither);
}

//===-- Damage --===//

TEST_P(CachedLoad, ADamagedEntryIsMendedByTheNextLoad) {
  ASSERT_EQ(loadText(adding(5), 5), Seen::Stored);
  ASSERT_EQ(home.files().size(), 1u);
  const fs::path file = home.files()[0];
  const std::string good = bytesOf(file);
  const auto expectMended = [&](const std::string &bytes, const std::string &what) {
    writeBytes(file, bytes);
    EXPECT_EQ(loadText(adding(5), 5), Seen::Stored) << what;
    EXPECT_EQ(bytesOf(file), good) << what;
  };
  for (std::size_t at = 0; at < good.size(); at += good.size() / 19) {
    std::string changed = good;
    changed[at] = static_cast<char>(changed[at] ^ 0x20);
    expectMended(changed, "byte " + std::to_string(at));
    expectMended(good.substr(0, at), "length " + std::to_string(at));
  }
  EXPECT_EQ(loadText(adding(5), 5), Seen::Hit);
  // A valid entry under the name of another key.
  ASSERT_EQ(loadText(adding(6), 6), Seen::Stored);
  const std::vector<fs::path> both = home.files();
  ASSERT_EQ(both.size(), 2u);
  expectMended(bytesOf(both[0] == file ? both[1] : both[0]), "the other's entry");
}

TEST_P(CachedLoad, AFolderThatCannotBeUsedIsSaidOnce) {
  const auto loadHeard = [&](int amount) {
    std::vector<std::string> heard;
    const jit::Options options{
        .onWarning = [&](const std::string &text) { heard.push_back(text); }};
    EXPECT_EQ(amountIn(context, jit::loadSource(context, adding(amount), "text", options)), amount);
    return heard;
  };
  fs::create_directories(home.root / "home");
  fs::create_symlink("/tmp", home.folder());
  EXPECT_EQ(loadHeard(1), std::vector<std::string>{"kernels are not cached: cannot open '" +
                                                   home.folder().string() +
                                                   "' as a folder of its own: Not a directory"});
  EXPECT_EQ(loadHeard(1), std::vector<std::string>{});
  fs::remove(home.folder());
  writeBytes(home.folder() / "x", "");
  fs::permissions(home.folder(), fs::perms(0777));
  EXPECT_EQ(loadHeard(2),
            std::vector<std::string>{"kernels are not cached: '" + home.folder().string() +
                                     "' is open to other users; its mode must be 0700"});
  EXPECT_EQ(loadHeard(3), std::vector<std::string>{});
  fs::permissions(home.folder(), fs::perms(0700));
  const Environment size("SPL_CACHE_SIZE", "much-" + home.root.filename().string());
  EXPECT_EQ(loadHeard(4).size(), 1u);
  EXPECT_EQ(loadHeard(4).size(), 0u);
}

TEST_P(CachedLoad, WithoutAListenerStandardErrorIsTold) {
  writeBytes(home.folder(), "no folder");
  testing::internal::CaptureStderr();
  for (int i = 0; i != 2; ++i)
    EXPECT_EQ(amountIn(context, jit::loadSource(context, adding(8))), 8);
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "spl: warning: kernels are not cached: cannot open '" + home.folder().string() +
                "' as a folder of its own: Not a directory\n");
}

TEST_P(CachedLoad, FromSeveralThreadsAtOnce) {
  std::atomic<int> wrong = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t != 4; ++t)
    threads.emplace_back([&] {
      for (int round = 0; round != 12; ++round) {
        const Module module = jit::loadSource(context, adding(round % 5));
        wrong += amountIn(context, module) != round % 5;
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(home.files().size(), 5u);
}

// libdevice is part of every key for PTX, also for a kernel that does not call it.
TEST_F(CachedLoadAsPtx, AnotherDeviceMathLibraryMisses) {
  const Environment toolkit("CUDA_HOME", (home.root / "cuda").string());
  const fs::path library = home.root / "cuda/nvvm/libdevice/libdevice.10.bc";
  EXPECT_EQ(loadText(adding(1), 1), Seen::Stored);
  writeBytes(library, "one version");
  EXPECT_EQ(loadText(adding(1), 1), Seen::Stored);
  EXPECT_EQ(loadText(adding(1), 1), Seen::Hit);
  writeBytes(library, "two version");
  EXPECT_EQ(loadText(adding(1), 1), Seen::Stored);
}
