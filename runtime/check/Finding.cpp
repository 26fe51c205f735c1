// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Finding.h"

namespace spl {

static std::string triple(const std::array<std::int64_t, 3> &ids) {
  return "(" + std::to_string(ids[0]) + ", " + std::to_string(ids[1]) + ", " +
         std::to_string(ids[2]) + ")";
}

static std::string placeText(const std::string &file, std::int32_t line, std::int32_t column) {
  return file + ":" + std::to_string(line) + ":" + std::to_string(column);
}

std::string FindingCall::where() const { return placeText(file, line, column); }

std::string FindingPlace::where() const { return placeText(file, line, column); }

std::string FindingPlace::sentence() const {
  return "work-item " + triple(workItem) + " of group " + triple(group) + " " + note;
}

std::string Finding::diagnostic() const {
  return places.front().where() + ": error: " + message + " [" + name + "]";
}

} // namespace spl
