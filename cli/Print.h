// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Results as text: out = [6, 8, 10, 12]. Nested brackets by axis; long axes are shortened in the
// middle unless everything is asked for.
#pragma once

#include "cli/HostArray.h"
#include <ostream>
#include <string>

namespace spl::cli {

void printArray(std::ostream &os, const std::string &name, const HostArray &array, bool full);

} // namespace spl::cli
