// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that several calls of the public classes share, and the errors that they throw.
#ifndef SPL_RUNTIME_SYSTEM_CHECKS_H
#define SPL_RUNTIME_SYSTEM_CHECKS_H

#include <exception>
#include <memory>
#include <string>
#include <system_error>

namespace spl {
class Error;
class Stream;
} // namespace spl

namespace spl::detail {

class BackendContext;

/// The end of the message of a fault in dynamic shared memory of a launch that gives none.
extern const char *const noDynamicShared;

/// Throws InvalidArgument.
[[noreturn]] void refuse(const std::string &message, const std::string &hint = "");

/// Makes an OutOfMemory error. It says that the system cannot start a thread for \p what.
Error noThread(const std::system_error &error, const std::string &what, const std::string &hint);

/// Converts \p thrown to an Error. An exception that is not an Error becomes CallbackFailed with
/// the exception's text, or with \p otherwise if it has no text.
Error errorOf(const std::exception_ptr &thrown, const char *otherwise);

/// Throws InvalidArgument if \p stream was moved from or belongs to another context. \p whose is a
/// name of \p context for the message, such as "the array's context".
void requireStreamOf(const std::shared_ptr<BackendContext> &context, const char *whose,
                     const Stream &stream, const char *call);

} // namespace spl::detail

#endif
