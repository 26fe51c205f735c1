// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA driver without a GPU: its devices interpret PTX (test/ptxsim). Built as libcuda.so.1 and
// found by the runtime as the real driver would be. It checks what a real driver would: that a
// context is current, that addresses are its own; and a kernel's fault ends its context. Launches
// are done when they return, but as with the real driver their faults are answered by later calls.
//
// Outside of tests that hold its state it is set by the environment:
//   SPL_FAKE_CUDA_CAPABILITY=9.0   what the devices can do
//   SPL_FAKE_CUDA_SEED=N           shuffles what the hardware leaves open
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace spl::test {

/// The fake's state. Tests set what it shall do and look at what was asked of it.
struct FakeCuda {
  // What it shall do.
  int initResult = 0;
  int deviceCount = 1;
  int capability = 90;               ///< 90 for 9.0
  std::optional<std::uint64_t> seed; ///< of ptxsim::LaunchOptions
  std::string failingCall;           ///< the driver's name of a call, "cuMemAlloc"
  int failingResult = 0;             ///< what it gives
  int callsBefore = 0;               ///< how often it still succeeds first
  std::string jitLog;                ///< what its compiler says, besides its own complaints

  // What was asked of it.
  struct Launch {
    std::string kernel;
    std::array<unsigned, 3> groups, local;
    unsigned sharedBytes;
  };
  std::vector<Launch> launches;
  std::vector<std::string> mistakes; ///< calls that a real driver would not survive
  std::vector<std::string> notes;    ///< what kernels did that PTX leaves undefined
  std::size_t liveAllocations = 0;
  int liveModules = 0;
  int retained = 0;
  std::map<std::string, int> calls;
};

} // namespace spl::test

/// The one driver's state in a library that was opened; reset makes it as new.
extern "C" spl::test::FakeCuda *spl_fake_cuda(bool reset);
