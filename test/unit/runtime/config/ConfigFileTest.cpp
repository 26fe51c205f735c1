// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests which config file is read, and the context that it configures.
#include "test/fakecuda/FakeDriver.h"
#include "test/unit/Environment.h"
#include "test/unit/TemporaryFolder.h"
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace spl;
using spl::test::Environment;
using spl::test::FakeDriver;
using spl::test::TemporaryFolder;
using spl::test::textOf;
using spl::test::thrownBy;

namespace fs = std::filesystem;

namespace {

/// Each test works in the folder a/b/c below an empty folder.
class ConfigFile : public testing::Test {
protected:
  ConfigFile() {
    fs::create_directories(root / "a/b/c");
    fs::current_path(root / "a/b/c");
  }
  ~ConfigFile() override {
    test::useCudaLibrary(nullptr);
    fs::current_path(before);
  }

  std::string write(const fs::path &path, std::string_view text) {
    std::ofstream(root / path, std::ios::binary) << text;
    return (root / path).string();
  }

  /// Hides the CUDA driver of this machine, if it has one.
  void hideCuda() { test::useCudaLibrary("libspl-no-such-driver.so.1"); }

  fs::path before = fs::current_path();
  const TemporaryFolder folder;
  const fs::path root = folder.path();
  Environment config{"SPL_CONFIG", std::nullopt};
  Environment backend{"SPL_BACKEND", std::nullopt};
  Environment device{"SPL_DEVICE", std::nullopt};
};

} // namespace

TEST_F(ConfigFile, IsTheNearestOfTheWorkingDirectoryAndItsParents) {
  EXPECT_EQ(Config::find().file(), "");
  EXPECT_EQ(Config::find().backend(), std::nullopt);
  std::string far = write("dl.config.sdn", "dtype: i16");
  EXPECT_EQ(Config::find().file(), far);
  std::string near = write("a/b/dl.config.sdn", "dtype: u8");
  EXPECT_EQ(Config::find().file(), near);
  EXPECT_EQ(Config::find().dtype(), ScalarType::U8);
  std::string nearest = write("a/b/c/dl.config.sdn", "dtype: f64");
  EXPECT_EQ(Config::find().file(), nearest);
  EXPECT_EQ(Config::find().dtype(), ScalarType::F64) << "files are not merged";
}

TEST_F(ConfigFile, IsTheOneThatTheEnvironmentNames) {
  write("a/b/c/dl.config.sdn", "dtype: u8");
  write("a/other.sdn", "dtype: i64");
  Environment named("SPL_CONFIG", "../../other.sdn");
  EXPECT_EQ(Config::find().dtype(), ScalarType::I64);
  EXPECT_EQ(Config::find().file(), "../../other.sdn");
}

TEST_F(ConfigFile, IsTheNearestWhereTheEnvironmentNamesNone) {
  write("a/b/c/dl.config.sdn", "dtype: u8");
  Environment named("SPL_CONFIG", "");
  EXPECT_EQ(Config::find().dtype(), ScalarType::U8);
}

TEST_F(ConfigFile, IsNeverReplacedWhenItIsNamed) {
  write("a/b/c/dl.config.sdn", "dtype: u8");
  for (const char *name : {" ", "missing.sdn"}) {
    Environment named("SPL_CONFIG", name);
    Error error = thrownBy([] { Config::find(); });
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    EXPECT_EQ(error.message(), "SPL_CONFIG is '" + std::string(name) +
                                   "'; it must name a config file: No such file or directory");
  }
}

TEST_F(ConfigFile, IsRefusedWhereALinkLeadsToNothing) {
  write("dl.config.sdn", "dtype: u8");
  for (const char *target : {"missing", "dl.config.sdn"}) { // the second is a link to itself
    fs::create_symlink(target, root / "a/b/dl.config.sdn");
    Error error = thrownBy([] { Config::find(); });
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    EXPECT_TRUE(error.message().starts_with((root / "a/b/dl.config.sdn").string() +
                                            ": this config file cannot be read: "))
        << error.message();
    fs::remove(root / "a/b/dl.config.sdn");
  }
}

TEST_F(ConfigFile, IsReadOrRefusedWhereItIsFound) {
  fs::create_directory(root / "a/b/dl.config.sdn");
  EXPECT_EQ(textOf([] { Config::find(); }),
            (root / "a/b/dl.config.sdn: this config file cannot be read: it is not a regular file")
                .string());
  std::string wrong = write("a/b/c/dl.config.sdn", "\ndevice: tpu");
  EXPECT_EQ(textOf([] { Config::find(); }).find(wrong + ":2: device is 'tpu'; it must be"), 0u);
}

TEST_F(ConfigFile, IsRefusedWhereItMayNotBeRead) {
  if (geteuid() == 0)
    GTEST_SKIP() << "root may read everything";
  std::string path = write("a/b/dl.config.sdn", "device: cpu");
  fs::permissions(path, fs::perms::none);
  EXPECT_EQ(textOf([] { Config::find(); }),
            path + ": this config file cannot be read: Permission denied");
}

