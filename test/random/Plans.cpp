// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/random/Plans.h"

#include <cstdio>
#include <random>

namespace spl::random {

static bool hostRuns(const std::string &level) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  if (level == "v2")
    return __builtin_cpu_supports("x86-64-v2");
  if (level == "v3")
    return __builtin_cpu_supports("x86-64-v3");
  return __builtin_cpu_supports("x86-64-v4");
#else
  return false;
#endif
}

const std::vector<std::string> &cpuTargets() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> found = {"cpu"};
    for (const char *level : {"v2", "v3", "v4"})
      if (hostRuns(level))
        found.push_back(std::string("cpu:x86-64-") + level);
      else
        std::printf("not tried: x86-64-%s, which this machine cannot run\n", level);
    return found;
  }();
  return all;
}

Plan planFor(std::uint64_t seed) {
  std::mt19937_64 random(seed * 0x9e3779b97f4a7c15u + 2);
  auto below = [&](std::size_t count) { return static_cast<unsigned>(random() % count); };
  auto oneIn = [&](unsigned count) { return below(count) == 0; };
  BuildOptions cpu{cpuTargets()[below(cpuTargets().size())], below(4)};
  cpu.checks = !oneIn(8);
  // Programs with contracts are compiled twice, with checks and without.
  cpu.contracts = cpu.checks && oneIn(2);
  constexpr const char *recent[] = {"sm_80", "sm_90", "sm_100", "sm_120"};
  BuildOptions ptx{oneIn(2) ? "sm_75" : recent[below(std::size(recent))],
                   std::array{0u, 2u, 3u}[below(3)]};
  ptx.checks = !oneIn(8);
  return {{cpu, ptx}};
}

} // namespace spl::random
