// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/Case.h"

#include <thread>

namespace bench {

namespace {

using Clock = std::chrono::steady_clock;

/// The threads of OpenMP and of the runtime go on waiting for work for some time after a run. They
/// would slow the next run of the other version down.
constexpr std::chrono::milliseconds untilThreadsSleep(3);

constexpr int fewestRounds = 3; // of a case that takes too long

} // namespace

spl::Module Case::load(const std::string &file, const std::vector<std::string> &instances) const {
  return spl::jit::loadFile(device, settings.root + "/" + file, {.instances = instances});
}

void Case::check(const Versions &versions) const {
  if (restore)
    restore();
  versions.ours();
  versions.twin();
  versions.compare();
}

double Case::timed(const std::function<void()> &run, int repeats) const {
  if (restore)
    restore();
  std::this_thread::sleep_for(untilThreadsSleep);
  const Clock::time_point start = Clock::now();
  for (int i = 0; i < repeats; ++i)
    run();
  return std::chrono::duration<double, std::milli>(Clock::now() - start).count() / repeats;
}

void Case::measure(const Versions &versions) {
  check(versions);
  const double shortest = std::min(timed(versions.ours, 1), timed(versions.twin, 1));
  // Both versions are repeated equally often, so that they change their arrays equally.
  const int repeats = restore ? 1 : 1 + int(settings.milliseconds / std::max(shortest, 1e-3));
  const Clock::time_point latest = Clock::now() + settings.longest;
  for (int round = 0; round < settings.rounds; ++round) {
    if (round >= fewestRounds && Clock::now() > latest)
      break;
    if (round % 2)
      found.twin.push_back(timed(versions.twin, repeats));
    found.ours.push_back(timed(versions.ours, repeats));
    if (round % 2 == 0)
      found.twin.push_back(timed(versions.twin, repeats));
  }
  check(versions);
}

} // namespace bench
