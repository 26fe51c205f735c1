// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// The exception of the runtime. An Error is a value: copying is cheap and never throws, and an
/// Error stays valid when it is moved from. Several threads may read an Error or its copies at
/// once.
#ifndef SPL_ERROR_H
#define SPL_ERROR_H

#include <spl/Cxx20.h>

#include <array>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace spl {

/// How a call failed (ErrorCodes.def).
enum class ErrorCode {
#define SPL_ERROR_CODE(NAME, NUMBER, C_NAME, TEXT) NAME = NUMBER,
#include "spl/ErrorCodes.def"
};

/// The name of \p code as users see it, such as "backend-unavailable".
std::string_view toString(ErrorCode code);

/// Which check in a kernel failed (FaultKinds.def).
enum class FaultKind : std::int32_t {
#define SPL_FAULT_KIND(NAME, NUMBER, TEXT, SENTENCE) NAME = NUMBER,
#include "spl/FaultKinds.def"
};

/// The name of \p kind as users see it, such as "index-out-of-bounds".
std::string_view toString(FaultKind kind);

/// A failed check in a kernel. If several work-items fail, it is unspecified which one is reported.
struct Fault {
  FaultKind kind = FaultKind::Trap;
  std::string file;
  std::int32_t line = 0;        ///< from 1; 0 if unknown
  std::int32_t column = 0;      ///< from 1; 0 if unknown
  std::int64_t value = 0;       ///< the index or the exponent, where the kind has one
  bool isValueUnsigned = false; ///< value is the bits of a u64
  std::int64_t bound = 0;       ///< the length, where the kind has one
  std::string subject;          ///< what was accessed, or an assertion's text; may be empty
  std::array<std::int64_t, 3> workItem{}; ///< global ids, x first
  std::array<std::int64_t, 3> group{};    ///< group ids, x first

  // The launch, x first; zeros if unknown.
  std::array<std::int64_t, 3> requested{}; ///< work-items, before they are rounded up to groups
  std::array<std::int64_t, 3> localSize{}; ///< work-items of a group

  /// The sentence alone: "index 277 is out of bounds for 'src' of length 277".
  std::string sentence() const;

  /// The sentence with its place: "file:line:col: error: SENTENCE [kind]".
  std::string diagnostic() const;

  /// Whether this work-item exists only because the launch was rounded up to whole groups.
  bool isBeyondLaunch() const;

  /// Who failed: "in work-item (277, 0, 0) of group (8, 0, 0)". For a work-item beyond the launch
  /// also why it runs: "; the launch of 277 work-items was rounded up to 288, 9 groups of 32".
  std::string inWorkItem() const;
};

/// The parts of an Error. Only code and message are always set.
struct ErrorInfo {
  ErrorCode code = ErrorCode::DriverError;
  std::string message = {};        ///< what is wrong, one sentence without a full stop
  std::string call = {};           ///< the function that failed, of the driver or the system
  std::int64_t native = 0;         ///< its result; meaningful if nativeName is not empty
  std::string nativeName = {};     ///< that result's own name, such as "CUDA_ERROR_NO_DEVICE"
  std::string context = {};        ///< where: the backend, the device, the kernel
  std::string hint = {};           ///< what to do about it
  std::optional<Fault> fault = {}; ///< of a KernelFault, when it is known where

  // Of an asynchronous error (Stream.h):
  std::uint64_t skipped = 0;      ///< operations that did not run because of it
  std::uint64_t others = 0;       ///< other errors that the same wait met
  std::exception_ptr origin = {}; ///< what the operation threw
};

/// Thrown by every call of the runtime that fails. what() is the message, followed by the failing
/// call with its native code, the context and the hint, if they are set. For a KernelFault with a
/// known place what() is Fault::diagnostic() and Fault::inWorkItem(): "k.spl:7:12: error: index 277
/// is out of bounds for 'src' of length 277 [index-out-of-bounds]; in work-item (277, 0, 0) of
/// group (8, 0, 0)". It ends with the numbers of skipped operations and of other errors, if there
/// are any: "; 2 operations behind it were skipped".
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

  /// How many operations were skipped because of this asynchronous error (Stream.h).
  std::uint64_t skipped() const noexcept { return parts->skipped; }
  /// How many other errors the same wait met. This was the first.
  std::uint64_t others() const noexcept { return parts->others; }
  /// The exception that the failed operation of a stream threw; null for an error that is not
  /// asynchronous. The same object for each Error of one operation.
  const std::exception_ptr &origin() const noexcept { return parts->origin; }

  /// All parts. Owned by this object.
  const ErrorInfo &info() const noexcept { return *parts; }

private:
  std::shared_ptr<const ErrorInfo> parts;
};

} // namespace spl

#endif
