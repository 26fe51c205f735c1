// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Device memory with an element type and a shape. A Buffer knows its element type at run time, an
/// Array<T> at compile time. Both are move-only.
///
/// - Ownership: an array and its views share the memory, and the last of them frees it. The memory
///   keeps its context's device open, so arrays and contexts may be destroyed in any order.
/// - Threads: only one thread at a time may use an object. Several threads may use the same memory,
///   each through its own view, if no work writes elements that other work uses.
/// - Transfers without a stream are complete when they return. They wait for the work of all
///   streams that use the array, and for the default stream.
/// - Transfers with a stream return before they are complete. The host memory must not change until
///   the stream's work is done. On CUDA, a transfer from or to host memory that is not pinned
///   returns only when it is complete.
/// - Errors: transfers throw InvalidArgument if the sizes do not match, or if the array was moved
///   from or freed. A transfer that waits for work also throws the asynchronous error of that work
///   (Stream.h).
#ifndef SPL_ARRAY_H
#define SPL_ARRAY_H

#include <spl/Cxx20.h>

#include <spl/ElementType.h>
#include <spl/Shape.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <utility>
#include <vector>

struct DLManagedTensor;

namespace spl {

class Context;
class MemoryPool;
class Stream;

namespace detail {
class Allocation;
class BackendContext;
} // namespace detail

/// Device memory whose element type is known at run time. Made by Context::allocBuffer.
class Buffer {
public:
  /// Makes an array without memory; valid() is false.
  Buffer() = default;
  Buffer(Buffer &&other) noexcept;
  Buffer &operator=(Buffer &&other) noexcept;
  ~Buffer() { free(); }

  /// Makes an array in memory of another owner, without a copy. The device of \p context must be
  /// able to use the memory at \p address. \p release is called once, when the array and its views
  /// are destroyed and the work of their streams is done. The memory must stay valid until then.
  static Buffer borrow(const Context &context, std::uint64_t address, const ElementType &element,
                       const Shape &shape, std::function<void()> release = {});

  /// Makes an array of another library's tensor (dlpack.h) without a copy. Takes ownership of \p
  /// tensor and calls its deleter once, unless this function throws. Throws InvalidArgument if the
  /// tensor is on another device, has more than 4 axes, has an element type that the language
  /// lacks, or is not row-major.
  static Buffer fromDLPack(const Context &context, DLManagedTensor *tensor);

  /// Makes a tensor for another library. The tensor shares the array's memory, and the other
  /// library must call its deleter. Waits for the work that uses the array. Throws InvalidArgument
  /// for an element type that DLPack lacks.
  DLManagedTensor *toDLPack() const;

  const ElementType &elementType() const { return element; }

  /// Extents in elements, outermost first (row-major).
  const Shape &shape() const { return extents; }

  /// The number of elements, and of bytes.
  std::int64_t size() const { return count; }
  std::size_t sizeBytes() const { return static_cast<std::size_t>(count) * element.size(); }

  /// Returns false if the array has no memory because it was default-constructed, moved from or
  /// freed. An array with 0 elements is valid.
  bool valid() const { return owner != nullptr; }

  /// Returns true if kernels may read the array but not write it, as for a view of a const array.
  bool isReadOnly() const { return readOnly; }

  /// The device address of the first element; 0 if there is none. Only the device may use it.
  std::uint64_t address() const { return base; }

  /// Returns whether hostData() may be called. True for unified and pinned memory on every backend.
  bool isHostAccessible() const;

  /// The host's address of the elements. The host may use the elements while no work uses them.
  /// Throws InvalidArgument if isHostAccessible() is false.
  void *hostData() const;

  /// The context and the memory; null if the array has none. Only for use by the runtime.
  const detail::BackendContext *context() const { return owner.get(); }
  const std::shared_ptr<detail::Allocation> &allocation() const { return memory; }

  /// Frees the memory now, unless other arrays share it. On CUDA this waits for the device, except
  /// for memory of a pool. Afterwards valid() is false.
  void free() noexcept;

  /// A view of \p extent rows along the first axis, from row \p begin. It shares the memory. Throws
  /// InvalidArgument if the rows exceed the array.
  Buffer view(std::int64_t begin, std::int64_t extent);
  Buffer view(std::int64_t begin, std::int64_t extent) const;

  /// A view of the same elements with another row-major shape. It shares the memory. Throws
  /// InvalidArgument if the number of elements differs.
  Buffer reshape(const Shape &shape);
  Buffer reshape(const Shape &shape) const;

  /// Copies the whole array from or to host memory. \p bytes must be sizeBytes().
  void uploadBytes(const void *source, std::size_t bytes);
  void downloadBytes(void *target, std::size_t bytes) const;
  void uploadBytesAsync(const void *source, std::size_t bytes, const Stream &stream);
  void downloadBytesAsync(void *target, std::size_t bytes, const Stream &stream) const;

