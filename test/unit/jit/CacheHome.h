// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A home for the cache that lives as long as an object of this class, and what a load did to it.
#pragma once

#include "test/unit/Environment.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

namespace spl::test {

inline std::string bytesOf(const std::filesystem::path &path) {
  std::ifstream stream(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void writeBytes(const std::filesystem::path &path, const std::string &bytes) {
  std::filesystem::create_directories(path.parent_path());
  std::ofstream(path, std::ios::binary | std::ios::trunc) << bytes;
}

class CacheHome {
public:
  CacheHome() {
    std::string made = (std::filesystem::temp_directory_path() / "spl-cache-XXXXXX").string();
    if (!mkdtemp(made.data()))
      throw std::runtime_error("cannot make " + made);
    root = made;
    home.emplace("XDG_CACHE_HOME", (root / "home").string());
  }
  ~CacheHome() {
    std::error_code ignored;
    std::filesystem::remove_all(root, ignored);
  }
  CacheHome(const CacheHome &) = delete;
  CacheHome &operator=(const CacheHome &) = delete;

  std::filesystem::path folder() const { return root / "home/spl"; }

  /// Every file in the folder, by name.
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> all;
    if (std::filesystem::is_directory(folder()))
      for (const auto &entry : std::filesystem::directory_iterator(folder()))
        all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
  }

  std::filesystem::path root; ///< for what else a test writes

private:
  Environment use{"SPL_CACHE", "on"}, size{"SPL_CACHE_SIZE", std::nullopt};
  std::optional<Environment> home;
};

} // namespace spl::test
