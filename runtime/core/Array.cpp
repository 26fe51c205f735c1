// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Array.h"

#include "runtime/core/BackendContext.h"
#include "spl/Context.h"
#include "spl/Error.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

namespace spl {

/// The number of elements of \p shape, whose bytes fit the address space.
static std::int64_t countOf(const Shape &shape, const ElementType &element) {
  auto refuse = [&](const std::string &why) {
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "an array of " + element.str() + " cannot have the shape " +
                            (shape.rank() ? shape.str() : "()") + ": " + why});
  };
  if (shape.rank() == 0)
    refuse("it needs at least one extent");
  bool empty = false;
  for (std::int64_t extent : shape) {
    if (extent < 0)
      refuse("an extent is negative");
    empty |= extent == 0;
  }
  if (empty)
    return 0;
  std::int64_t count = 1, bytes = 0;
  bool overflow = false;
  for (std::int64_t extent : shape)
    overflow |= __builtin_mul_overflow(count, extent, &count);
  overflow |= __builtin_mul_overflow(count, static_cast<std::int64_t>(element.size()), &bytes);
  if (overflow)
    refuse("its size in bytes does not fit in 63 bits");
  return count;
}

Buffer Context::allocBuffer(const ElementType &element, const Shape &shape) const {
  detail::BackendContext &context = usable();
  std::int64_t count = countOf(shape, element);
  std::size_t bytes = static_cast<std::size_t>(count) * element.size();
  return Buffer(opened, bytes ? context.allocate(bytes) : 0, element, shape, count);
}

Buffer::Buffer(std::shared_ptr<detail::BackendContext> context, std::uint64_t address,
               ElementType element, const Shape &shape, std::int64_t count)
    : owner(std::move(context)), base(address), count(count), extents(shape),
      element(std::move(element)) {}

Buffer::Buffer(Buffer &&other) noexcept
    : owner(std::move(other.owner)), base(std::exchange(other.base, 0)),
      count(std::exchange(other.count, 0)), extents(std::exchange(other.extents, Shape())),
      element(other.element) {}

Buffer &Buffer::operator=(Buffer &&other) noexcept {
  if (this != &other) {
    free();
    owner = std::move(other.owner);
    base = std::exchange(other.base, 0);
    count = std::exchange(other.count, 0);
    extents = std::exchange(other.extents, Shape());
    element = other.element;
  }
  return *this;
}

void Buffer::free() noexcept {
  if (owner && base)
    owner->release(base);
  owner.reset();
  base = 0;
  count = 0;
  extents = Shape();
}

detail::BackendContext &Buffer::usable(const char *call) const {
  if (!owner)
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = std::string(call) + ": the array was moved from or freed"});
  return *owner;
}

void Buffer::requireElement(const ElementType &expected) const {
  if (!element.takes(expected))
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "a buffer of " + element.str() + " cannot become an array of " +
                            expected.str()});
}

/// A transfer moves a whole array, so that a short host buffer is an error and never an overrun.
static void requireBytes(const char *call, std::size_t wanted, std::size_t got) {
  if (wanted != got)
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = std::string(call) + ": the array has " + std::to_string(wanted) +
                            " bytes; the host memory has " + std::to_string(got)});
}

void Buffer::uploadBytes(const void *source, std::size_t bytes) {
  detail::BackendContext &context = usable("upload");
  requireBytes("upload", sizeBytes(), bytes);
  if (bytes)
    context.upload(base, source, bytes);
}

void Buffer::downloadBytes(void *target, std::size_t bytes) const {
  detail::BackendContext &context = usable("download");
  requireBytes("download", sizeBytes(), bytes);
  if (bytes)
    context.download(target, base, bytes);
}

void Buffer::fillBytes(const void *value) {
  detail::BackendContext &context = usable("fill");
  const std::size_t size = element.size(), bytes = sizeBytes();
  if (bytes == 0)
    return;
  if (size <= sizeof(std::uint64_t) && std::has_single_bit(size))
    return context.fill(base, value, size, static_cast<std::size_t>(count));
  const auto *first = static_cast<const std::byte *>(value);
  if (std::all_of(first, first + size, [&](std::byte byte) { return byte == *first; }))
    return context.fill(base, value, 1, bytes);
  std::vector<std::byte> all(bytes); // no device fills elements of other sizes
  for (std::size_t at = 0; at < bytes; at += size)
    std::memcpy(all.data() + at, value, size);
  context.upload(base, all.data(), bytes);
}

} // namespace spl
