// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/cache/Entry.h"
#include "jit/cache/Bytes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/xxhash.h"

namespace spl::jit {

static constexpr llvm::StringLiteral magic = "splcache";
/// The version of the layout of entries and of their payloads.
static constexpr uint64_t version = 1;
static constexpr size_t digestSize = 32;

std::string digestOf(llvm::StringRef bytes) {
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(bytes));
  return llvm::utohexstr(hash.high64, /*LowerCase=*/true, /*Width=*/16) +
         llvm::utohexstr(hash.low64, /*LowerCase=*/true, /*Width=*/16);
}

std::string Entry::write(llvm::StringRef key, llvm::StringRef payload) {
  Writer body;
  body.number(version);
  body.text(key);
  body.text(payload);
  std::string bytes = body.take();
  return magic.str() + digestOf(bytes) + bytes;
}

std::optional<Entry> Entry::read(llvm::StringRef bytes) {
  if (!bytes.consume_front(magic) || bytes.size() < digestSize)
    return std::nullopt;
  llvm::StringRef digest = bytes.take_front(digestSize), body = bytes.drop_front(digestSize);
  if (digestOf(body) != digest)
    return std::nullopt;
  Reader reader(body);
  if (reader.number() != version)
    return std::nullopt;
  Entry entry{reader.text(), reader.text()};
  if (!reader.isDone())
    return std::nullopt;
  return entry;
}

} // namespace spl::jit
