// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles and runs programs. Code for the CPU and for a device runs in the runtime. PTX runs in
// the interpreter of test/ptxsim.
#pragma once

#include "test/random/Launches.h"
#include "test/random/Text.h"

#include <memory>
#include <optional>
#include <set>

namespace spl::random {

/// The options for a file of programs.
struct BuildOptions {
  std::string target; ///< "cpu" means this machine, "device" its first CUDA device
  unsigned optLevel = 2;
  bool checks = true, contracts = true;

  bool isPtx() const { return target.starts_with("sm_"); } ///< which is interpreted
  bool isDevice() const { return target == "device"; }
  std::string str() const;
};

/// A fault as the target reports it.
struct ReportedFault {
  int kind = 0;
  std::string file;
  int line = 0, column = 0;
  std::int64_t value = 0, bound = 0;
  std::array<std::int64_t, 3> workItem{}, group{};

  std::string str() const;
};

struct RunResult {
  bool isFault = false;
  std::optional<ReportedFault> fault; ///< if the target reports one
  std::string error;                  ///< the text of any other error
  std::string output;                 ///< of print
};

class Build {
public:
  virtual ~Build() = default;
  /// Runs the entry of the kernel. Changes the memory of \p launch.
  virtual RunResult run(const generator::Program &program, const std::string &entry,
                        const reference::Launch &launch) = 0;
  /// Whether the kernel has a launch contract.
  virtual bool hasContract(const generator::Program &) const { return false; }
  virtual bool meetsContract(const generator::Program &, const std::string &,
                             const reference::Launch &) const {
    return false;
  }
};

/// Compiles \p text. Throws std::runtime_error with the diagnostics if that fails.
std::unique_ptr<Build> compile(const Text &text, const BuildOptions &options);

} // namespace spl::random
