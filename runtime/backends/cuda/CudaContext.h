// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An open GPU. It uses the device's primary context, which all libraries of the process share.
// Every call restores the caller's current context.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDACONTEXT_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDACONTEXT_H

#include "runtime/backends/BackendContext.h"
#include "runtime/backends/cuda/CudaImage.h"
#include "runtime/backends/cuda/Driver.h"
#include "runtime/backends/cuda/FaultRecords.h"
#include "runtime/stream/AsyncErrors.h"
#include "spl/Error.h"

#include <mutex>
#include <optional>
#include <set>
#include <shared_mutex>

namespace spl::detail {

class CudaModule;

/// The modules of a context with versions that are compiled later. Several threads may use this.
class LaterModules {
public:
  void add(const CudaModule &module);
  void remove(const CudaModule &module);
  /// Compiles and loads all of them. Until it returns, no module can be removed.
  void load();

private:
  std::mutex mutex;
  std::set<const CudaModule *> modules; ///< guarded by mutex
};

class CudaContext final : public BackendContext {
public:
  /// Retains the primary context of the device. Throws DriverError if the driver fails.
  CudaContext(DeviceInfo info, const Driver &driver);
  ~CudaContext() override;

  DeviceInfo current() const override;
  std::shared_ptr<Allocation> allocate(MemoryPlace place, std::size_t bytes) override;
  std::shared_ptr<BackendPool> makePool(const PoolOptions &options) override;
  void upload(std::uint64_t target, const void *source, std::size_t bytes) override;
  void download(void *target, std::uint64_t source, std::size_t bytes) override;
  const std::shared_ptr<BackendStream> &defaultStream() override { return legacyStream; }
  std::shared_ptr<BackendStream> makeStream(int priority) override;
  std::shared_ptr<BackendStream> wrapStream(std::uint64_t native,
                                            std::function<void()> release) override;
  std::unique_ptr<BackendEvent> makeEvent() override;
  std::unique_ptr<BackendModule> load(Image image) override;
  Image choose(std::vector<BundleImage> images) const override {
    return chooseForGpu(std::move(images), info.capability, describe());
  }
  void sync() override;
  DLPackDevice dlpackDevice() const override;
  bool reaches(const DLPackDevice &device) const override;
  bool enablePeer(BackendContext &other) override;

  std::shared_ptr<CudaContext> self() {
    return std::static_pointer_cast<CudaContext>(shared_from_this());
  }

  const Driver &driver;

  /// Makes the primary context current as long as this object exists. The constructor stores the
  /// driver's result and never throws, so that destructors can use this class.
  class Current {
  public:
    explicit Current(const CudaContext &context) noexcept
        : Current(context, context.driver.ctxPushCurrent(context.primary)) {}
    Current(const CudaContext &context, CuResult pushed) noexcept
        : driver(context.driver), result(pushed) {}
    ~Current() {
      CuContext ignored;
      if (result == CuResult::Success)
        driver.ctxPopCurrent(&ignored);
    }
    Current(const Current &) = delete;
    Current &operator=(const Current &) = delete;

    explicit operator bool() const { return result == CuResult::Success; }

  private:
    const Driver &driver;

  public:
    const CuResult result;
  };

  /// Makes the context current. Every entry point calls this first. Throws if the context cannot be
  /// used, for example after a sticky error.
  Current enter() const;

  /// Calls a function of the driver. Throws the error of its result unless that is success. Keeps
  /// the error if it is sticky.
  template <typename... Parameters, typename... Arguments>
  void call(const DriverEntry<CuResult(Parameters...)> &entry, Arguments &&...arguments) const {
    check(entry(std::forward<Arguments>(arguments)...), entry.name);
  }
  void check(CuResult result, const char *call, const std::string &detail = "") const;
  [[noreturn]] void fail(ErrorInfo info) const;

  /// Throws the error of a failed allocation of memory of \p place. If memory is short, throws
  /// OutOfMemory with the largest live arrays.
  [[noreturn]] void failAllocation(CuResult result, const char *call, std::size_t bytes,
                                   MemoryPlace place = MemoryPlace::Device) const;

  /// Takes over the work of a stream that is being destroyed, because memory still refers to that
  /// work. Closes the driver's stream when the work is done: now, or later when a stream is made or
  /// the context is synced.
  void end(const std::shared_ptr<class CudaWork> &work);

  CuDevice device = 0;
  CuContext primary = nullptr;

  /// The fault records of the launches of all streams.
  const std::shared_ptr<FaultRecords> faults;
  /// The counters of the grid barriers of all launches.
  const std::shared_ptr<GridCounters> counters;
  std::shared_ptr<GridCounter> makeCounter() const;
  /// Returns an empty record for a launch, with a counter if its kernel has a grid barrier.
  std::shared_ptr<FaultRecord> makeFaultRecord(bool isCooperative) const;

  /// The modules that a capture must complete before it begins.
  LaterModules laterModules;

  /// Locked exclusively while a capture begins. A wait for the whole context locks it shared,
  /// because such a wait would make a capture fail.
  std::shared_mutex captureBegin;

private:
  /// Returns the free memory of the device, or nothing if the driver does not report it.
  std::optional<std::uint64_t> freeBytes() const;

  std::shared_ptr<BackendStream> add(std::shared_ptr<class DriverStream> stream);
  void closeEnded();

  std::shared_ptr<BackendStream> legacyStream;
  ContextErrors asyncErrors; ///< the errors of all streams

  mutable std::mutex mutex;
  mutable std::optional<Error> stickyError; ///< guarded by mutex: the error that ended the context
  /// Guarded by mutex; work that was not done when its stream was destroyed.
  std::vector<std::weak_ptr<class CudaWork>> ended;
};

} // namespace spl::detail

#endif
