// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzes cache entries: random bytes as a file, as the part that the digest covers, and as the
// record in it. A written entry must read back, and no read may exceed the bytes.
#include "jit/cache/Entry.h"
#include "jit/cache/Record.h"
#include "test/fuzz/Fuzz.h"

using namespace spl;

static void readAsFile(llvm::StringRef bytes) {
  if (std::optional<jit::Entry> entry = jit::Entry::read(bytes))
    fuzz::require(jit::Entry::write(entry->key, entry->payload) == bytes, "an entry reads back");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  readAsFile(bytes);
  readAsFile("splcache" + jit::digestOf(bytes) + bytes.str());
  const std::string written = jit::Entry::write(bytes, bytes);
  std::optional<jit::Entry> entry = jit::Entry::read(written);
  fuzz::require(entry && entry->key == bytes && entry->payload == bytes,
                "what is written reads back");
  jit::readRecord(bytes, {});
  return 0;
}
