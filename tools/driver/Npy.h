// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's .npy files, versions 1.0 to 3.0: C order, little-endian, the language's scalar types.
// Anything else is refused by saying what the file holds and what was wanted. Format:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include "tools/driver/HostArray.h"
#include <string>

namespace spl::driver {

/// Reads the file; throws Failure (Failed) when it cannot be read or is not such a file.
HostArray readNpy(const std::string &path);

/// Writes the file anew through a temporary beside it, so that a failure leaves the old one whole.
/// Throws Failure (Failed).
void writeNpy(const std::string &path, const HostArray &array);

} // namespace spl::driver
