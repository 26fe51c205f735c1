// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA driver without a GPU. Its devices interpret PTX (test/ptxsim). It is built as
// libcuda.so.1, and the runtime loads it like the real driver.
//
// It checks the preconditions of the real driver: a context is current, and handles and addresses
// are valid and belong to that context. A fault of a kernel leaves the context with a sticky error.
// No handle or address is used twice, so that the use of a stale one is always found.
//
// Streams are queues. Work in a queue runs when a call waits for it; a query runs the first piece
// of it. A missing wait therefore shows as wrong data. With a seed, work may also run as soon as it
// is queued, and in any order that the streams allow.
//
// The environment sets the state, unless a test sets it through spl_fake_cuda:
//   SPL_FAKE_CUDA_CAPABILITY=9.0   the compute capability of the devices
//   SPL_FAKE_CUDA_DEVICES=N        the number of devices
//   SPL_FAKE_CUDA_SICK=N           the index of a device whose queries fail
//   SPL_FAKE_CUDA_SEED=N           shuffles every order that CUDA leaves open
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

/// The state of the fake driver. Tests set how it behaves and read which calls it received.
struct FakeCuda {
  // Behaviour, set by tests.
  int initResult = 0;
  int deviceCount = 1;
  std::optional<int> sickDevice;     ///< index of a device that has a handle but whose queries fail
  int capability = 90;               ///< 90 means 9.0
  bool isCooperative = true;         ///< whether the devices have cooperative launches
  int driverVersion = 0;             ///< as CUDA encodes it; newer functions are missing
  std::optional<std::uint64_t> seed; ///< shuffles streams, and sets ptxsim::LaunchOptions::seed
  std::set<std::pair<int, int>> peers; ///< (a, b): device a may access memory of device b
  std::string jitLog;                  ///< added to the log of the JIT compiler
  bool records = true;                 ///< whether calls are added to callNames and launches

  // Failing calls. A call that releases an object does so even when it fails, as in the real
  // driver.
  std::string failingCall; ///< the name of a call that fails, such as "cuMemAlloc"
  int callsBefore = 0;     ///< how many calls of that name succeed first
  /// The number of the call that fails, counting all calls from 1; 0 for none.
  std::uint64_t failAt = 0;
  bool failsOnwards = false; ///< whether all calls after that one fail too
  /// The result of the failing calls. An illegal address and the like become a sticky error of the
  /// context, as in the real driver.
  int failingResult = 0;
  std::string deadlyCall; ///< the name of a call that ends the process

  /// The name of the call before which the hook runs, once. It does what another thread
  /// does at that time.
  std::string hookedCall;
  std::function<void()> hook;

  // Calls that the driver received.
  struct Launch {
    std::string kernel;
    std::array<unsigned, 3> groups, local;
    unsigned sharedBytes;
    bool isCooperative = false;
  };
  std::vector<Launch> launches;
  std::vector<int> priorities;      ///< of the streams, in the order of their creation
  std::vector<std::string> misuses; ///< calls that could crash with a real driver
  std::vector<std::string> notes;   ///< undefined behaviour of kernels
  /// The number of unreleased objects by kind: "stream", "event", "pool", "graph" and so on. For
  /// "context" it is the number of retains of primary contexts.
  std::map<std::string, int> live;
  int pushed = 0; ///< contexts on the stacks of all threads
  std::map<std::string, int, std::less<>> calls;
  std::uint64_t callCount = 0;
  bool lostContext = false;            ///< whether a failure left a context with a sticky error
  std::vector<const char *> callNames; ///< every call, in order
};

} // namespace spl::test

/// Returns the state of this copy of the library. If \p reset is true, it is reset first.
extern "C" spl::test::FakeCuda *spl_fake_cuda(bool reset);
