// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One GPU, opened. Works in the device's primary context, which it shares with everything else in
// the process, and leaves the caller's current context as it found it.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDACONTEXT_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDACONTEXT_H

#include "runtime/backends/BackendContext.h"
#include "runtime/backends/cuda/CudaImage.h"
#include "runtime/backends/cuda/Driver.h"
#include "runtime/stream/AsyncErrors.h"
#include "spl/Error.h"

#include <mutex>
#include <optional>
#include <shared_mutex>

namespace spl::detail {

class CudaContext final : public BackendContext {
public:
  /// Retains the primary context of \p device; throws DriverError if the driver refuses.
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

  /// Makes the primary context current while it lives. The constructor stores the driver's result
  /// and never throws, so that destructors can use it.
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

  /// Makes the context current, to be the first line of every entry; throws if it cannot be used
  /// (any more).
  Current enter() const;

  /// Calls a function of the driver; throws what its result means, unless it is success, and
  /// remembers what ends the context.
  template <typename... Parameters, typename... Arguments>
  void call(const DriverEntry<CuResult(Parameters...)> &entry, Arguments &&...arguments) const {
    check(entry(std::forward<Arguments>(arguments)...), entry.name);
  }
  void check(CuResult result, const char *call, const std::string &detail = "") const;
  [[noreturn]] void fail(ErrorInfo info) const;

  /// Throws for memory of \p place that the driver did not give; what it says of too little is told
  /// in full.
  [[noreturn]] void failAllocation(CuResult result, const char *call, std::size_t bytes,
                                   MemoryPlace place = MemoryPlace::Device) const;

  /// A stream has ended; memory holds its work. What the work needs of the driver is given back
  /// when it is done: now, or when a stream is made or the context synced later.
  void end(const std::shared_ptr<class CudaWork> &work);

  CuDevice device = 0;
  CuContext primary = nullptr;

  /// Held to begin a capture, and shared by who waits for the whole context, which would end one.
  std::shared_mutex captureBegin;

private:
  /// What is free on the device; nothing where the driver does not say.
  std::optional<std::uint64_t> freeBytes() const;

  std::shared_ptr<BackendStream> add(std::shared_ptr<class DriverStream> stream);
  void closeEnded();

  std::shared_ptr<BackendStream> legacyStream;
  ContextErrors asyncErrors; ///< of all streams

  mutable std::mutex mutex;
  mutable std::optional<Error> stickyError; ///< guarded by mutex: the error that ended the context
  std::vector<std::weak_ptr<class CudaWork>> ended; ///< guarded by mutex: that was not done then
};

} // namespace spl::detail

#endif
