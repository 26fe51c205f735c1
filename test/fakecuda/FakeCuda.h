// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA driver without a GPU: its devices interpret PTX (test/ptxsim). Built as libcuda.so.1 and
// found by the runtime as the real driver would be.
//
// It checks what a real driver would: that a context is current, that handles and addresses are
// alive and of that context; and a kernel's fault ends its context. Handles and addresses are never
// given twice, so stale ones are always noticed.
//
// Streams are queues, and nothing in them is done before somebody waits for it or asks whether it
// is done (a query does one piece of work): a wait that is missing shows as wrong data. With a
// seed, work may also be done as soon as it is queued, and in any order that the streams allow.
//
// Outside of tests that hold its state it is set by the environment:
//   SPL_FAKE_CUDA_CAPABILITY=9.0   what the devices can do
//   SPL_FAKE_CUDA_DEVICES=N        how many there are
//   SPL_FAKE_CUDA_SICK=N           which of them says nothing of itself
//   SPL_FAKE_CUDA_SEED=N           shuffles what the hardware leaves open
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace spl::test {

/// The fake's state. Tests set what it shall do and look at what was asked of it.
struct FakeCuda {
  // What it shall do.
  int initResult = 0;
  int deviceCount = 1;
  std::optional<int> sickDevice;       ///< has a handle, and fails whatever else is asked of it
  int capability = 90;                 ///< 90 for 9.0
  int driverVersion = 0;               ///< of CUDA; functions newer than it are not there
  std::optional<std::uint64_t> seed;   ///< of streams and of ptxsim::LaunchOptions
  std::set<std::pair<int, int>> peers; ///< the first device may access the second
  std::string jitLog;                  ///< what its compiler says, besides its own complaints
  bool records = true;                 ///< whether callNames and launches grow

  // What shall fail. Calls that give something back do so even then, as with a real driver.
  std::string failingCall;   ///< the driver's name of a call, "cuMemAlloc"
  int callsBefore = 0;       ///< how often it still succeeds first
  std::uint64_t failAt = 0;  ///< the number of a call among all of them, from 1; 0 for none
  bool failsOnwards = false; ///< whether every call after that one fails too
  /// What these give. As with a real driver, illegal addresses and the like end the context.
  int failingResult = 0;
  std::string deadlyCall; ///< a call that ends the process

  /// Done once, before the next call of that name: what another thread does just then.
  std::string hookedCall;
  std::function<void()> hook;

  // What was asked of it.
  struct Launch {
    std::string kernel;
    std::array<unsigned, 3> groups, local;
    unsigned sharedBytes;
  };
  std::vector<Launch> launches;
  std::vector<int> priorities;      ///< of streams, as they were made
  std::vector<std::string> misuses; ///< calls that a real driver would not survive
  std::vector<std::string> notes;   ///< what kernels did that PTX leaves undefined
  /// What was made and not given back, by its kind: "stream", "event", "pool", "graph", ...; of
  /// "context" how often contexts are retained.
  std::map<std::string, int> live;
  int pushed = 0; ///< contexts on the stacks of all threads
  std::map<std::string, int, std::less<>> calls;
  std::uint64_t callCount = 0;
  bool lostContext = false; ///< whether a failure ended a context: its later calls fail as well
  std::vector<const char *> callNames; ///< every call, in order
};

} // namespace spl::test

/// The one driver's state in a library that was opened; reset makes it as new.
extern "C" spl::test::FakeCuda *spl_fake_cuda(bool reset);
