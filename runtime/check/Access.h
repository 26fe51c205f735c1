// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One access of a checked launch.
#ifndef SPL_RUNTIME_CHECK_ACCESS_H
#define SPL_RUNTIME_CHECK_ACCESS_H

#include <cstdint>

namespace spl::detail {

/// Who accessed, when and where. Times count from 1 within a group: a work-item's time rises
/// wherever others may learn of what it did.
struct Access {
  static constexpr std::uint32_t nobody = 0xffffffff;

  std::uint32_t item = nobody; ///< the work-item, counted over the launch
  std::uint32_t time = 0;
  std::uint32_t site = 0; ///< the number of the site in the code

  bool isNone() const { return item == nobody; }
  bool isBySameItemAndTime(const Access &other) const {
    return item == other.item && time == other.time;
  }
};

} // namespace spl::detail

#endif
