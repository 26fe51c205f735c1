// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache on disk: a map from keys to payloads. Each entry is one file in a folder of the user.
// An entry may disappear at any moment. A damaged entry counts as missing. Several threads and
// processes may use the cache at once.
#pragma once

#include "jit/cache/Folder.h"

namespace spl::jit {

class Cache {
public:
  /// The environment variables SPL_CACHE, which is "on" (the default) or "off", and SPL_CACHE_SIZE,
  /// the maximum size of all entries in bytes, also with K, M or G. Fails for any other value.
  struct Settings {
    bool isOn = true;
    uint64_t maxBytes = uint64_t(512) << 20;

    static llvm::Expected<Settings> ofEnvironment();
  };

  /// Opens the user's folder. The error says why nothing can be cached.
  static llvm::Expected<Cache> open(const Settings &settings);

  /// The payload that was last stored under this key, or std::nullopt. Marks the entry as used now.
  std::optional<std::string> find(llvm::StringRef key) const;

  /// Stores the payload under this key, and replaces an older one. Does nothing if the entry is
  /// larger than maxBytes. Also removes the temporary files of processes that were killed. Some
  /// calls measure all entries; if they exceed maxBytes, these calls remove the least recently used
  /// ones. The caller may ignore an error: the kernel is then compiled again.
  llvm::Error store(llvm::StringRef key, llvm::StringRef payload) const;

  struct Stats {
    std::string folder;
    uint64_t entries = 0, bytes = 0, maxBytes = 0;
  };
  Stats stats() const;
  /// The paths of the damaged entries, which find ignores.
  std::vector<std::string> findDamaged() const;
  /// Removes all entries, and the files of entries that are being written. Returns the number of
  /// entries.
  uint64_t clear() const;

private:
  Cache(Folder folder, uint64_t maxBytes) : folder(std::move(folder)), maxBytes(maxBytes) {}
  std::vector<Folder::File> entries() const;
  bool isDueAfter(llvm::StringRef name, uint64_t bytesWritten) const;
  void trim() const;

  Folder folder;
  uint64_t maxBytes;
};

} // namespace spl::jit
