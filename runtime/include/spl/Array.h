// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Device memory with an element type and a shape. A Buffer knows its element type at run time, an
/// Array<T> at compile time. Both are move-only and free their memory when they end; the memory
/// keeps its context's device open, so the order in which arrays and contexts end does not matter.
///
/// An object is used from one thread at a time. Transfers are complete when they return and see
/// every launch made before them. They throw InvalidArgument for a size that does not fit or an
/// array that was moved from or freed, and whatever a launch before them left as its error.
#ifndef SPL_ARRAY_H
#define SPL_ARRAY_H

#include <spl/ElementType.h>
#include <spl/Shape.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace spl {

class Context;

namespace detail {
class BackendContext;
}

/// Device memory whose element type is known at run time. Made by Context::allocBuffer.
class Buffer {
public:
  /// An array without memory, as one that was moved from.
  Buffer() = default;
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&other) noexcept;
  ~Buffer() { free(); }

  const ElementType &elementType() const { return element; }

  /// Extents in elements, outermost first (row-major).
  const Shape &shape() const { return extents; }

  /// All elements, and all bytes.
  std::int64_t size() const { return count; }
  std::size_t sizeBytes() const { return static_cast<std::size_t>(count) * element.size(); }

  /// Whether there is memory behind this object (an array of 0 elements counts as such).
  bool valid() const { return owner != nullptr; }

  /// The device's address of the first element; 0 if there are none. Only the device may use it.
  std::uint64_t address() const { return base; }

  /// The opened device the memory belongs to; null without memory. For the runtime itself.
  const detail::BackendContext *context() const { return owner.get(); }

  /// Gives the memory back now, after the launches that use it. The object is as moved from.
  void free() noexcept;

  /// Copies the whole array from or to host memory; \p bytes must be sizeBytes().
  void uploadBytes(const void *source, std::size_t bytes);
  void downloadBytes(void *target, std::size_t bytes) const;

  /// Sets every element to the value at \p element, which holds one of elementType().
  void fillBytes(const void *element);

protected:
  /// Throws InvalidArgument unless elements may be of the C++ type that \p expected stands for.
  void requireElement(const ElementType &expected) const;

private:
  friend class Context;

  /// Takes over \p address, which \p context gave for exactly this many elements.
  Buffer(std::shared_ptr<detail::BackendContext> context, std::uint64_t address,
         ElementType element, const Shape &shape, std::int64_t count);

  detail::BackendContext &usable(const char *call) const;

  std::shared_ptr<detail::BackendContext> owner;
  std::uint64_t base = 0;
  std::int64_t count = 0;
  Shape extents;
  ElementType element = ScalarType::F32;
};

/// Device memory of elements T. Made by Context::alloc, allocZeros and allocUpload.
template <DeviceElement T> class Array : public Buffer {
public:
  Array() = default;

  /// Takes over a buffer whose elements T stands for; throws InvalidArgument for any other.
  explicit Array(Buffer &&buffer) : Buffer(std::move(buffer)) {
    requireElement(elementTypeOf<T>());
  }

  /// Copies \p source, of exactly size() elements, to the device.
  void upload(std::span<const T> source) { uploadBytes(source.data(), source.size_bytes()); }
  void upload(std::initializer_list<T> source) { upload(std::span(source.begin(), source.size())); }

  /// Copies the array into \p target, of exactly size() elements.
  void download(std::span<T> target) const { downloadBytes(target.data(), target.size_bytes()); }

  /// A copy of the array, row-major.
  std::vector<T> download() const {
    if constexpr (std::same_as<T, bool>) {
      // A vector<bool> holds bits and has no data().
      auto bytes = std::make_unique<bool[]>(static_cast<std::size_t>(size()));
      download(std::span(bytes.get(), static_cast<std::size_t>(size())));
      return std::vector<bool>(bytes.get(), bytes.get() + size());
    } else {
      std::vector<T> result(static_cast<std::size_t>(size()));
      download(std::span(result));
      return result;
    }
  }

  /// Sets every element to \p value.
  void fill(const T &value) { fillBytes(&value); }
};

} // namespace spl

#endif
