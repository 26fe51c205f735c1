// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options for compiling, which `simple compile` and `simple run` share.
#pragma once

#include "driver/Compilation.h"
#include <string>

namespace CLI {
class App;
}

namespace spl::cli {

struct CompileFlags {
  int optLevel = 2;
  std::string checks = "all";
  bool strictFp = false;
  bool noContracts = false;
  bool fastMath = false;
  std::vector<std::string> includes;
  bool lineInfo = false;
  bool timePasses = false;
  std::string printAfter;     ///< the name of a pass
  codegen::TargetOptions own; ///< options that targets declare

  void addTo(CLI::App &command);

  /// Throws Failure (WrongUsage) for an option with a TargetOption::refusal that none of the
  /// targets has.
  void requireOptions(llvm::ArrayRef<codegen::TargetSpec> targets) const;

  /// The options for the driver. Throws Failure (WrongUsage) for an invalid value.
  driver::CompileOptions resolve(const codegen::TargetSpec &target) const;

private:
  void addTargetOption(CLI::App &command, const codegen::TargetOption &option);
};

} // namespace spl::cli
