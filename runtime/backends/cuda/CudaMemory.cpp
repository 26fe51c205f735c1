// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/CudaMemory.h"

#include "runtime/backends/cuda/CudaStream.h"

namespace spl::detail {

namespace {

class CudaMemory : public Allocation {
protected:
  using Allocation::Allocation;

  /// A use of the memory by work of a stream of this device that is not done.
  struct OpenUse {
    std::shared_ptr<StreamWork> work;
    std::shared_ptr<DriverStream> stream;
  };

  /// Waits for the uses that freeing cannot be ordered after, and calls \p release with the others.
  /// The context is current during the call. Does not call \p release after a sticky error, because
  /// the memory ended with the context.
  template <typename Function> void giveBack(const CudaContext &opened, Function &&release) {
    if (!opened.inMakingProcess())
      return;
    std::vector<OpenUse> uses;
    if (!finishUnordered(takeUses(), opened, uses))
      return;
    if (CudaContext::Current current(opened); current)
      release(uses);
  }

private:
  /// Waits for those of \p uses that freeing cannot be ordered after: uses of other devices,
  /// because the driver orders a free only with work of one device, and uses of streams that are
  /// being captured, because a captured stream frees nothing. Adds the others to \p ordered.
  /// Returns false if a wait fails; then the memory must not be freed.
  static bool finishUnordered(const std::vector<Use> &uses, const CudaContext &own,
                              std::vector<OpenUse> &ordered) {
    bool isDone = true;
    for (const Use &use : uses) {
      auto &work = static_cast<CudaWork &>(*use.work);
      if (!work.isOf(own) || work.isCapturing())
        isDone &= work.finish();
      else if (std::shared_ptr<DriverStream> stream = work.open())
        ordered.push_back({use.work, std::move(stream)});
    }
    return isDone;
  }
};

class CudaArrayMemory final : public CudaMemory {
public:
  CudaArrayMemory(std::shared_ptr<CudaContext> opened, std::uint64_t address, std::size_t bytes,
                  MemoryPlace place)
      : CudaMemory(opened, address, bytes), opened(*opened), place(place) {}

  ~CudaArrayMemory() override {
    giveBack(opened, [&](const std::vector<OpenUse> &) {
      if (place == MemoryPlace::Pinned)
        opened.driver.memFreeHost(reinterpret_cast<void *>(address));
      else
        opened.driver.memFree(address);
    });
  }

  bool isHostAccessible() const override { return place != MemoryPlace::Device; }

private:
  const CudaContext &opened; ///< the base class keeps it open
  const MemoryPlace place;
};

class CudaPoolMemory final : public CudaMemory {
public:
  CudaPoolMemory(std::shared_ptr<CudaPool> given, std::uint64_t address, std::size_t bytes)
      : CudaMemory(given->context, address, bytes), pool(std::move(given)) {}

  ~CudaPoolMemory() override {
    const CudaContext &opened = *pool->context;
    if (opened.inMakingProcess())
      pool->account.give(bytes);
    giveBack(opened, [&](const std::vector<OpenUse> &uses) {
      const Driver &driver = opened.driver;
      if (uses.empty()) {
        driver.memFreeAsync(address, pool->idle.handle);
        return;
      }
      const OpenUse &last = uses.back();
      for (const OpenUse &other : uses)
        if (&other != &last && !orderAfter(driver, last, other))
          return;
      const auto free = [&](CuStream in) { driver.memFreeAsync(address, in); };
      if (!callOutsideOfCapture(last, free) && last.work->finish())
        driver.memFree(address);
    });
  }

  const PoolAccount *account() const override { return &pool->account; }

private:
  /// Calls \p work unless the stream of \p use is being captured. Another thread may begin a
  /// capture at any time, so this holds a lock of the stream meanwhile. Returns false during a
  /// capture. Must not be nested for several streams, because the end of a capture locks several
  /// streams at once.
  template <typename Work> static bool callOutsideOfCapture(const OpenUse &use, Work &&work) {
    const auto kept = use.work->keepCapturing();
    if (use.work->isCapturing())
      return false;
    work(use.stream->handle);
    return true;
  }

