// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA driver without a GPU: one device whose memory is the host's and whose kernels are C++
// functions. Built as a shared library and found by the runtime as the real driver would be. It
// checks what a real driver would: that a context is current, that addresses are its own.
#pragma once

#include <spl/cpu_abi.h>

#include <array>
#include <map>
#include <string>
#include <vector>

namespace spl::test {

/// The fake's state. Tests set what it shall do and look at what was asked of it.
struct FakeCuda {
  // What it shall do.
  int initResult = 0;
  int deviceCount = 1;
  std::string failingCall;                      ///< the driver's name of a call, "cuMemAlloc"
  int failingResult = 0;                        ///< what it gives
  int callsBefore = 0;                          ///< how often it still succeeds first
  std::string jitLog;                           ///< what its compiler says
  std::map<std::string, spl_cpu_entry> kernels; ///< what its modules can hold

  // What was asked of it.
  struct Launch {
    std::string kernel;
    std::array<unsigned, 3> groups, local;
    unsigned sharedBytes;
  };
  std::vector<Launch> launches;
  std::vector<std::string> mistakes; ///< calls that a real driver would not survive
  std::size_t liveAllocations = 0;
  int liveModules = 0;
  int retained = 0;
  std::map<std::string, int> calls;
};

} // namespace spl::test

/// The one driver's state in a library that was opened; reset makes it as new.
extern "C" spl::test::FakeCuda *spl_fake_cuda(bool reset);
