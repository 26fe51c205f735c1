// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes files atomically, so that a failure does not change an existing file.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spl::driver {
class Compilation;
}

namespace spl::cli {

/// A file that a command reads.
struct InputFile {
  std::string path;
  std::string what;  ///< for a message, such as "the source itself"
  std::string array; ///< the array that is read from it, which may be saved to it; may be empty
};

/// A file that a command writes.
struct OutputFile {
  std::string path;
  std::string array; ///< that is saved to it; may be empty
};

/// The source of a compilation, and the files that it uses.
std::vector<InputFile> inputsOf(const driver::Compilation &compilation);

/// Throws Failure (WrongUsage) if an output is an input, or if two outputs are the same file, also
/// by another name. Called before the command does anything, so that nothing is lost.
void requireOther(std::span<const OutputFile> outputs, std::span<const InputFile> inputs);

/// Writes the parts, one after the other, to a temporary file in the same folder, and renames it.
/// If the path is a symbolic link, replaces the file that the link points to, which need not exist.
/// A file that is replaced must be writable and keeps its mode. Writes directly to a file that is
/// not regular, such as a device or a pipe. Throws Failure (Failed).
void writeFile(const std::string &path, std::initializer_list<std::string_view> parts);

} // namespace spl::cli
