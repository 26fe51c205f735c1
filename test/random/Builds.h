// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiled programs: for CPUs, run through the runtime on memory that lies against pages that
// nobody may touch; and as PTX, run by the interpreter of test/ptxsim.
#pragma once

#include "test/random/Launches.h"

#include <memory>
#include <optional>
#include <set>

namespace spl::random {

/// How a file of programs is compiled.
struct BuildOptions {
  std::string target; ///< "cpu" is this machine
  unsigned optLevel = 2;
  bool checks = true, contracts = true;

  bool isPtx() const { return target.starts_with("sm_"); }
  std::string str() const;
};

/// A fault as a build reports it.
struct ReportedFault {
  int kind = 0;
  int line = 0, column = 0;
  std::int64_t value = 0, bound = 0;
  std::array<std::int64_t, 3> workItem{}, group{};

  std::string str() const;
};

struct RunResult {
  bool isFault = false;
  std::optional<ReportedFault> fault; ///< where the target tells
  std::string error;                  ///< whatever else went wrong
};

class Build {
public:
  virtual ~Build() = default;
  /// Changes the launch's memory to what the kernel leaves.
  virtual RunResult run(const generator::Program &program, const reference::Launch &launch) = 0;
  /// Whether the kernel has a launch contract, and whether the launch meets it.
  virtual bool hasContract(const generator::Program &) const { return false; }
  virtual bool meetsContract(const generator::Program &, const reference::Launch &) const {
    return false;
  }
};

/// Throws std::runtime_error with the diagnostics where the text does not compile.
std::unique_ptr<Build> compile(const std::string &text, const BuildOptions &options);

} // namespace spl::random
