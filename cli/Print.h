// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints results as text: out = [6, 8, 10, 12], with nested brackets for each axis. The middle of a
// long axis is left out unless full is true.
#pragma once

#include "cli/HostArray.h"
#include <ostream>
#include <string>

namespace spl::cli {

void printArray(std::ostream &os, const std::string &name, const HostArray &array, bool full);

} // namespace spl::cli
