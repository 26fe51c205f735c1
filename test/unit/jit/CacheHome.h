// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Temporary homes of the cache: a folder that lives as long as its object, and a small disk.
#pragma once

#include "test/unit/Environment.h"
#include "test/unit/TemporaryFolder.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <sys/mount.h>
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
  CacheHome() { home.emplace("XDG_CACHE_HOME", (root / "home").string()); }
  CacheHome(const CacheHome &) = delete;
  CacheHome &operator=(const CacheHome &) = delete;

  std::filesystem::path folder() const { return root / "home/spl"; }

  /// Every file in the folder, sorted by name.
  std::vector<std::filesystem::path> files() const {
    std::vector<std::filesystem::path> all;
    if (std::filesystem::is_directory(folder()))
      for (const auto &entry : std::filesystem::directory_iterator(folder()))
        all.push_back(entry.path());
    std::sort(all.begin(), all.end());
    return all;
  }

private:
  TemporaryFolder whole;

public:
  const std::filesystem::path root = whole.path(); ///< for other files of a test

private:
  Environment use{"SPL_CACHE", "on"}, size{"SPL_CACHE_SIZE", std::nullopt};
  std::optional<Environment> home;
};

/// A disk of 64 KiB in the cache's home. It exists only if this user may mount one.
class SmallDisk {
public:
  explicit SmallDisk(const CacheHome &home) : path(home.root / "home") {
    std::filesystem::create_directories(path);
    isMounted = mount("none", path.c_str(), "tmpfs", 0, "size=64k") == 0;
  }
  ~SmallDisk() {
    if (isMounted)
      umount2(path.c_str(), MNT_DETACH);
  }
  SmallDisk(const SmallDisk &) = delete;
  SmallDisk &operator=(const SmallDisk &) = delete;

  bool makeReadOnly() const {
    return mount("none", path.c_str(), "tmpfs", MS_REMOUNT | MS_RDONLY, "size=64k") == 0;
  }

  const std::filesystem::path path;
  bool isMounted;
};

} // namespace spl::test
