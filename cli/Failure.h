// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The exceptions of commands: a message, and an exit status (docs/cli.md). runCommandLine catches
// them.
#pragma once

#include <spl/Error.h>
#include <stdexcept>
#include <string>
#include <utility>

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

/// The same Error with a prefix, such as "argument 1 (a: &[f32]): ".
inline Error withPrefix(const Error &error, const std::string &prefix) {
  ErrorInfo info = error.info();
  info.message = prefix + info.message;
  return Error(std::move(info));
}

/// An Error of a launch or a buffer of a script.
struct PlacedError {
  Error error;
  std::string script; ///< the path
  std::string place;  ///< in the script, such as "launch 2 (add)"
};

} // namespace spl::cli
