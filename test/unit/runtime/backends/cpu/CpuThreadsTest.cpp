// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests how many threads run kernels on the CPU at once, and which settings determine that.
#include "test/unit/Environment.h"
#include "test/unit/Fork.h"
#include "test/unit/Sanitizers.h"
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <thread>

using namespace spl;
using namespace spl::test;

namespace {

/// The threads in compiled code, as counted by the kernel itself.
struct Seen {
  std::mutex mutex;
  std::set<std::thread::id> running; ///< guarded by mutex, like the members below
  std::set<std::thread::id> all;
  std::size_t most = 0; ///< maximum at the same time
  int groups = 0;
};
Seen *seen = nullptr;

void countsThreads(void *const *, const spl_cpu_launch *, std::int64_t begin, std::int64_t end) {
  for (std::int64_t group = begin; group < end; ++group) {
    {
      std::lock_guard lock(seen->mutex);
      seen->running.insert(std::this_thread::get_id());
      seen->all.insert(std::this_thread::get_id());
      seen->most = std::max(seen->most, seen->running.size());
      ++seen->groups;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    std::lock_guard lock(seen->mutex);
    seen->running.erase(std::this_thread::get_id());
  }
}

class CpuThreads : public testing::Test {
protected:
  CpuThreads() { seen = &counted; }
  ~CpuThreads() override { seen = nullptr; }

  static Kernel kernelOf(const Context &context) {
    return Module::load(context, HostCode{{{"counts_threads()", countsThreads}}, nullptr})
        .kernels()[0];
  }

  /// Launches one group and several groups, in four streams and without a stream.
  void launchEverywhere(const Context &context) {
    const Kernel kernel = kernelOf(context);
    std::vector<Stream> streams;
    for (int i = 0; i < 4; ++i)
      streams.push_back(context.makeStream());
    for (std::int64_t groups : {1, 8, 1})
      for (const Stream &stream : streams)
        context.launchAsync(stream, kernel, {.global = {groups}, .local = {1}});
    context.launch(kernel, {.global = {8}, .local = {1}});
    context.launch(kernel, {.global = {1}, .local = {1}});
    context.sync();
    EXPECT_EQ(counted.groups, 4 * 10 + 9);
  }

  static int threadsOf(const Context &context) { return context.device().computeUnits; }
  static int threadsOfMachine() { return devices(Backend::Cpu)[0].computeUnits; }

  /// The error of opening a CPU context.
  static std::string refusal(const ContextOptions &options = {}) {
    const Error error = thrownBy([&] { Context::make(Backend::Cpu, 0, options); });
    EXPECT_EQ(error.code(), ErrorCode::InvalidArgument);
    return error.what();
  }

  Seen counted;
};

} // namespace

TEST_F(CpuThreads, WithoutALimitAreThoseOfTheStreamsAndOfTheMachine) {
  const Environment none("SPL_CPU_THREADS", std::nullopt);
  const Context context = Context::make(Backend::Cpu);
  EXPECT_EQ(threadsOf(context), threadsOfMachine());
  launchEverywhere(context);
  EXPECT_GE(counted.most, 3u); // of the four streams: proves that the limits below have an effect
}

TEST_F(CpuThreads, OneIsTheLaunchingThread) {
  const Context context = Context::make(Backend::Cpu, 0, {.cpuThreads = 1});
  EXPECT_EQ(threadsOf(context), 1);
  for (std::int64_t groups : {1, 50})
    context.launch(kernelOf(context), {.global = {groups}, .local = {1}});
  EXPECT_EQ(counted.groups, 51);
  EXPECT_EQ(counted.all, std::set{std::this_thread::get_id()});
}

TEST_F(CpuThreads, OneIsOneForAllStreamsTogether) {
  launchEverywhere(Context::make(Backend::Cpu, 0, {.cpuThreads = 1}));
  EXPECT_EQ(counted.most, 1u);
}

TEST_F(CpuThreads, SeveralAreTheMostForAllStreamsTogether) {
  SPL_SKIP_UNDER_SANITIZERS("threads that oneTBB does not hand out");
  if (threadsOfMachine() < 2)
    GTEST_SKIP() << "the machine has one thread";
  launchEverywhere(Context::make(Backend::Cpu, 0, {.cpuThreads = 2}));
  EXPECT_EQ(counted.most, 2u);
}

TEST_F(CpuThreads, MoreThanThereAreAreAllOfThem) {
  const Context context = Context::make(Backend::Cpu, 0, {.cpuThreads = 65536});
  EXPECT_EQ(threadsOf(context), threadsOfMachine());
  launchEverywhere(context);
  EXPECT_LE(counted.most, static_cast<std::size_t>(threadsOfMachine()));
}

TEST_F(CpuThreads, AreLimitedByTheEnvironment) {
  const Environment one("SPL_CPU_THREADS", "1"), backend("SPL_BACKEND", "cpu");
  EXPECT_EQ(threadsOf(Context::make(Backend::Cpu)), 1);
  EXPECT_EQ(threadsOf(Context::makeDefault()), 1);
  EXPECT_EQ(threadsOf(Context::makeFromConfig(Config::parse("backend: cpu", "c"))), 1);
  launchEverywhere(Context::make(Backend::Cpu));
  EXPECT_EQ(counted.most, 1u);
}

TEST_F(CpuThreads, AreLimitedByTheConfigFile) {
  const Environment none("SPL_CPU_THREADS", "");
  for (const char *text : {"backend: cpu\ncpu_threads: 1", "cpu_threads: '1'\nuse_gpu: false"})
    EXPECT_EQ(threadsOf(Context::makeFromConfig(Config::parse(text, "c"))), 1) << text;
  launchEverywhere(Context::makeFromConfig(Config::parse("device: cpu\ncpu_threads: 1", "c")));
  EXPECT_EQ(counted.most, 1u);
}

TEST_F(CpuThreads, AreTheProgramsBeforeTheEnvironmentsBeforeTheConfigFiles) {
  if (threadsOfMachine() < 2)
    GTEST_SKIP() << "the machine has one thread";
  const Config ofOne = Config::parse("backend: cpu\ncpu_threads: 1", "c");
  {
    const Environment two("SPL_CPU_THREADS", "2");
    EXPECT_EQ(threadsOf(Context::makeFromConfig(ofOne)), 2);
    EXPECT_EQ(threadsOf(Context::make(Backend::Cpu, 0, {.cpuThreads = 1})), 1);
    EXPECT_EQ(threadsOf(Context::makeFromConfig(Config(), {.cpuThreads = 1})), 1);
  }
  const Environment none("SPL_CPU_THREADS", std::nullopt);
  EXPECT_EQ(threadsOf(Context::makeFromConfig(ofOne)), 1);
  EXPECT_EQ(threadsOf(Context::makeFromConfig(ofOne, {.cpuThreads = 2})), 2);
}

TEST_F(CpuThreads, AreRefusedWithWhoSaidIt) {
  const std::string range = "; it must be a number of threads, 1 to 65536";
  for (const char *wrong : {"0", "-1", "65537", "4294967297", "99999999999999999999", "two", "2x",
                            " 2", "1.5", "0x2", "+1"}) {
    const Environment variable("SPL_CPU_THREADS", wrong), backend("SPL_BACKEND", "cpu");
    const std::string says = "SPL_CPU_THREADS is '" + std::string(wrong) + "'" + range;
    EXPECT_EQ(refusal(), says);
    EXPECT_EQ(textOf([] { Context::makeDefault(); }), says);
    EXPECT_EQ(textOf([] { Context::makeFromConfig(Config::parse("backend: cpu", "c")); }), says);
    EXPECT_EQ(textOf([&] {
                Config::parse("dtype: f32\ncpu_threads: '" + std::string(wrong) + "'", "c.sdn");
              }),
              "c.sdn:2: cpu_threads is '" + std::string(wrong) + "'" + range);
  }
  const std::string rest = range + "; 0 leaves it to SPL_CPU_THREADS and the config file";
  EXPECT_EQ(refusal({.cpuThreads = -1}), "cpuThreads is -1" + rest);
  EXPECT_EQ(refusal({.cpuThreads = 65537}), "cpuThreads is 65537" + rest);
  EXPECT_EQ(Config::parse("cpu_threads: 16", "c").cpuThreads(), 16);
  EXPECT_EQ(Config::parse("dtype: f32", "c").cpuThreads(), std::nullopt);
}

TEST_F(CpuThreads, OfALimitedContextEndWithoutHarmInAChildMadeByFork) {
  std::optional<Context> one = Context::make(Backend::Cpu, 0, {.cpuThreads = 1});
  std::optional<Context> two = Context::make(Backend::Cpu, 0, {.cpuThreads = 2});
  for (const Context *context : {&*one, &*two})
    context->launch(kernelOf(*context), {.global = {8}, .local = {1}});
  EXPECT_TRUE(holdsInChild([&] {
    one.reset();
    two.reset();
    return true;
  }));
}

TEST_F(CpuThreads, AreLimitedInCToo) {
  const Environment none("SPL_CPU_THREADS", std::nullopt);
  spl_context context = 0;
  ASSERT_EQ(spl_context_make_limited("cpu", 0, 1, &context), SPL_OK);
  spl_device_info info;
  ASSERT_EQ(spl_context_device(context, &info), SPL_OK);
  EXPECT_EQ(info.compute_units, 1);
  EXPECT_EQ(spl_context_free(context), SPL_OK);
  EXPECT_EQ(spl_context_make_limited("cpu", 0, -1, &context), SPL_INVALID_ARGUMENT);

  spl_config config = 0;
  ASSERT_EQ(spl_config_parse("backend: cpu\ncpu_threads: 1", "c", &config), SPL_OK);
  spl_config_info said;
  ASSERT_EQ(spl_config_get(config, &said), SPL_OK);
  EXPECT_EQ(said.cpu_threads, 1);
  ASSERT_EQ(spl_context_make_with(config, &context), SPL_OK);
  ASSERT_EQ(spl_context_device(context, &info), SPL_OK);
  EXPECT_EQ(info.compute_units, 1);
  EXPECT_EQ(spl_context_free(context), SPL_OK);
  EXPECT_EQ(spl_config_free(config), SPL_OK);
}
