// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The source text of some random programs, in one file or in several.
#pragma once

#include "test/generator/Generator.h"

#include <memory>

namespace spl::random {

/// A folder with source files. The destructor removes it.
class Folder {
public:
  /// Throws std::system_error if there is none.
  Folder();
  ~Folder();
  Folder(const Folder &) = delete;
  Folder &operator=(const Folder &) = delete;

  void write(const std::string &name, const std::string &text) const;
  const std::string &path() const { return name; }

private:
  std::string name;
};

/// The text of programs that are compiled together. If one of them has another file, the prelude is
/// in a file too.
struct Text {
  explicit Text(const std::vector<generator::Program> &programs);
  /// The folders of the other files.
  std::vector<std::string> includes() const;

  std::string main;                    ///< the text that is compiled
  std::vector<std::string> instances;  ///< of its generic kernels
  std::shared_ptr<const Folder> files; ///< the files that it uses, or null
};

} // namespace spl::random
