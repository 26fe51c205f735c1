// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that many calls of the facade make, and their words.
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

/// OutOfMemory where the system has no thread for \p what.
Error noThread(const std::system_error &error, const std::string &what, const std::string &hint);

/// \p thrown as an Error: CallbackFailed with its text if it is another exception, and with
/// \p otherwise if it has none.
Error errorOf(const std::exception_ptr &thrown, const char *otherwise);

/// Throws InvalidArgument for a stream that was moved from, or is not of \p context; \p whose says
/// which one that is: "the array's context".
void requireStreamOf(const std::shared_ptr<BackendContext> &context, const char *whose,
                     const Stream &stream, const char *call);

} // namespace spl::detail

#endif