  /// Sets every element to the value at \p element, of type elementType(). Devices can fill
  /// elements of 1, 2, 4 and 8 bytes, and values whose bytes are all equal. For other values
  /// fillBytes uploads an array of copies, and fillBytesAsync throws InvalidArgument.
  void fillBytes(const void *element);
  void fillBytesAsync(const void *element, const Stream &stream);

  /// Copies the whole array into \p target, an array of the same context, element type and size. To
  /// copy a part, copy a view: a.view(0, 8).copyTo(b.view(4, 8)).
  void copyTo(Buffer &target) const;
  void copyTo(Buffer &&target) const { copyTo(target); }
  void copyToAsync(Buffer &target, const Stream &stream) const;
  void copyToAsync(Buffer &&target, const Stream &stream) const { copyToAsync(target, stream); }

  /// Copies the whole array into an array of another context. Copies from device to device if the
  /// hardware can, else through the host. copyToPeerAsync runs in a stream of this array's context,
  /// and requires that both contexts are of the same backend.
  void copyToPeer(Buffer &target) const;
  void copyToPeer(Buffer &&target) const { copyToPeer(target); }
  void copyToPeerAsync(Buffer &target, const Stream &stream) const;
  void copyToPeerAsync(Buffer &&target, const Stream &stream) const {
    copyToPeerAsync(target, stream);
  }

protected:
  /// Throws InvalidArgument unless the elements may be accessed as values of type \p expected.
  void requireElement(const ElementType &expected) const;

private:
  friend class Context;
  friend class MemoryPool;

  /// \p memory is null if the array has no elements.
  Buffer(std::shared_ptr<detail::BackendContext> context,
         std::shared_ptr<detail::Allocation> memory, ElementType element, const Shape &shape,
         std::int64_t count);

  /// Throws InvalidArgument for an array that was moved from or freed.
  void requireUsable(const char *call) const;

  std::shared_ptr<detail::BackendContext> owner;
  std::shared_ptr<detail::Allocation> memory;
  std::uint64_t base = 0;
  std::int64_t count = 0;
  Shape extents;
  ElementType element = ScalarType::F32;
  bool readOnly = false;
};

/// Device memory with elements of type T. Made by Context::alloc, allocZeros and allocUpload.
template <DeviceElement T> class Array : public Buffer {
public:
  Array() = default;

  /// Takes ownership of a buffer with elements of type T. Throws InvalidArgument for other
  /// elements.
  explicit Array(Buffer &&buffer) : Buffer(std::move(buffer)) {
    requireElement(elementTypeOf<T>());
  }

  /// As Buffer::borrow.
  static Array borrow(const Context &context, std::uint64_t address, const Shape &shape,
                      std::function<void()> release = {}) {
    return Array(Buffer::borrow(context, address, elementTypeOf<T>(), shape, std::move(release)));
  }

  /// Copies \p source, of exactly size() elements, to the device.
  void upload(std::span<const T> source) { uploadBytes(source.data(), source.size_bytes()); }
  void upload(std::initializer_list<T> source) { upload(std::span(source.begin(), source.size())); }
  void upload(const std::vector<bool> &source)
    requires std::same_as<T, bool>
  {
    // A vector<bool> holds bits and has no data().
    auto bytes = std::make_unique<bool[]>(source.size());
    std::copy(source.begin(), source.end(), bytes.get());
    upload(std::span<const bool>(bytes.get(), source.size()));
  }
  void uploadAsync(std::span<const T> source, const Stream &stream) {
    uploadBytesAsync(source.data(), source.size_bytes(), stream);
  }

  /// Copies the array into \p target, of exactly size() elements.
  void download(std::span<T> target) const { downloadBytes(target.data(), target.size_bytes()); }
  void downloadAsync(std::span<T> target, const Stream &stream) const {
    downloadBytesAsync(target.data(), target.size_bytes(), stream);
  }

  /// Returns a copy of the elements in row-major order.
  std::vector<T> download() const {
    if constexpr (std::same_as<T, bool>) {
      // A vector<bool> has no data(), so this copies through an array of bytes.
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
  void fillAsync(const T &value, const Stream &stream) { fillBytesAsync(&value, stream); }

  /// As Buffer::view.
  Array view(std::int64_t begin, std::int64_t extent) { return Array(Buffer::view(begin, extent)); }
  Array view(std::int64_t begin, std::int64_t extent) const {
    return Array(Buffer::view(begin, extent));
  }

  /// As Buffer::reshape.
  Array reshape(const Shape &shape) { return Array(Buffer::reshape(shape)); }
  Array reshape(const Shape &shape) const { return Array(Buffer::reshape(shape)); }

  /// The elements at the address of Buffer::hostData.
  std::span<T> host() const {
    return {static_cast<T *>(hostData()), static_cast<std::size_t>(size())};
  }
};

} // namespace spl

#endif