  /// Makes later work of the stream of \p use wait for the work of \p other. If no event can be
  /// made, the host waits instead.
  static bool orderAfter(const Driver &driver, const OpenUse &use, const OpenUse &other) {
    constexpr unsigned withoutTime = 2;
    CuEvent event = nullptr;
    CuResult result = driver.eventCreate(&event, withoutTime);
    if (result != CuResult::Success)
      return other.work->finish();
    const auto record = [&](CuStream in) { result = driver.eventRecord(event, in); };
    const auto wait = [&](CuStream in) { result = driver.streamWaitEvent(in, event, 0); };
    const bool isOrdered = callOutsideOfCapture(other, record) && result == CuResult::Success &&
                           callOutsideOfCapture(use, wait) && result == CuResult::Success;
    driver.eventDestroy(event);
    return isOrdered || other.work->finish();
  }

  const std::shared_ptr<CudaPool> pool;
};

} // namespace

std::shared_ptr<Allocation> allocateCudaMemory(const std::shared_ptr<CudaContext> &context,
                                               MemoryPlace place, std::size_t bytes) {
  const Driver &driver = context->driver;
  CudaContext::Current current = context->enter();
  CuDevicePtr address = 0;
  void *host = nullptr;
  constexpr unsigned forEveryStream = 1;
  switch (place) {
  case MemoryPlace::Device:
    if (CuResult result = driver.memAlloc(&address, bytes); result != CuResult::Success)
      context->failAllocation(result, driver.memAlloc.name, bytes);
    break;
  case MemoryPlace::Unified:
    if (CuResult result = driver.memAllocManaged(&address, bytes, forEveryStream);
        result != CuResult::Success)
      context->failAllocation(result, driver.memAllocManaged.name, bytes, place);
    break;
  case MemoryPlace::Pinned:
    if (CuResult result = driver.memAllocHost(&host, bytes); result != CuResult::Success)
      context->failAllocation(result, driver.memAllocHost.name, bytes, place);
    address = reinterpret_cast<std::uint64_t>(host);
    break;
  }
  return std::make_shared<CudaArrayMemory>(context, address, bytes, place);
}

// The driver's numbers of the pool attributes that are used here.
enum PoolAttribute : int { ReleaseThreshold = 4, ReservedMemCurrent = 5 };

CudaPool::CudaPool(std::shared_ptr<CudaContext> given, const PoolOptions &options)
    : context(std::move(given)), idle(context, /*priority=*/0), options(options) {
  const Driver &driver = context->driver;
  CudaContext::Current current = context->enter();
  constexpr int firstWithCaps = 12020;
  CuMemPoolProps props;
  props.locationId = context->device;
  if (driver.version >= firstWithCaps)
    props.maxSize = options.maxBytes;
  context->call(driver.memPoolCreate, &pool, &props);
  std::uint64_t keep = options.keepBytes;
  if (CuResult result = driver.memPoolSetAttribute(pool, ReleaseThreshold, &keep);
      result != CuResult::Success) {
    driver.memPoolDestroy(pool);
    context->check(result, driver.memPoolSetAttribute.name);
  }
}

CudaPool::~CudaPool() {
  if (context->inMakingProcess()) // a pool belongs to the device, so no context is made current
    context->driver.memPoolDestroy(pool);
}

std::shared_ptr<Allocation> CudaPool::allocate(std::size_t bytes,
                                               const std::shared_ptr<BackendStream> &stream) {
  CudaContext::Current current = context->enter();
  if (!account.take(bytes, options.maxBytes))
    throw Error(context->poolExhausted(bytes, account, options.maxBytes));
  CuDevicePtr address = 0;
  const auto &entry = context->driver.memAllocFromPoolAsync;
  if (CuResult result = entry(&address, bytes, pool, static_cast<CudaStream &>(*stream).handle());
      result != CuResult::Success) {
    account.give(bytes);
    context->failAllocation(result, entry.name, bytes);
  }
  return std::make_shared<CudaPoolMemory>(shared_from_this(), address, bytes);
}

PoolState CudaPool::state() const {
  CudaContext::Current current = context->enter();
  PoolState now = account.read();
  std::uint64_t reserved = 0;
  context->call(context->driver.memPoolGetAttribute, pool, ReservedMemCurrent, &reserved);
  now.reserved = reserved;
  return now;
}

void CudaPool::trim(std::size_t keepBytes) {
  CudaContext::Current current = context->enter();
  context->call(context->driver.memPoolTrimTo, pool, keepBytes);
}

} // namespace spl::detail
