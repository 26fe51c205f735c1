// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the driver writes files: whole or not at all, so that a failure leaves the old one as it was.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace spl::cli {

/// Throws Failure (WrongUsage) when the file to write is the source itself, by whatever name.
void requireOther(const std::string &output, const std::string &source);

/// Writes the parts, one after the other, through a temporary beside the file, or beside what a
/// symbolic link leads to, there or not. A file that is replaced keeps its mode, and has to be
/// writable. What is no regular file (a device, a pipe) cannot be replaced and is written to as it
/// is. Throws Failure (Failed).
void writeFile(const std::string &path, std::initializer_list<std::string_view> parts);

} // namespace spl::cli
