// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The cache on disk: payloads by key, one entry a file of the user's own folder. What it holds may
// be lost at any moment and is then stored again; whatever is odd about an entry, it is not there.
// May be used by several threads and processes at once.
#pragma once

#include "jit/cache/Folder.h"

namespace spl::jit {

class Cache {
public:
  /// What the environment says: SPL_CACHE, on (the default) or off, and SPL_CACHE_SIZE, how many
  /// bytes all entries may take, also with K, M or G. Fails for any other value.
  struct Settings {
    bool isOn = true;
    uint64_t maxBytes = uint64_t(512) << 20;

    static llvm::Expected<Settings> ofEnvironment();
  };

  /// Opens the user's folder. The error says why nothing can be cached.
  static llvm::Expected<Cache> open(const Settings &settings);

  /// The payload stored last under that key, byte for byte; it counts as used now.
  std::optional<std::string> find(llvm::StringRef key) const;

  /// Replaces what is stored under that key, after what killed processes left is removed. Then, now
  /// and again, it looks whether all entries take more than they may: those go that were not used
  /// for longest.
  /// An error loses nothing but time.
  llvm::Error store(llvm::StringRef key, llvm::StringRef payload) const;

  struct Stats {
    std::string folder;
    uint64_t entries = 0, bytes = 0, maxBytes = 0;
  };
  Stats stats() const;
  /// The paths of the entries that find takes for none.
  std::vector<std::string> findDamaged() const;
  /// Removes every entry, also those being written; returns how many there were.
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
