// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exception of commands: a message, and an exit status (docs/cli.md). runCommandLine catches
// it.
#pragma once

#include <stdexcept>
#include <string>

namespace spl::cli {

enum ExitStatus : int {
  Done = 0,
  Failed = 1,      ///< the program or a launch failed
  WrongUsage = 2,  ///< the command line is invalid
  Unavailable = 3, ///< the backend is not available, or cannot run the kernel
};

struct Failure : std::runtime_error {
  Failure(ExitStatus status, const std::string &message)
      : std::runtime_error(message), status(status) {}
  ExitStatus status;
};

} // namespace spl::cli
