// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/array.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"
#include "runtime/c/Text.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>
#include <vector>

using namespace spl;
using namespace spl::capi;

static MemoryPlace placeNumbered(spl_place place) {
  switch (place) {
  case SPL_PLACE_DEVICE:
    return MemoryPlace::Device;
  case SPL_PLACE_UNIFIED:
    return MemoryPlace::Unified;
  case SPL_PLACE_PINNED:
    return MemoryPlace::Pinned;
  default:
    refuse("'place' is " + std::to_string(place) + ", which is no memory place");
  }
}

/// Returns \p memory, of \p bytes. Throws InvalidArgument if it is null and \p bytes is not 0.
template <typename T> static T *hostMemory(T *memory, std::size_t bytes, const char *name) {
  return bytes == 0 ? memory : requirePointer(memory, name);
}

/// Returns \p element. Throws InvalidArgument if it is null or \p bytes is not the size of the
/// elements of \p buffer.
static const void *oneOf(const Buffer &buffer, const void *element, std::size_t bytes) {
  if (bytes != buffer.elementType().size())
    refuse("an element of " + buffer.elementType().str() + " has " +
           std::to_string(buffer.elementType().size()) + " bytes, not " + std::to_string(bytes));
  return requirePointer(element, "element");
}

extern "C" {

spl_status spl_element_layout(const char *element, size_t *bytes, size_t *align) {
  return call([&] {
    requirePointer(bytes, "bytes");
    requirePointer(align, "align");
    const ElementType type = elementNamed(element);
    *bytes = type.size();
    *align = type.align();
  });
}

spl_status spl_array_alloc(spl_context context, const char *element, int32_t rank,
                           const int64_t *extents, spl_place place, spl_array *array) {
  return call([&] {
    requirePointer(array, "array");
    const auto in = object<ContextObject>(context);
    const ElementType type = elementNamed(element);
    const Shape shape = shapeOf(rank, extents);
    const MemoryPlace where = placeNumbered(place);
    *array = makeArray([&] { return in->context.allocBuffer(type, shape, where); });
  });
}

spl_status spl_array_alloc_zeros(spl_context context, const char *element, int32_t rank,
                                 const int64_t *extents, spl_array *array) {
  return call([&] {
    requirePointer(array, "array");
    const auto in = object<ContextObject>(context);
    const ElementType type = elementNamed(element);
    const Shape shape = shapeOf(rank, extents);
    *array = makeArray([&] {
      Buffer made = in->context.allocBuffer(type, shape);
      const std::vector<std::byte> zero(type.size());
      made.fillBytes(zero.data());
      return made;
    });
  });
}

spl_status spl_array_alloc_upload(spl_context context, const char *element, int32_t rank,
                                  const int64_t *extents, const void *source, spl_array *array) {
  return call([&] {
    requirePointer(array, "array");
    const auto in = object<ContextObject>(context);
    const ElementType type = elementNamed(element);
    const Shape shape = shapeOf(rank, extents);
    *array = makeArray([&] {
      Buffer made = in->context.allocBuffer(type, shape);
      made.uploadBytes(hostMemory(source, made.sizeBytes(), "source"), made.sizeBytes());
      return made;
    });
  });
}

spl_status spl_array_borrow(spl_context context, uint64_t address, const char *element,
                            int32_t rank, const int64_t *extents, void (*release)(void *user),
                            void *user, spl_array *array) {
  return call([&] {
    requirePointer(array, "array");
    const auto in = object<ContextObject>(context);
    const ElementType type = elementNamed(element);
    const Shape shape = shapeOf(rank, extents);
    std::function<void()> atEnd;
    if (release)
      atEnd = [release, user] { enter([&] { release(user); }); };
    *array = makeArray(
        [&] { return Buffer::borrow(in->context, address, type, shape, std::move(atEnd)); });
  });
}

spl_status spl_array_from_dlpack(spl_context context, struct DLManagedTensor *tensor,
                                 spl_array *array) {
  return call([&] {
    requirePointer(array, "array");
    const auto in = object<ContextObject>(context);
    requirePointer(tensor, "tensor");
    *array = makeArray([&] { return Buffer::fromDLPack(in->context, tensor); });
  });
}

spl_status spl_array_to_dlpack(spl_array array, struct DLManagedTensor **tensor) {
  return call([&] {
    requirePointer(tensor, "tensor");
    *tensor = object<ArrayObject>(array)->buffer.toDLPack();
  });
}

spl_status spl_array_get(spl_array array, spl_array_info *info) {
  return call([&] {
    requirePointer(info, "info");
    const auto held = object<ArrayObject>(array);
    const Buffer &buffer = held->buffer;
    *info = {.element = held->element.c_str(),
             .element_bytes = buffer.elementType().size(),
             .rank = static_cast<std::int32_t>(buffer.shape().rank()),
             .extents = {},
             .size = buffer.size(),
             .size_bytes = buffer.sizeBytes(),
             .address = buffer.address(),
             .host_accessible = buffer.isHostAccessible(),
             .read_only = buffer.isReadOnly()};
    std::copy(buffer.shape().begin(), buffer.shape().end(), info->extents);
  });
}

spl_status spl_array_host(spl_array array, void **data) {
  return call([&] {
    requirePointer(data, "data");
    *data = object<ArrayObject>(array)->buffer.hostData();
  });
}

spl_status spl_array_view(spl_array array, int64_t begin, int64_t extent, int32_t read_only,
                          spl_array *view) {
  return call([&] {
    requirePointer(view, "view");
    const auto held = object<ArrayObject>(array);
    *view = makeArray([&] {
      return read_only ? std::as_const(held->buffer).view(begin, extent)
                       : held->buffer.view(begin, extent);
    });
  });
}

spl_status spl_array_reshape(spl_array array, int32_t rank, const int64_t *extents,
                             spl_array *view) {
  return call([&] {
    requirePointer(view, "view");
    const auto held = object<ArrayObject>(array);
    const Shape shape = shapeOf(rank, extents);
    *view = makeArray([&] { return held->buffer.reshape(shape); });
  });
}

spl_status spl_array_upload(spl_array array, const void *source, size_t bytes) {
  return call([&] {
    object<ArrayObject>(array)->buffer.uploadBytes(hostMemory(source, bytes, "source"), bytes);
  });
}

spl_status spl_array_upload_async(spl_array array, const void *source, size_t bytes,
                                  spl_stream stream) {
  return call([&] {
    const auto held = object<ArrayObject>(array);
    const StreamUse in(stream);
    held->buffer.uploadBytesAsync(hostMemory(source, bytes, "source"), bytes, *in);
  });
}

spl_status spl_array_download(spl_array array, void *target, size_t bytes) {
  return call([&] {
    object<ArrayObject>(array)->buffer.downloadBytes(hostMemory(target, bytes, "target"), bytes);
  });
}

spl_status spl_array_download_async(spl_array array, void *target, size_t bytes,
                                    spl_stream stream) {
  return call([&] {
    const auto held = object<ArrayObject>(array);
    const StreamUse in(stream);
    held->buffer.downloadBytesAsync(hostMemory(target, bytes, "target"), bytes, *in);
  });
}

spl_status spl_array_fill(spl_array array, const void *element, size_t bytes) {
  return call([&] {
    const auto held = object<ArrayObject>(array);
    held->buffer.fillBytes(oneOf(held->buffer, element, bytes));
  });
}

spl_status spl_array_fill_async(spl_array array, const void *element, size_t bytes,
                                spl_stream stream) {
  return call([&] {
    const auto held = object<ArrayObject>(array);
    const StreamUse in(stream);
    held->buffer.fillBytesAsync(oneOf(held->buffer, element, bytes), *in);
  });
}

spl_status spl_array_copy(spl_array array, spl_array target) {
  return call([&] {
    const auto to = object<ArrayObject>(target);
    object<ArrayObject>(array)->buffer.copyTo(to->buffer);
  });
}

spl_status spl_array_copy_async(spl_array array, spl_array target, spl_stream stream) {
  return call([&] {
    const auto to = object<ArrayObject>(target);
    const StreamUse in(stream);
    object<ArrayObject>(array)->buffer.copyToAsync(to->buffer, *in);
  });
}

spl_status spl_array_copy_to_peer(spl_array array, spl_array target) {
  return call([&] {
    const auto to = object<ArrayObject>(target);
    object<ArrayObject>(array)->buffer.copyToPeer(to->buffer);
  });
}

spl_status spl_array_copy_to_peer_async(spl_array array, spl_array target, spl_stream stream) {
  return call([&] {
    const auto to = object<ArrayObject>(target);
    const StreamUse in(stream);
    object<ArrayObject>(array)->buffer.copyToPeerAsync(to->buffer, *in);
  });
}

spl_status spl_array_free(spl_array array) {
  return call([&] { freeHandle<ArrayObject>(array); });
}

} // extern "C"
