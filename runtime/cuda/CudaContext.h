// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One GPU, opened. Works in the device's primary context, which it shares with everything else in
// the process, and leaves the caller's current context as it found it.
#ifndef SPL_RUNTIME_CUDA_CUDACONTEXT_H
#define SPL_RUNTIME_CUDA_CUDACONTEXT_H

#include "runtime/core/BackendContext.h"
#include "runtime/core/ForkGuard.h"
#include "runtime/cuda/Driver.h"
#include "spl/Error.h"

#include <mutex>
#include <optional>

namespace spl::detail {

class CudaContext final : public BackendContext {
public:
  /// Retains the primary context of \p device; throws DriverError if the driver refuses.
  CudaContext(DeviceInfo info, const Driver &driver);
  ~CudaContext() override;

  DeviceInfo current() const override;
  std::uint64_t allocate(std::size_t bytes) override;
  void release(std::uint64_t address) noexcept override;
  void upload(std::uint64_t target, const void *source, std::size_t bytes) override;
  void download(void *target, std::uint64_t source, std::size_t bytes) override;
  void fill(std::uint64_t target, const void *element, std::size_t elementBytes,
            std::size_t count) override;
  std::unique_ptr<BackendModule> load(Image image) override;
  void launch(const BackendModule &module, std::size_t kernel, const Geometry &geometry,
              void *const *params) override;
  void sync() override;

  /// For destructors: whether this is still the process that made it.
  bool inMakingProcess() const noexcept { return guard.inMakingProcess(); }

  const Driver &driver;

  /// Makes the primary context current as long as it lives. Its constructor answers success or
  /// not in result; it never throws, so that destructors can use it.
  class Current {
  public:
    explicit Current(const CudaContext &context) noexcept
        : driver(context.driver), result(driver.ctxPushCurrent(context.primary)) {}
    ~Current() {
      CuContext ignored;
      if (result == CuResult::Success)
        driver.ctxPopCurrent(&ignored);
    }
    Current(const Current &) = delete;
    Current &operator=(const Current &) = delete;

  private:
    const Driver &driver;

  public:
    const CuResult result;
  };

private:
  /// To be the first line of every entry: throws if the context cannot be used (any more).
  Current enter() const;

  /// Throws what \p result means, unless it is success, and remembers what ends the context.
  void check(CuResult result, const char *call, const std::string &detail = "") const;

  [[noreturn]] void fail(ErrorInfo info) const;

  CuDevice device = 0;
  CuContext primary = nullptr;
  ForkGuard guard;

  mutable std::mutex mutex;
  mutable std::optional<Error> lost; ///< guarded by mutex: the first failure that ended the context
};

/// Opens \p device.
std::shared_ptr<BackendContext> openCudaContext(const DeviceInfo &device);

} // namespace spl::detail

#endif
