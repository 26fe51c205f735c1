// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the bytes of a cache entry: a written entry reads back, and changed bytes are rejected.
// Random bytes of a record, which the digest covers, never cause a read beyond its end.
#include "jit/cache/Bytes.h"
#include "jit/cache/Entry.h"
#include "jit/cache/Record.h"
#include "spl/abi/SignatureText.h"

#include <gtest/gtest.h>

using namespace spl;
using namespace spl::jit;

namespace {

const std::string key = std::string("a key\0with all of it", 20),
                  payload = "the payload, 31 bytes of it...\n";
const std::string bytes = Entry::write(key, payload);

} // namespace

TEST(CacheEntry, ReadsBackWhatWasWritten) {
  for (const auto &[key, payload] : std::vector<std::pair<std::string, std::string>>{
           {::key, ::payload}, {"", ""}, {"k", ""}, {"", "p"}, {std::string(70001, 'x'), "p"}}) {
    const std::string bytes = Entry::write(key, payload);
    const std::optional<Entry> entry = Entry::read(bytes);
    ASSERT_TRUE(entry);
    EXPECT_EQ(entry->key, key);
    EXPECT_EQ(entry->payload, payload);
  }
}

TEST(CacheEntry, NoneOfEveryOtherLength) {
  for (std::size_t length = 0; length != bytes.size(); ++length)
    EXPECT_FALSE(Entry::read(bytes.substr(0, length))) << length;
  for (const std::string &more : {std::string(1, '\0'), std::string("x"), bytes})
    EXPECT_FALSE(Entry::read(bytes + more));
  for (std::size_t start = 1; start != bytes.size(); ++start)
    EXPECT_FALSE(Entry::read(bytes.substr(start))) << start;
}

TEST(CacheEntry, NoneWithAnyByteChanged) {
  for (std::size_t at = 0; at != bytes.size(); ++at)
    for (int change = 1; change != 256; ++change) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(changed[at] ^ change);
      ASSERT_FALSE(Entry::read(changed)) << at << " ^ " << change;
    }
}

// Bytes with the right digest that are not an entry.
TEST(CacheEntry, NoneOfAnotherLayout) {
  const auto withBody = [](std::string body) { return "splcache" + digestOf(body) + body; };
  const std::string body = bytes.substr(8 + 32);
  ASSERT_TRUE(Entry::read(withBody(body)));
  EXPECT_FALSE(Entry::read(withBody("")));
  std::string otherVersion = body;
  otherVersion[0] = static_cast<char>(otherVersion[0] + 1);
  EXPECT_FALSE(Entry::read(withBody(otherVersion)));
  EXPECT_FALSE(Entry::read(withBody(body + "x")));
  for (std::size_t length = 0; length != body.size(); ++length)
    EXPECT_FALSE(Entry::read(withBody(body.substr(0, length)))) << length;
  std::string hugeKey = body;
  hugeKey.replace(8, 8, std::string(8, '\xff'));
  EXPECT_FALSE(Entry::read(withBody(hugeKey)));
}

TEST(CacheEntry, DigestsAreThoseOfXxh3) {
  // From the reference implementation: xxhsum -H2.
  EXPECT_EQ(digestOf(""), "99aa06d3014798d86001c324468d497f");
  EXPECT_NE(digestOf("a"), digestOf("b"));
}

TEST(CacheBytes, NothingIsReadOutside) {
  Writer writer;
  writer.number(7);
  writer.text("text");
  const std::string written = writer.take();
  Reader reader(written);
  EXPECT_EQ(reader.number(), 7u);
  EXPECT_FALSE(reader.isDone());
  EXPECT_EQ(reader.text(), "text");
  EXPECT_TRUE(reader.isDone());
  EXPECT_EQ(reader.number(), 0u);
  EXPECT_FALSE(reader.isSound());
  Reader cut(llvm::StringRef(written).drop_back());
  EXPECT_EQ(cut.number(), 7u);
  EXPECT_EQ(cut.text(), "");
  EXPECT_FALSE(cut.isSound());
}

TEST(CacheRecord, ReadsBackAndStaysWithinItsBytes) {
  driver::CompileOptions options;
  options.codegen.target = llvm::cantFail(spl::codegen::TargetSpec::parse("sm_75"));
  driver::Compilation compilation(options);
  compilation.setText("text", "#[gpu]\nfn one(a: &mut [i32]):\n    a[0] = 1\n"
                              "#[gpu]\nfn two(a: &mut [i32]):\n    a[0] = 2\n");
  llvm::SmallVector<char, 0> mir;
  ASSERT_TRUE(compilation.emit("mir", mir));
  const std::string record = writeRecord(compilation.files(), {compilation.kernels(), "the code"});
  const std::optional<driver::Compiled> compiled = readRecord(record, {});
  ASSERT_TRUE(compiled);
  EXPECT_EQ(compiled->code, "the code");
  ASSERT_EQ(compiled->kernels.size(), 2u);
  EXPECT_EQ(compiled->kernels[1].name, "two");
  EXPECT_EQ(writeSignature(compiled->kernels[1].signature), "two(a: &mut [i32])");

  for (std::size_t length = 0; length != record.size(); ++length)
    EXPECT_FALSE(readRecord(std::string(record, 0, length), {})) << length;
  EXPECT_FALSE(readRecord(record + "x", {}));
  for (std::size_t at = 0; at != record.size(); ++at)
    for (int change : {0x01, 0x80, 0xff}) {
      std::string changed = record;
      changed[at] = static_cast<char>(changed[at] ^ change);
      const std::optional<driver::Compiled> other = readRecord(changed, {});
      EXPECT_TRUE(!other || other->kernels.size() == 2) << at;
    }
}
