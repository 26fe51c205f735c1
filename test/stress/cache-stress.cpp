// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// cache-stress FOLDER ROUNDS: in each round 32 processes load 8 kernels through one cache and are
// killed at random times. The cache has room for most of the kernels. No load may fail or return
// another kernel's code. After a round no entry may be damaged, and files of killed processes must
// be removed.
#include "jit/cache/Cache.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <random>
#include <spl/spl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace spl;
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

namespace {

constexpr int processes = 32, keys = 8, loadsEach = 6;
constexpr std::chrono::microseconds maxLifetime{80000};
constexpr unsigned hangsAfter = 300; // in seconds
constexpr const char *room = "22K";  // slightly less than eight entries need

using Random = std::mt19937_64;

std::string kernel(int key) {
  return "#[gpu]\nfn advance(a: &mut [i32]):\n    val i = gpu.global_id()\n    if i < a.len():\n"
         "        a[i] += " +
         std::to_string(1000 + key) + "\n";
}

/// Counters in memory that the processes share, so that they outlive a killed process.
struct Counters {
  std::atomic<int> loads, slowLoads;
};

//===-- One process --===//

void loadAndRun(const Context &context, int key, Counters &counters) {
  const auto start = Clock::now();
  const jit::Options options{
      .optLevel = 0, .onWarning = [](const std::string &text) { throw std::runtime_error(text); }};
  const Module module = jit::loadSource(context, kernel(key), "stress.spl", options);
  auto a = context.allocUpload<std::int32_t>({5, -7, 11});
  context.launch(module["advance"], {.global = {3}, .local = {3}}, a);
  const std::int32_t by = 1000 + key;
  if (a.download() != std::vector<std::int32_t>{5 + by, -7 + by, 11 + by})
    throw std::runtime_error("key " + std::to_string(key) + " gave the code of another kernel");
  ++counters.loads;
  counters.slowLoads += Clock::now() - start > std::chrono::milliseconds(10);
}

[[noreturn]] void live(std::uint64_t seed, Counters &counters) {
  alarm(hangsAfter);
  try {
    Random random(seed);
    const Context context = Context::make(Backend::Cpu);
    for (int i = 0; i != loadsEach; ++i)
      loadAndRun(context, static_cast<int>(random() % keys), counters);
    _exit(0);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "cache-stress: %s\n", error.what());
    _exit(1);
  }
}

//===-- All of them --===//

struct Process {
  pid_t id;
  Clock::time_point end;
};

std::vector<Process> start(Random &random, Counters &counters) {
  std::vector<Process> all;
  for (int i = 0; i != processes; ++i) {
    const std::uint64_t seed = random();
    const pid_t id = fork();
    if (id == 0)
      live(seed, counters);
    const auto life = std::chrono::microseconds(seed % maxLifetime.count());
    all.push_back({id, Clock::now() + life});
  }
  std::sort(all.begin(), all.end(),
            [](const Process &a, const Process &b) { return a.end < b.end; });
  return all;
}

/// Kills three of four processes at their times and waits for all. Returns the number of killed
/// processes, or -1 if a process failed.
int end(const std::vector<Process> &all, Random &random) {
  for (const Process &process : all)
    if (random() % 4 != 0) {
      std::this_thread::sleep_until(process.end);
      kill(process.id, SIGKILL);
    }
  int killed = 0, failed = 0;
  for (const Process &process : all) {
    int status = 0;
    waitpid(process.id, &status, 0);
    const bool wasKilled = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
    killed += wasKilled;
    if (!wasKilled && status != 0) {
      std::fprintf(stderr, "cache-stress: a process ended with status %#x\n", status);
      ++failed;
    }
  }
  return failed ? -1 : killed;
}

int temporariesIn(const fs::path &folder, bool makeOld) {
  int count = 0;
  for (const auto &entry : fs::directory_iterator(folder)) {
    if (entry.path().extension() == ".kernels")
      continue;
    ++count;
    const std::timespec old{1000000000, 0}, both[] = {old, old};
    if (makeOld)
      utimensat(AT_FDCWD, entry.path().c_str(), both, 0);
  }
  return count;
}

jit::Cache openCache() {
  return llvm::cantFail(jit::Cache::open(llvm::cantFail(jit::Cache::Settings::ofEnvironment())));
}

bool stress(const fs::path &folder, int rounds) {
  void *memory =
      mmap(nullptr, sizeof(Counters), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Counters &counters = *new (memory) Counters{};
  Random random(20240229);
  const jit::Cache cache = openCache();
  int killed = 0, left = 0;
  for (int round = 0; round != rounds; ++round) {
    const int more = end(start(random, counters), random);
    if (more < 0)
      return false;
    killed += more;
    for (const std::string &path : cache.findDamaged()) {
      std::fprintf(stderr, "cache-stress: %s is damaged\n", path.c_str());
      return false;
    }
    // Temporary files are removed by the next store after a minute. Nobody writes now, so they are
    // made old at once.
    left += temporariesIn(folder, /*makeOld=*/true);
    llvm::cantFail(cache.store("round", std::string(1000, 'x')));
    if (temporariesIn(folder, /*makeOld=*/false) != 0) {
      std::fprintf(stderr, "cache-stress: what a killed process wrote is still there\n");
      return false;
    }
  }
  std::printf(
      "%d rounds, %d killed, %d loads right, %d of them slow, %d temporaries left and removed\n",
      rounds, killed, counters.loads.load(), counters.slowLoads.load(), left);
  return true;
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: cache-stress FOLDER ROUNDS\n");
    return 2;
  }
  setenv("XDG_CACHE_HOME", argv[1], 1);
  setenv("SPL_CACHE", "on", 1);
  setenv("SPL_CACHE_SIZE", room, 1);
  return stress(fs::path(argv[1]) / "spl", static_cast<int>(std::strtol(argv[2], nullptr, 10))) ? 0
                                                                                                : 1;
}
