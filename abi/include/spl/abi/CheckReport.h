// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// What became of the checks of a kernel when it was compiled. The compiler makes it, for people
/// who want a faster kernel.
#ifndef SPL_ABI_CHECK_REPORT_H
#define SPL_ABI_CHECK_REPORT_H

#include <cstdint>
#include <string>
#include <vector>

namespace spl::abi {

/// A check that every launch of a kernel makes.
struct LeftCheck {
  std::string file;
  unsigned line = 0, column = 0; ///< in the source, from 1
  std::string check;             ///< what it finds: "index-out-of-bounds of 'a'"
  std::string reason;            ///< why it is neither proved nor lifted: "depends on memory: 'at'"
};

/// What became of the checks of a kernel.
struct CheckReport {
  std::string kernel;          ///< its name, of an instance "scale[f32]"
  std::int64_t proved = 0;     ///< checks that hold in every launch; none makes them
  std::int64_t lifted = 0;     ///< checks that only launches make that do not meet the contract
  std::vector<LeftCheck> left; ///< the other checks, in the order of the source

  /// A line with the numbers, and an indented line for each check that is left.
  std::string str() const;
};

} // namespace spl::abi

#endif
