// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What ends a command before or after its work: a message for people and the exit status of
// docs/cli.md. Thrown by the driver's parts, caught once in main.
#pragma once

#include <stdexcept>
#include <string>

namespace spl::cli {

enum ExitStatus : int {
  Done = 0,
  Failed = 1,      ///< the program or a launch failed
  WrongUsage = 2,  ///< the command line cannot mean anything
  Unavailable = 3, ///< the backend is not here, or cannot do what the kernel needs
};

struct Failure : std::runtime_error {
  Failure(ExitStatus status, const std::string &message)
      : std::runtime_error(message), status(status) {}
  ExitStatus status;
};

} // namespace spl::cli
