// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options that `simple compile` and `simple run` share: how to compile.
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
  std::string printAfter;     ///< a pass's name
  codegen::TargetOptions own; ///< options that targets declare

  void addTo(CLI::App &command);

  /// Throws Failure (WrongUsage) for an option that none of the targets has and that must not be
  /// ignored.
  void requireOptions(llvm::ArrayRef<codegen::TargetSpec> targets) const;

  /// Throws Failure (WrongUsage) for a value that means nothing.
  driver::CompileOptions resolve(const codegen::TargetSpec &target) const;

private:
  void addTargetOption(CLI::App &command, const codegen::TargetOption &option);
};

} // namespace spl::cli
