// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's .npy files, versions 1.0 to 3.0: C order, little-endian, the language's types. The lanes
// of a vector and the elements of an array are further axes, a struct is a record of the same
// layout, bf16 is uint16 and an enum int32, as NumPy has no such types. Anything else is refused by
// saying what the file holds and what was wanted. Format:
// https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include "cli/HostArray.h"
#include <string>

namespace spl::cli {

/// Reads the file, as elements of the wanted type where it holds those and else as the scalars that
/// it says; throws Failure (Failed) when it cannot be read or is not such a file.
HostArray readNpy(const std::string &path, const ElementType &wanted);

/// Writes the file anew through a temporary beside it, so that a failure leaves the old one whole.
/// Throws Failure (Failed).
void writeNpy(const std::string &path, const HostArray &array);

} // namespace spl::cli
