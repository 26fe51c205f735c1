// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A temporary folder for one test.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace spl::test {

/// Creates an empty folder. The destructor removes it with its contents.
class TemporaryFolder {
public:
  TemporaryFolder() {
    std::string made = (std::filesystem::temp_directory_path() / "spl-test-XXXXXX").string();
    if (!mkdtemp(made.data()))
      throw std::runtime_error("cannot make " + made);
    folder = std::filesystem::canonical(made);
  }
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder, ignored);
  }
  TemporaryFolder(const TemporaryFolder &) = delete;
  TemporaryFolder &operator=(const TemporaryFolder &) = delete;

  /// The path of the folder, without symbolic links.
  const std::filesystem::path &path() const { return folder; }

private:
  std::filesystem::path folder;
};

} // namespace spl::test