TEST_F(ConfigFile, IsNotWaitedFor) {
  ASSERT_EQ(mkfifo("dl.config.sdn", 0600), 0);
  Error error = thrownBy([] { Config::load("dl.config.sdn"); });
  EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(error.message(),
            "dl.config.sdn: this config file cannot be read: it is not a regular file");
}

TEST_F(ConfigFile, IsAtMost64KiB) {
  const std::string setting = "dtype: f64\n";
  std::string path = write("a/large.sdn", setting + std::string((64 << 10) - setting.size(), '#'));
  EXPECT_EQ(Config::load(path).dtype(), ScalarType::F64);
  std::ofstream(path, std::ios::app) << '#';
  EXPECT_EQ(textOf([&] { Config::load(path); }),
            path + ": this config file cannot be read: it is larger than 64 KiB");
}

TEST_F(ConfigFile, NeedsAWorkingDirectory) {
  fs::remove(root / "a/b/c");
  Error error = thrownBy([] { Config::find(); });
  EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
  EXPECT_EQ(error.message(), "there is no working directory to look for dl.config.sdn in: No such "
                             "file or directory");
  EXPECT_EQ(error.hint(), "name a config file with SPL_CONFIG");
}

TEST_F(ConfigFile, MakesItsContext) {
  FakeDriver fake;
  fake->deviceCount = 3;
  EXPECT_EQ(Context::makeFromConfig().backend(), Backend::Cuda) << "without a file";
  write("a/dl.config.sdn", "dl:\n  device: \"cuda:2\"\n");
  EXPECT_EQ(Context::makeFromConfig().device().index, 2);
  write("a/b/dl.config.sdn", "backend: cpu\n");
  EXPECT_EQ(Context::makeFromConfig().backend(), Backend::Cpu);
}

TEST_F(ConfigFile, HasNoPartInTheEnvironmentsChoice) {
  FakeDriver fake;
  fake->deviceCount = 3;
  write("a/dl.config.sdn", "device: cuda:1");
  EXPECT_EQ(Context::makeDefault().device().index, 0) << "makeDefault reads no file";
  Environment other("SPL_BACKEND", "cpu"), wrong("SPL_DEVICE", "x");
  EXPECT_EQ(Context::makeFromConfig().backend(), Backend::Cuda);
  EXPECT_EQ(Context::makeFromConfig().device().index, 1);
}

TEST_F(ConfigFile, UseGpuMeansThatOneIsThere) {
  const Config expected = Config::parse("\nuse_gpu: true", "c.sdn");
  const Config unwanted = Config::parse("use_gpu: false", "c.sdn");
  {
    FakeDriver fake;
    EXPECT_EQ(Context::makeFromConfig(expected).backend(), Backend::Cuda);
    EXPECT_EQ(Context::makeFromConfig(unwanted).backend(), Backend::Cpu);
  }
  hideCuda();
  EXPECT_EQ(Context::makeFromConfig(unwanted).backend(), Backend::Cpu);
  Error error = thrownBy([&] { Context::makeFromConfig(expected); });
  EXPECT_EQ(error.code(), ErrorCode::BackendUnavailable);
  EXPECT_EQ(
      error.message().find("c.sdn:2: use_gpu is 'true', but no GPU can be used here (cuda: no "
                           "CUDA driver is installed"),
      0u)
      << error.message();
  EXPECT_NE(
      error.message().find("); the devices here are cpu:0 (" + devices(Backend::Cpu)[0].name + ")"),
      std::string::npos)
      << error.message();
}

TEST_F(ConfigFile, ADeviceThatIsNotThereIsAnErrorThatListsThose) {
  const std::string cpu = "cpu:0 (" + devices(Backend::Cpu)[0].name + ")";
  auto refusal = [](const char *text) {
    Error error = thrownBy([&] { Context::makeFromConfig(Config::parse(text, "c.sdn")); });
    EXPECT_EQ(error.code(), ErrorCode::BackendUnavailable) << text;
    return error.message();
  };
  {
    FakeDriver fake;
    fake->deviceCount = 2;
    EXPECT_EQ(refusal("dl:\n  backend: cuda\n  device: cuda:2"),
              "c.sdn:3: there is no device cuda:2; the devices here are cuda:0 (PTX interpreter), "
              "cuda:1 (PTX interpreter) and " +
                  cpu);
  }
  hideCuda();
  EXPECT_EQ(refusal("device: cpu:1"),
            "c.sdn:1: there is no device cpu:1; the devices here are " + cpu);
  EXPECT_EQ(refusal("device: cuda")
                .find("c.sdn:1: the cuda backend cannot be used here: no CUDA driver is installed"),
            0u);
}
