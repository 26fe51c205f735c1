// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/abi/CheckReport.h"

namespace spl::abi {

std::string CheckReport::str() const {
  std::string text = "checks: " + std::to_string(proved) + " proved, " + std::to_string(lifted) +
                     " lifted into the launch contract, " + std::to_string(left.size()) + " left\n";
  for (const LeftCheck &check : left) {
    text += "  ";
    if (check.line != 0)
      text +=
          check.file + ":" + std::to_string(check.line) + ":" + std::to_string(check.column) + ": ";
    text += check.check + ": " + check.reason + "\n";
  }
  return text;
}

} // namespace spl::abi
