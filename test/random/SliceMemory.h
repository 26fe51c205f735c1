// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Memory for the slices of a launch, with bytes beside them that no kernel may change.
#pragma once

#include "test/random/GuardedMemory.h"

#include <spl/spl.h>

#include <array>
#include <memory>
#include <span>
#include <vector>

namespace spl::random {

/// The memory of one launch after the other, by the number of the parameter.
class SliceMemory {
public:
  virtual ~SliceMemory() = default;
  /// Returns the address of a copy of the bytes. With \p isAtEnd, memory that must not be accessed
  /// follows directly, where the machine can do that.
  virtual std::uint64_t place(std::size_t parameter, std::span<const std::byte> bytes,
                              bool isAtEnd) = 0;
  /// Copies the bytes back. Returns whether those beside them are as before.
  virtual bool read(std::size_t parameter, std::span<std::byte> bytes) = 0;
};

/// Between pages that nobody may access.
class HostMemory : public SliceMemory {
public:
  std::uint64_t place(std::size_t parameter, std::span<const std::byte> bytes,
                      bool isAtEnd) override {
    unsigned char *at = all.at(parameter).place(bytes.size(), isAtEnd);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte *>(at));
    return reinterpret_cast<std::uint64_t>(at);
  }
  bool read(std::size_t parameter, std::span<std::byte> bytes) override {
    const auto *at = reinterpret_cast<const std::byte *>(all.at(parameter).bytes());
    std::copy(at, at + bytes.size(), bytes.begin());
    return all.at(parameter).isIntact();
  }

private:
  std::array<GuardedMemory, 20> all;
};

/// In memory of a device, between bytes of a fixed value.
class DeviceMemory : public SliceMemory {
public:
  explicit DeviceMemory(const Context &context) : context(context) {}

  std::uint64_t place(std::size_t parameter, std::span<const std::byte> bytes, bool) override {
    std::vector<std::uint8_t> padded(bytes.size() + 2 * margin, filling);
    std::copy(bytes.begin(), bytes.end(), reinterpret_cast<std::byte *>(padded.data()) + margin);
    Array<std::uint8_t> &array = all.at(parameter);
    array = context.allocUpload<std::uint8_t>(padded);
    return array.address() + margin;
  }
  bool read(std::size_t parameter, std::span<std::byte> bytes) override {
    const std::vector<std::uint8_t> padded = all.at(parameter).download();
    const auto first = padded.begin() + margin;
    const auto last = first + static_cast<std::ptrdiff_t>(bytes.size());
    std::copy(first, last, reinterpret_cast<std::uint8_t *>(bytes.data()));
    auto isFilling = [](std::uint8_t byte) { return byte == filling; };
    return std::all_of(padded.begin(), first, isFilling) &&
           std::all_of(last, padded.end(), isFilling);
  }

private:
  static constexpr std::uint8_t filling = 0xa5;
  static constexpr std::ptrdiff_t margin = 256; ///< keeps the alignment of the allocation
  const Context &context;
  std::array<Array<std::uint8_t>, 20> all;
};

} // namespace spl::random
