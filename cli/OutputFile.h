// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes files atomically, so that a failure does not change an existing file.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace spl::cli {

/// Throws Failure (WrongUsage) if the output is the source file, also by another name.
void requireOther(const std::string &output, const std::string &source);

/// Writes the parts, one after the other, to a temporary file in the same folder, and renames it.
/// If the path is a symbolic link, replaces the file that the link points to, which need not exist.
/// A file that is replaced must be writable and keeps its mode. Writes directly to a file that is
/// not regular, such as a device or a pipe. Throws Failure (Failed).
void writeFile(const std::string &path, std::initializer_list<std::string_view> parts);

} // namespace spl::cli
