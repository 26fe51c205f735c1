// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// NumPy's .npy files, versions 1.0 to 3.0, in C order, little-endian, with the types of the
// language. The lanes of a vector and the elements of an array are additional axes. A struct is a
// record with the same layout. bf16 is stored as uint16 and an enum as int32, because NumPy does
// not have these types. The error for other files says what the file contains and what was
// expected. Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
#pragma once

#include "cli/HostArray.h"
#include <string>

namespace spl::cli {

/// Reads the file. If it contains elements of the expected type, the array has that type. Otherwise
/// it has the scalar type of the file. Throws Failure (Failed) if the file cannot be read or is not
/// such a file.
HostArray readNpy(const std::string &path, const ElementType &expected);

/// Writes the file with writeFile, so that a failure does not change an existing file. Throws
/// Failure (Failed).
void writeNpy(const std::string &path, const HostArray &array);

} // namespace spl::cli
