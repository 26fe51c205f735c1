// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/error.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Handles.h"
#include "spl/Pipeline.h"

#include <algorithm>
#include <exception>
#include <new>

namespace spl::capi {
namespace {

/// The last error of a thread. It keeps the exception, because the texts that the functions return
/// belong to it.
struct LastFailure {
  std::exception_ptr exception;
  spl_status status = SPL_OK;
  const Error *error = nullptr; ///< points into exception if that is an Error, else null
  /// Points into exception if that is a BatchError, else null.
  const BatchError *batchError = nullptr;
  const char *text = "";
  std::uint64_t count = 0; ///< the number of failures in this thread

  void set(spl_status newStatus, const char *newText, const Error *newError = nullptr,
           const BatchError *newBatchError = nullptr) noexcept {
    exception = std::current_exception();
    status = newStatus;
    text = newText;
    error = newError;
    batchError = newBatchError;
    ++count;
  }
};

LastFailure &lastFailure() {
  static thread_local LastFailure last;
  return last;
}

} // namespace

spl_status keepFailure() noexcept {
  LastFailure &last = lastFailure();
  try {
    throw;
  } catch (const BatchError &error) {
    last.set(static_cast<spl_status>(error.code()), error.what(), &error, &error);
  } catch (const Error &error) {
    last.set(static_cast<spl_status>(error.code()), error.what(), &error);
  } catch (const std::bad_alloc &) {
    last.set(SPL_OUT_OF_MEMORY, "the host has no more memory");
  } catch (const std::exception &error) {
    last.set(SPL_INTERNAL_ERROR, error.what());
  } catch (...) {
    last.set(SPL_INTERNAL_ERROR, "an exception of an unknown type");
  }
  return last.status;
}

std::uint64_t failureCount() noexcept { return lastFailure().count; }

static bool isErrorCode(spl_status status) {
  switch (static_cast<ErrorCode>(status)) {
#define SPL_ERROR_CODE(NAME, NUMBER, C_NAME, TEXT, MEANING) case ErrorCode::NAME:
#include "spl/ErrorCodes.def"
    return true;
  }
  return false;
}

void throwStatus(const char *who, spl_status status, std::uint64_t failuresBefore) {
  const LastFailure &last = lastFailure();
  if (last.count != failuresBefore && last.status == status)
    std::rethrow_exception(last.exception);
  throw Error(
      {.code = isErrorCode(status) ? static_cast<ErrorCode>(status) : ErrorCode::CallbackFailed,
       .message = std::string(who) + " returned status " + std::to_string(status) + ", " +
                  spl_status_name(status)});
}

} // namespace spl::capi

using namespace spl;
using namespace spl::capi;

extern "C" {

const char *spl_last_error(void) { return lastFailure().text; }

void spl_last_error_info(spl_error_info *info) {
  if (!info)
    return;
  const LastFailure &last = lastFailure();
  *info = {.status = last.status,
           .status_name = spl_status_name(last.status),
           .message = last.text,
           .call = "",
           .native_code = 0,
           .native_name = "",
           .context = "",
           .hint = "",
           .batch = -1,
           .stage = -1,
           .skipped = 0,
           .others = 0};
  if (const Error *error = last.error) {
    info->message = error->message().c_str();
    info->call = error->call().c_str();
    info->native_code = error->nativeCode();
    info->native_name = error->nativeName().c_str();
    info->context = error->context().c_str();
    info->hint = error->hint().c_str();
    info->skipped = error->skipped();
    info->others = error->others();
  }
  if (last.batchError) {
    info->batch = static_cast<std::int64_t>(last.batchError->batch());
    info->stage = static_cast<std::int32_t>(last.batchError->stage());
  }
}

int32_t spl_last_fault(spl_fault *fault) {
  const LastFailure &last = lastFailure();
  const Fault *known = last.error ? last.error->fault() : nullptr;
  if (!known)
    return 0;
  if (fault) {
    *fault = {.kind = static_cast<std::int32_t>(known->kind),
              .kind_name = toString(known->kind).data(),
              .file = known->file.c_str(),
              .line = known->line,
              .column = known->column,
              .value = known->value,
              .bound = known->bound,
              .subject = known->subject.c_str(),
              .work_item = {},
              .group = {},
              .is_value_unsigned = known->isValueUnsigned};
    std::copy(known->workItem.begin(), known->workItem.end(), fault->work_item);
    std::copy(known->group.begin(), known->group.end(), fault->group);
  }
  return 1;
}

const char *spl_status_name(spl_status status) {
  return status == SPL_OK ? "ok" : toString(static_cast<ErrorCode>(status)).data();
}

size_t spl_handle_count(void) { return countObjects(); }

} // extern "C"
