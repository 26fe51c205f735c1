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
  int maxRegisters = 0; ///< 0: no limit
  bool interruptible = false;
  bool lineInfo = false;
  bool timePasses = false;
  std::string printAfter; ///< a pass's name
  codegen::MathLibrary mathLibrary = codegen::MathLibrary::Auto;

  void addTo(CLI::App &command);

  /// Throws Failure (WrongUsage) for --interruptible where no target can be interrupted.
  void requireInterruptible(llvm::ArrayRef<codegen::TargetSpec> targets) const;

  /// Throws Failure (WrongUsage) for a value that means nothing.
  driver::CompileOptions resolve(const codegen::TargetSpec &target) const;
};

} // namespace spl::cli
