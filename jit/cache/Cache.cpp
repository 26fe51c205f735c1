// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/cache/Cache.h"
#include "jit/cache/Entry.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdlib>

namespace spl::jit {

static constexpr llvm::StringLiteral extension = ".kernels";

static std::string nameOf(llvm::StringRef key) { return digestOf(key) + extension.str(); }

//===-- Settings --===//

static std::optional<uint64_t> parseSize(llvm::StringRef text) {
  const unsigned shift = text.consume_back("K")   ? 10
                         : text.consume_back("M") ? 20
                         : text.consume_back("G") ? 30
                                                  : 0;
  uint64_t number;
  if (text.getAsInteger(10, number) || number > UINT64_MAX >> shift)
    return std::nullopt;
  return number << shift;
}

llvm::Expected<Cache::Settings> Cache::Settings::ofEnvironment() {
  Settings settings;
  const llvm::StringRef use = std::getenv("SPL_CACHE"), size = std::getenv("SPL_CACHE_SIZE");
  if (!use.empty() && use != "on" && use != "off")
    return llvm::createStringError("SPL_CACHE is '" + use + "'; it is on or off");
  settings.isOn = use != "off";
  if (size.empty())
    return settings;
  std::optional<uint64_t> bytes = parseSize(size);
  if (!bytes)
    return llvm::createStringError("SPL_CACHE_SIZE is '" + size +
                                   "'; it is a number of bytes, also with K, M or G");
  settings.maxBytes = *bytes;
  return settings;
}

//===-- Entries --===//

llvm::Expected<Cache> Cache::open(const Settings &settings) {
  llvm::Expected<std::string> path = Folder::pathOfUser();
  if (!path)
    return path.takeError();
  llvm::Expected<Folder> folder = Folder::open(*path);
  if (!folder)
    return folder.takeError();
  return Cache(std::move(*folder), settings.maxBytes);
}

std::optional<std::string> Cache::find(llvm::StringRef key) const {
  const std::string name = nameOf(key);
  const std::optional<std::string> bytes = folder.read(name);
  const std::optional<Entry> entry = bytes ? Entry::read(*bytes) : std::nullopt;
  if (!entry || entry->key != key)
    return std::nullopt;
  folder.markUsed(name);
  return entry->payload.str();
}

llvm::Error Cache::store(llvm::StringRef key, llvm::StringRef payload) const {
  const std::string bytes = Entry::write(key, payload);
  if (bytes.size() > maxBytes)
    return llvm::Error::success(); // it would be the only entry, and the next one to be removed
  folder.removeAbandoned();
  const std::string name = nameOf(key);
  if (llvm::Error error = folder.write(name, bytes))
    return error;
  if (isDueAfter(name, bytes.size()))
    trim();
  return llvm::Error::success();
}

// Whether to measure all entries after this write. With thousands of files that takes as long as a
// compilation. Therefore it is done on average once per maxBytes / 64 bytes that are written. The
// name is a digest, so its first digits serve as a random number.
bool Cache::isDueAfter(llvm::StringRef name, uint64_t bytesWritten) const {
  uint64_t number = 0;
  name.take_front(16).getAsInteger(16, number);
  return number % std::max<uint64_t>(maxBytes / 64, 1) < bytesWritten;
}

static bool isEntry(const Folder::File &file) {
  return !file.isTemporary && llvm::StringRef(file.name).ends_with(extension);
}

std::vector<Folder::File> Cache::entries() const {
  std::vector<Folder::File> files = folder.list();
  llvm::erase_if(files, [](const Folder::File &file) { return !isEntry(file); });
  return files;
}

void Cache::trim() const {
  std::vector<Folder::File> entries;
  uint64_t total = 0;
  for (Folder::File &file : folder.list())
    if (isEntry(file)) {
      total += file.size;
      entries.push_back(std::move(file));
    }
  if (total <= maxBytes)
    return;
  // Removes an eighth of maxBytes more than necessary, so that not each new entry causes a removal.
  const uint64_t maxTotal = maxBytes - maxBytes / 8;
  llvm::sort(entries, [](const Folder::File &a, const Folder::File &b) {
    return std::tie(a.lastUse.tv_sec, a.lastUse.tv_nsec) <
           std::tie(b.lastUse.tv_sec, b.lastUse.tv_nsec);
  });
  for (const Folder::File &file : entries) {
    if (total <= maxTotal)
      return;
    folder.remove(file.name);
    total -= file.size;
  }
}

//===-- Statistics and maintenance --===//

Cache::Stats Cache::stats() const {
  Stats stats{.folder = folder.path(), .maxBytes = maxBytes};
  for (const Folder::File &file : entries()) {
    ++stats.entries;
    stats.bytes += file.size;
  }
  return stats;
}

std::vector<std::string> Cache::findDamaged() const {
  std::vector<std::string> damaged;
  for (const Folder::File &file : entries()) {
    const std::optional<std::string> bytes = folder.read(file.name);
    const std::optional<Entry> entry = bytes ? Entry::read(*bytes) : std::nullopt;
    const bool isSound = entry && nameOf(entry->key) == file.name;
    if (!isSound && folder.has(file.name)) // another process may have removed it
      damaged.push_back(folder.path() + "/" + file.name);
  }
  return damaged;
}

uint64_t Cache::clear() const {
  uint64_t removed = 0;
  for (const Folder::File &file : folder.list())
    if (isEntry(file) || file.isTemporary) {
      folder.remove(file.name);
      removed += isEntry(file);
    }
  return removed;
}

} // namespace spl::jit
