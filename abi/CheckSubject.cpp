// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/abi/CheckSubject.h"

namespace spl::abi {

static constexpr std::string_view beforeAxis = "axis ", behindAxis = " of ";

/// Where the digit of the axis is in the subject of an axis. A slice has at most four axes.
static constexpr std::size_t digitAt = beforeAxis.size();

std::string axisSubject(std::int64_t axis, std::string_view slice) {
  return std::string(beforeAxis) + std::to_string(axis) + std::string(behindAxis) +
         std::string(slice);
}

std::optional<std::int64_t> axisOf(std::string_view subject) {
  if (!subject.starts_with(beforeAxis) || subject.size() <= digitAt ||
      subject.substr(digitAt + 1, behindAxis.size()) != behindAxis)
    return std::nullopt;
  return subject[digitAt] - '0';
}

std::string_view sliceOf(std::string_view subject) {
  return axisOf(subject) ? subject.substr(digitAt + 1 + behindAxis.size()) : subject;
}

std::string quotedSubject(std::string_view subject) {
  const std::string_view slice = sliceOf(subject);
  return std::string(subject.substr(0, subject.size() - slice.size())) + "'" + std::string(slice) +
         "'";
}

} // namespace spl::abi
