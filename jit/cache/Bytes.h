// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conversion of numbers and texts to bytes and back, for the keys and entries of the cache. A
// Reader accepts any bytes and never reads outside them. After the first bytes that do not match,
// it returns only zeros and empty texts.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Endian.h"
#include <string>
#include <vector>

namespace spl::jit {

class Writer {
public:
  void number(uint64_t value) {
    char bytes[8];
    llvm::support::endian::write64le(bytes, value);
    written.append(bytes, sizeof bytes);
  }
  void text(llvm::StringRef value) {
    number(value.size());
    written.append(value.data(), value.size());
  }
  void texts(const std::vector<std::string> &values) {
    number(values.size());
    for (const std::string &value : values)
      text(value);
  }

  std::string take() { return std::move(written); }

private:
  std::string written;
};

class Reader {
public:
  explicit Reader(llvm::StringRef bytes) : rest(bytes) {}

  uint64_t number() {
    if (rest.size() < 8)
      return fail(), 0;
    uint64_t value = llvm::support::endian::read64le(rest.data());
    rest = rest.drop_front(8);
    return value;
  }
  /// A reference into the bytes that the Reader was created with.
  llvm::StringRef text() {
    uint64_t size = number();
    if (size > rest.size())
      return fail(), llvm::StringRef();
    llvm::StringRef value = rest.take_front(size);
    rest = rest.drop_front(size);
    return value;
  }

  /// Whether all reads so far succeeded.
  bool isSound() const { return sound; }
  /// Whether all reads succeeded and no bytes are left.
  bool isDone() const { return sound && rest.empty(); }

private:
  void fail() {
    sound = false;
    rest = {};
  }

  llvm::StringRef rest;
  bool sound = true;
};

} // namespace spl::jit
