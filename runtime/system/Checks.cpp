// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/system/Checks.h"

#include "runtime/backends/BackendContext.h"
#include "spl/Error.h"
#include "spl/Stream.h"

namespace spl::detail {

void refuse(const std::string &message, const std::string &hint) {
  throw Error({.code = ErrorCode::InvalidArgument, .message = message, .hint = hint});
}

Error noThread(const std::system_error &error, const std::string &what, const std::string &hint) {
  return Error({.code = ErrorCode::OutOfMemory,
                .message = "the system cannot start a thread for " + what,
                .call = "pthread_create",
                .native = error.code().value(),
                .nativeName = error.code().message(),
                .hint = hint});
}

Error errorOf(const std::exception_ptr &thrown, const char *otherwise) {
  const auto foreign = [](std::string text) {
    return Error({.code = ErrorCode::CallbackFailed, .message = std::move(text)});
  };
  try {
    std::rethrow_exception(thrown);
  } catch (const Error &error) {
    return error;
  } catch (const std::exception &error) {
    return foreign(error.what());
  } catch (...) {
    return foreign(otherwise);
  }
}

void requireStreamOf(const std::shared_ptr<BackendContext> &context, const char *whose,
                     const Stream &stream, const char *call) {
  if (stream.backend(); stream.context() != context)
    refuse(std::string(call) + ": the stream belongs to another context, on " +
               stream.context()->describe(),
           std::string("use a stream of ") + whose);
}

} // namespace spl::detail
