// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/pool.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"
#include "runtime/c/Text.h"

using namespace spl;
using namespace spl::capi;

struct spl::capi::PoolObject : OneAtATime {
  explicit PoolObject(MemoryPool pool) : pool(std::move(pool)) {}
  MemoryPool pool;
};

extern "C" {

spl_status spl_pool_make(spl_context context, size_t max_bytes, size_t keep_bytes, spl_pool *pool) {
  return call([&] {
    requirePointer(pool, "pool");
    const auto in = object<ContextObject>(context);
    *pool = makeHandle(std::make_shared<PoolObject>(
        in->context.makePool({.maxBytes = max_bytes, .keepBytes = keep_bytes})));
  });
}

spl_status spl_pool_alloc(spl_pool pool, const char *element, int32_t rank, const int64_t *extents,
                          spl_stream stream, spl_array *array) {
  return call([&] {
    requirePointer(array, "array");
    const ExclusiveUse<PoolObject> from(pool);
    const StreamUse in(stream);
    const ElementType type = elementNamed(element);
    const Shape shape = shapeOf(rank, extents);
    *array = makeArray([&] { return from->pool.allocBuffer(type, shape, *in); });
  });
}

spl_status spl_pool_get(spl_pool pool, spl_pool_info *info) {
  return call([&] {
    requirePointer(info, "info");
    const PoolState state = ExclusiveUse<PoolObject>(pool)->pool.state();
    *info = {.used = state.used,
             .used_high = state.usedHigh,
             .reserved = state.reserved,
             .arrays = state.arrays};
  });
}

spl_status spl_pool_trim(spl_pool pool, size_t keep_bytes) {
  return call([&] { ExclusiveUse<PoolObject>(pool)->pool.trim(keep_bytes); });
}

spl_status spl_pool_free(spl_pool pool) {
  return call([&] { freeHandle<PoolObject>(pool); });
}

} // extern "C"
