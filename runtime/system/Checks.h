// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that many calls of the public classes make, and their errors.
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

/// Throws InvalidArgument.
[[noreturn]] void refuse(const std::string &message, const std::string &hint = "");

/// OutOfMemory, because the system has no thread for \p what.
Error noThread(const std::system_error &error, const std::string &what, const std::string &hint);

/// \p thrown as an Error. Any other exception becomes CallbackFailed with its text, or with
/// \p otherwise if it has no text.
Error errorOf(const std::exception_ptr &thrown, const char *otherwise);

/// Throws InvalidArgument for a stream that was moved from and for a stream of another context.
/// \p whose names \p context in the message, as in "the array's context".
void requireStreamOf(const std::shared_ptr<BackendContext> &context, const char *whose,
                     const Stream &stream, const char *call);

} // namespace spl::detail

#endif
