// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of a test's own.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <system_error>

namespace spl::test {

/// An empty folder, which goes with all that is in it when the object ends.
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

  /// Its path, without links.
  const std::filesystem::path &path() const { return folder; }

private:
  std::filesystem::path folder;
};

} // namespace spl::test
