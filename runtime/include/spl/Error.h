// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The exception of the runtime. An Error is a value: copying is cheap and never throws, and an
/// Error stays valid when it is moved from. Several threads may read an Error or its copies at
/// once.
#ifndef SPL_ERROR_H
#define SPL_ERROR_H

#include <spl/Cxx20.h>

#include <spl/Finding.h>
#include <spl/abi/FaultKind.h>

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace spl {

/// How a call failed (ErrorCodes.def).
enum class ErrorCode {
#define SPL_ERROR_CODE(NAME, NUMBER, C_NAME, TEXT, MEANING) NAME = NUMBER,
#include "spl/ErrorCodes.def"
};

/// The name of \p code as users see it, such as "backend-unavailable".
std::string_view toString(ErrorCode code);

/// A failed check in a kernel. If several work-items fail, it is unspecified which one is reported.
struct Fault {
  FaultKind kind = FaultKind::Trap;
  std::string file;
  std::int32_t line = 0;        ///< from 1; 0 if unknown
  std::int32_t column = 0;      ///< from 1; 0 if unknown
  std::int64_t value = 0;       ///< the index or the exponent, if the kind has one
  bool isValueUnsigned = false; ///< value has the bits of a u64
  std::int64_t bound = 0;       ///< the length, if the kind has one
  std::string subject;          ///< "a", "axis 1 of a", or an assertion's text; may be empty
  std::array<std::int64_t, 3> workItem{}; ///< global ids, x first
  std::array<std::int64_t, 3> group{};    ///< group ids, x first

  // The launch, x first; zeros if unknown.
  std::array<std::int64_t, 3> requested{}; ///< work-items, before they are rounded up to groups
  std::array<std::int64_t, 3> localSize{}; ///< work-items of a group

  /// The sentence alone: "index 277 is out of bounds for 'src' of length 277".
  std::string sentence() const;

  /// The sentence with its source location: "file:line:col: error: SENTENCE [kind]".
  std::string diagnostic() const;

  /// Whether this work-item exists only because the launch was rounded up to whole groups.
  bool isBeyondLaunch() const;

  /// The work-item whose check failed: "in work-item (277, 0, 0) of group (8, 0, 0)". For a
  /// work-item beyond the launch, the text also says why it runs, and how to guard an index: "; the
  /// launch of 277 work-items was rounded up to 288, 9 groups of 32; guard the access with an 'if'
  /// that compares its index with 'src.len()'".
  std::string inWorkItem() const;
};

/// The parts of an Error. Only code and message are always set.
struct ErrorInfo {
  ErrorCode code = ErrorCode::DriverError;
  std::string message = {}; ///< the error in one sentence without a full stop
  std::string call = {};    ///< the failed function of the driver or the system
  std::int64_t native = 0;  ///< the result of that function; meaningful if nativeName is not empty
  std::string nativeName = {};        ///< the name of that result, such as "CUDA_ERROR_NO_DEVICE"
  std::string context = {};           ///< the backend, the device, the kernel
  std::string hint = {};              ///< how to correct the error
  std::optional<Fault> fault = {};    ///< of a KernelFault, if its source location is known
  std::vector<Finding> findings = {}; ///< of a checked launch; never empty for CheckFailed

  // These are set in an asynchronous error (Stream.h).
  std::uint64_t skipped = 0;      ///< operations that did not run because of it
  std::uint64_t others = 0;       ///< other errors of the work that the same call waited for
  std::exception_ptr origin = {}; ///< the exception that the operation threw
};

/// Thrown by every call of the runtime that fails. what() is the message, then the failed function
/// with its native code, the context and the hint, as far as they are set.
///
/// For a KernelFault with a known source location, what() is Fault::diagnostic() and
/// Fault::inWorkItem() instead: "k.spl:7:12: error: index 277 is out of bounds for 'src' of length
/// 277 [index-out-of-bounds]; in work-item (277, 0, 0) of group (8, 0, 0)".
///
/// In both cases the numbers of skipped operations and of other errors follow, if they are not 0:
/// "; 2 operations behind it were skipped".
class Error : public std::runtime_error {
public:
  explicit Error(ErrorInfo info);
  Error(const Error &) noexcept = default;
  Error &operator=(const Error &) noexcept = default;

  ErrorCode code() const noexcept { return parts->code; }
  const std::string &message() const noexcept { return parts->message; }
  const std::string &call() const noexcept { return parts->call; }
  std::int64_t nativeCode() const noexcept { return parts->native; }
  const std::string &nativeName() const noexcept { return parts->nativeName; }
  const std::string &context() const noexcept { return parts->context; }
  const std::string &hint() const noexcept { return parts->hint; }

  /// The failed check of a KernelFault, or null. Owned by this object.
  const Fault *fault() const noexcept { return parts->fault ? &*parts->fault : nullptr; }

  /// What a checked launch found; empty unless the code is CheckFailed, or KernelFault of such a
  /// launch. Owned by this object.
  const std::vector<Finding> &findings() const noexcept { return parts->findings; }

  /// The number of operations that were skipped because of this asynchronous error (Stream.h).
  std::uint64_t skipped() const noexcept { return parts->skipped; }
  /// The number of other errors of the work that the same call waited for. This error was the
  /// first.
  std::uint64_t others() const noexcept { return parts->others; }
  /// The exception that the failed operation of a stream threw. Null for an error that is not
  /// asynchronous. All Errors of one operation have the same object.
  const std::exception_ptr &origin() const noexcept { return parts->origin; }

  /// All parts. Owned by this object.
  const ErrorInfo &info() const noexcept { return *parts; }

private:
  std::shared_ptr<const ErrorInfo> parts;
};

} // namespace spl

#endif
