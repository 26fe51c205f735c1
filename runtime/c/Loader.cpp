// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/loader.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"
#include "spl/DataLoader.h"

#include <memory>
#include <optional>
#include <system_error>
#include <thread>

using namespace spl;
using namespace spl::capi;

namespace {

struct Drop {
  void (*function)(void *user, void *batch) = nullptr;
  void *user = nullptr;
  void operator()(void *batch) const {
    if (function)
      enter([&] { function(user, batch); });
  }
};

/// A batch that is not taken yet.
using Batch = std::unique_ptr<void, Drop>;

/// The loader whose producer this thread is running, or null.
thread_local const LoaderObject *producing = nullptr;

} // namespace

struct spl::capi::LoaderObject : OneAtATime {
  std::shared_ptr<TraceObject> trace; ///< outlives the loader
  std::optional<DataLoader<Batch>> loader;
};

/// Destroys \p loader. The destructor waits for the loader's threads. If one of these threads is
/// the last owner, because it called or freed its own loader, another thread destroys the loader
/// instead.
static void end(LoaderObject *loader) noexcept {
  if (producing != loader) {
    delete loader;
    return;
  }
  try {
    std::thread([loader] { delete loader; }).detach();
  } catch (const std::system_error &) { // no thread is available, so the loader is leaked
  }
}

static DataLoader<Batch>::Producer producerOf(const spl_loader_options &options,
                                              const LoaderObject *owner) {
  if (!options.produce)
    return {};
  const Drop drop{options.drop, options.user};
  return [=, produce = options.produce,
          user = options.user](std::size_t index) -> std::optional<Batch> {
    void *batch = nullptr;
    std::int32_t there = 1;
    producing = owner;
    const std::unique_ptr<const LoaderObject *, void (*)(const LoaderObject **)> leave(
        &producing, [](const LoaderObject **current) { *current = nullptr; });
    callBack("the producer", [&] { return produce(user, index, &batch, &there); });
    if (!there)
      return std::nullopt;
    return Batch(batch, drop);
  };
}

extern "C" {

spl_status spl_loader_make(const spl_loader_options *options, spl_loader *loader) {
  return call([&] {
    requirePointer(loader, "loader");
    requirePointer(options, "options");
    const std::shared_ptr<LoaderObject> made(new LoaderObject, end);
    if (options->trace != 0)
      made->trace = object<TraceObject>(options->trace);
    made->loader.emplace(producerOf(*options, made.get()),
                         DataLoaderOptions{.prefetch = options->prefetch,
                                           .workers = options->workers,
                                           .trace = made->trace ? &made->trace->trace : nullptr});
    *loader = makeHandle(made);
  });
}

spl_status spl_loader_next(spl_loader loader, void **batch, int32_t *there) {
  return call([&] {
    requirePointer(batch, "batch");
    requirePointer(there, "there");
    std::optional<Batch> next = ExclusiveUse<LoaderObject>(loader)->loader->next();
    *there = next.has_value();
    *batch = next ? next->release() : nullptr;
  });
}

spl_status spl_loader_get(spl_loader loader, spl_loader_info *info) {
  return call([&] {
    requirePointer(info, "info");
    const DataLoaderStats stats = object<LoaderObject>(loader)->loader->stats();
    *info = {.batches = stats.batches,
             .produce_ms = stats.produceMs,
             .producer_wait_ms = stats.producerWaitMs,
             .consumer_wait_ms = stats.consumerWaitMs};
  });
}

spl_status spl_loader_free(spl_loader loader) {
  return call([&] { freeHandle<LoaderObject>(loader); });
}

} // extern "C"
