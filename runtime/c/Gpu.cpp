// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/gpu.h"

#include "runtime/backends/Registry.h"
#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"
#include "runtime/c/Text.h"
#include "runtime/system/ForkGuard.h"

#include <atomic>
#include <cstddef>
#include <cstring>
#include <memory>
#include <vector>

using namespace spl;
using namespace spl::capi;

/// Returns the context of these functions. The first call makes it, and so does the first call in a
/// child process made by fork. If that fails, the next call tries again. The context is never
/// destroyed, like the table of handles. This function takes no lock that fork could leave locked.
static std::shared_ptr<ContextObject> theContext() {
  struct Made {
    std::shared_ptr<ContextObject> context;
    detail::ForkGuard guard;
  };
  static std::atomic<Made *> current{nullptr};
  Made *found = current.load(std::memory_order_acquire);
  while (!found || !found->guard.inMakingProcess()) {
    auto made = std::make_unique<Made>();
    made->context = std::make_shared<ContextObject>(Context::makeDefault());
    if (current.compare_exchange_strong(found, made.get(), std::memory_order_acq_rel))
      found = made.release();
  }
  return found->context;
}

/// Returns the result of \p body, or 0 if it throws.
template <typename Body> static std::uint64_t handleOf(Body &&body) noexcept {
  std::uint64_t handle = 0;
  call([&] { handle = body(); });
  return handle;
}

/// Returns the result of \p body. If it throws, returns the status with its sign changed.
template <typename Body> static std::int32_t numberOf(Body &&body) noexcept {
  std::int32_t number = 0;
  const spl_status status = call([&] { number = body(); });
  return status == SPL_OK ? number : -status;
}

/// Returns the bytes of the number 1 as a value of \p type.
static std::vector<std::byte> one(const ElementType &type) {
  if (!type.isScalar())
    refuse("the element type must be a scalar, not " + type.str());
  std::vector<std::byte> bytes(type.size());
  switch (type.scalar()) {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, ...)                                                     \
  case ScalarType::NAME: {                                                                         \
    const TYPE value(1);                                                                           \
    std::memcpy(bytes.data(), &value, sizeof value);                                               \
    break;                                                                                         \
  }
#include "spl/ScalarTypes.def"
  }
  return bytes;
}

static spl_array allocFilled(const ElementType &type, int64_t count,
                             const std::vector<std::byte> &element) {
  const auto in = theContext();
  return makeArray([&] {
    Buffer made = in->context.allocBuffer(type, Shape{count});
    made.fillBytes(element.data());
    return made;
  });
}

extern "C" {

int32_t spl_gpu_available(void) {
  return numberOf([] {
    const Backend backend = preferredBackend();
    return !detail::backendEntry(backend).runsOnHost &&
           !devices(backend).empty(); // throws if the backend cannot be used
  });
}

const char *spl_gpu_backend_name(void) {
  const char *name = nullptr;
  call([&] { name = toString(preferredBackend()).data(); });
  return name;
}

int32_t spl_gpu_device_count(void) {
  return numberOf([] { return static_cast<std::int32_t>(devices(preferredBackend()).size()); });
}

spl_context spl_gpu_context(void) {
  return handleOf([] { return makeHandle(theContext()); });
}

spl_array spl_gpu_alloc_zeros(const char *element, int64_t count) {
  return handleOf([&] {
    const ElementType type = elementNamed(element);
    return allocFilled(type, count, std::vector<std::byte>(type.size()));
  });
}

spl_array spl_gpu_alloc_ones(const char *element, int64_t count) {
  return handleOf([&] {
    const ElementType type = elementNamed(element);
    return allocFilled(type, count, one(type));
  });
}

int32_t spl_gpu_free(spl_array array) {
  return numberOf([&] { return freeHandle<ArrayObject>(array), 0; });
}

spl_stream spl_gpu_stream_create(void) {
  return handleOf([] { return makeObject<StreamObject>(theContext()->context.makeStream()); });
}

int32_t spl_gpu_stream_sync(spl_stream stream) {
  return numberOf([&] { return StreamUse(stream)->sync(), 0; });
}

int32_t spl_gpu_stream_query(spl_stream stream) {
  return numberOf([&] { return StreamUse(stream)->query(); });
}

int32_t spl_gpu_stream_free(spl_stream stream) {
  return numberOf([&] { return freeHandle<StreamObject>(stream), 0; });
}

int32_t spl_gpu_async_upload_batch(const spl_array *arrays, const void *const *sources,
                                   const size_t *bytes, size_t count, spl_stream stream) {
  return numberOf([&] {
    const StreamUse in(stream);
    const auto handles = listOf(arrays, count, "arrays");
    const auto from = listOf(sources, count, "sources");
    const auto sizes = listOf(bytes, count, "bytes");
    std::vector<std::shared_ptr<ArrayObject>> targets;
    for (std::size_t i = 0; i < handles.size(); ++i) {
      targets.push_back(object<ArrayObject>(handles[i]));
      const std::size_t size = targets[i]->buffer.sizeBytes();
      if (sizes[i] != size)
        refuse("'arrays[" + std::to_string(i) + "]' has " + std::to_string(size) + " bytes, not " +
               std::to_string(sizes[i]));
      if (size != 0)
        requirePointer(from[i], "sources[]");
    }
    for (std::size_t i = 0; i < targets.size(); ++i)
      targets[i]->buffer.uploadBytesAsync(from[i], sizes[i], *in);
    return 0;
  });
}

} // extern "C"
