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

void expectSame(const std::function<void()> &compare, const char *other) try {
  compare();
} catch (const Different &different) {
  throw Different(different.what() + std::string(" in ") + other);
}

} // namespace

spl::Module Case::load(const std::string &file, const std::vector<std::string> &instances) const {
  return spl::jit::loadFile(device, settings.root + "/" + file, {.instances = instances});
}

std::shared_ptr<OpenClKernel> Case::loadOpenCl(const std::string &file, const std::string &name,
                                               const std::string &options) const {
  return pocl ? pocl->load(settings.root + "/bench/cpu/opencl/" + file, name, options) : nullptr;
}

void Case::runOpenCl(const Versions &versions) const {
  versions.openCl();
  pocl->wait();
}

void Case::check(const Versions &versions) const {
  if (restore)
    restore();
  versions.ours();
  versions.twin();
  expectSame(versions.compare, "C++");
  if (hasOpenCl(versions)) {
    runOpenCl(versions);
    expectSame(versions.compareOpenCl, "OpenCL C");
  }
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
  std::vector<Measured> measured = {{versions.ours, found.ours}, {versions.twin, found.twin}};
  if (hasOpenCl(versions))
    measured.push_back({[&] { runOpenCl(versions); }, found.openCl});
  double shortest = INFINITY;
  for (const Measured &version : measured)
    shortest = std::min(shortest, timed(version.run, 1));
  // All versions are repeated equally often, so that they change their arrays equally.
  const int repeats = restore ? 1 : 1 + int(settings.milliseconds / std::max(shortest, 1e-3));
  const Clock::time_point latest = Clock::now() + settings.longest;
  for (int round = 0; round < settings.rounds; ++round) {
    if (round >= fewestRounds && Clock::now() > latest)
      break;
    for (std::size_t i = 0; i < measured.size(); ++i) {
      const Measured &version = measured[(round + i) % measured.size()];
      version.times.push_back(timed(version.run, repeats));
    }
  }
  check(versions);
}

} // namespace bench
