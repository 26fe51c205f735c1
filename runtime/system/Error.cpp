// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Error.h"

#include "runtime/system/Checks.h"
#include "spl/abi/CheckSubject.h"

namespace spl {

std::string_view toString(ErrorCode code) {
  switch (code) {
#define SPL_ERROR_CODE(NAME, NUMBER, C_NAME, TEXT, MEANING)                                        \
  case ErrorCode::NAME:                                                                            \
    return TEXT;
#include "spl/ErrorCodes.def"
  }
  return "unknown-error";
}

const char *const detail::noDynamicShared =
    "; the launch has no dynamic shared memory; give its size in bytes as LaunchConfig::shared, or "
    "with --shared of simple";

static std::string_view sentenceOf(FaultKind kind) {
  switch (kind) {
#define SPL_FAULT_KIND(NAME, NUMBER, TEXT, SENTENCE)                                               \
  case FaultKind::NAME:                                                                            \
    return SENTENCE;
#include "spl/FaultKinds.def"
  }
  return "a check of a kind unknown to this runtime failed{detail}";
}

std::string Fault::sentence() const {
  std::string result;
  for (std::string_view rest = sentenceOf(kind); !rest.empty();) {
    std::size_t open = rest.find('{');
    result += rest.substr(0, open);
    if (open == std::string_view::npos)
      break;
    std::size_t close = rest.find('}', open);
    std::string_view field = rest.substr(open + 1, close - open - 1);
    if (field == "value")
      result += isValueUnsigned ? std::to_string(static_cast<std::uint64_t>(value))
                                : std::to_string(value);
    else if (field == "bound")
      result += std::to_string(bound);
    else if (field == "subject")
      result += subject.empty() ? "a slice" : abi::quotedSubject(subject);
    else if (field == "detail")
      result += subject.empty() ? "" : ": " + subject;
    rest.remove_prefix(close + 1);
  }
  // The subject is "gpu.shared_dyn", or "NAME in gpu.shared_dyn" (mir/transforms/SelectChecks.cpp).
  if (kind == FaultKind::IndexOutOfBounds && bound == 0 && subject.ends_with("gpu.shared_dyn"))
    result += detail::noDynamicShared;
  return result;
}

std::string Fault::diagnostic() const {
  return file + ":" + std::to_string(line) + ":" + std::to_string(column) +
         ": error: " + sentence() + " [" + std::string(toString(kind)) + "]";
}

static std::string triple(const std::array<std::int64_t, 3> &ids) {
  return "(" + std::to_string(ids[0]) + ", " + std::to_string(ids[1]) + ", " +
         std::to_string(ids[2]) + ")";
}

bool Fault::isBeyondLaunch() const {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (localSize[axis] > 0 && workItem[axis] >= requested[axis])
      return true;
  return false;
}

/// "30 x 20" for {30, 20, 1}: the axes up to the last one that any of the sizes uses.
static std::string extents(const std::array<std::int64_t, 3> &sizes, std::size_t axes) {
  std::string text = std::to_string(sizes[0]);
  for (std::size_t axis = 1; axis < axes; ++axis)
    text += " x " + std::to_string(sizes[axis]);
  return text;
}

/// "; guard the access with an 'if' that compares its index with 'a.len()'" for an index that is
/// too large. Empty for other faults, and for a slice of one axis in a launch of several.
static std::string guardOf(const Fault &fault, std::size_t axes) {
  const bool isTooLarge = fault.kind == FaultKind::IndexOutOfBounds && fault.value >= fault.bound;
  const bool isName = !fault.subject.empty() && fault.subject.find('.') == std::string::npos;
  const std::optional<std::int64_t> axis = abi::axisOf(fault.subject);
  if ((axes != 1 && !axis) || !isTooLarge || !isName)
    return "";
  return "; guard the access with an 'if' that compares its index with '" +
         std::string(abi::sliceOf(fault.subject)) +
         (axis ? ".dim(" + std::to_string(*axis) + ")'" : ".len()'");
}

std::string Fault::inWorkItem() const {
  const std::string who = "in work-item " + triple(workItem) + " of group " + triple(group);
  if (!isBeyondLaunch())
    return who;
  std::array<std::int64_t, 3> groups{}, rounded{};
  std::size_t axes = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    groups[axis] = requested[axis] / localSize[axis] + (requested[axis] % localSize[axis] != 0);
    rounded[axis] = groups[axis] * localSize[axis];
    if (rounded[axis] > 1)
      axes = axis + 1;
  }
  const std::array<std::int64_t, 3> one{1, 1, 1};
  return who + "; the launch of " + extents(requested, axes) +
         (requested == one ? " work-item" : " work-items") + " was rounded up to " +
         extents(rounded, axes) + ", " + extents(groups, axes) +
         (groups == one ? " group of " : " groups of ") + extents(localSize, axes) +
         guardOf(*this, axes);
}

/// Returns the part of the text about skipped operations and other errors.
static std::string describeRest(const ErrorInfo &info) {
  std::string text;
  if (info.skipped)
    text += "; " + std::to_string(info.skipped) +
            (info.skipped == 1 ? " operation behind it was skipped"
                               : " operations behind it were skipped");
  if (info.others)
    text += "; " + std::to_string(info.others) +
            (info.others == 1 ? " other operation failed" : " other operations failed");
  return text;
}

static std::string describe(const ErrorInfo &info) {
  if (info.fault)
    return info.fault->diagnostic() + "; " + info.fault->inWorkItem();
  std::string text = info.message;
  if (!info.call.empty()) {
    text += " (" + info.call;
    if (!info.nativeName.empty())
      text += ": " + info.nativeName + ", " + std::to_string(info.native);
    text += ")";
  }
  if (!info.context.empty())
    text += "; " + info.context;
  if (!info.hint.empty())
    text += "; " + info.hint;
  return text;
}

Error::Error(ErrorInfo info)
    : std::runtime_error(describe(info) + describeRest(info)),
      parts(std::make_shared<const ErrorInfo>(std::move(info))) {}

} // namespace spl
