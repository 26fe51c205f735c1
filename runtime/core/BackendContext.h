// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between the facade and a backend: one opened device and one loaded image. The
// facade has checked every argument before it calls; a backend reports what only it can know, by
// throwing Error. Contexts are shared by the Context, its arrays and modules; modules by their
// kernels.
#ifndef SPL_RUNTIME_CORE_BACKENDCONTEXT_H
#define SPL_RUNTIME_CORE_BACKENDCONTEXT_H

#include <spl/Device.h>
#include <spl/Module.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace spl::detail {

/// A launch's geometry, within the device's limits and with at least one group.
struct Geometry {
  std::array<std::int64_t, 3> numGroups{};
  std::array<std::int64_t, 3> localSize{};
  std::int64_t sharedBytes = 0;
};

/// An image that a context has loaded.
class BackendModule {
public:
  /// The loading context is kept open: unloading needs it.
  BackendModule(std::shared_ptr<class BackendContext> context, std::vector<Signature> kernels)
      : context(std::move(context)), kernels(std::move(kernels)) {}
  virtual ~BackendModule() = default;

  const std::shared_ptr<BackendContext> context;
  const std::vector<Signature> kernels;
};

/// An opened device. Every function may be called from many threads at once.
class BackendContext : public std::enable_shared_from_this<BackendContext> {
public:
  explicit BackendContext(DeviceInfo info) : info(std::move(info)) {}
  virtual ~BackendContext() = default;
  BackendContext(const BackendContext &) = delete;
  BackendContext &operator=(const BackendContext &) = delete;

  /// What the device was when it was opened, and how messages call it: "cuda device 0 (H200)".
  const DeviceInfo info;
  std::string describe() const;

  /// info with the memory that is free now.
  virtual DeviceInfo current() const = 0;

  /// bytes is not 0. Throws OutOfMemory.
  virtual std::uint64_t allocate(std::size_t bytes) = 0;
  virtual void release(std::uint64_t address) noexcept = 0;

  /// Complete when they return, and after all earlier launches. bytes is not 0.
  virtual void upload(std::uint64_t target, const void *source, std::size_t bytes) = 0;
  virtual void download(void *target, std::uint64_t source, std::size_t bytes) = 0;

  /// Sets count elements, at least 1, of 1, 2, 4 or 8 bytes.
  virtual void fill(std::uint64_t target, const void *element, std::size_t elementBytes,
                    std::size_t count) = 0;

  virtual std::unique_ptr<BackendModule> load(Image image) = 0;

  /// params as for cuLaunchKernel: a pointer for each parameter of the kernel ABI.
  virtual void launch(const BackendModule &module, std::size_t kernel, const Geometry &geometry,
                      void *const *params) = 0;
  virtual void sync() = 0;
};

/// What a backend offers before anything is opened.
struct BackendEntry {
  BackendStatus (*status)();
  std::vector<DeviceInfo> (*devices)(); ///< called only if status says available
  std::shared_ptr<BackendContext> (*open)(const DeviceInfo &device);
};

/// The entry of \p backend. The one place that knows which backends this build has.
const BackendEntry &backendEntry(Backend backend);

} // namespace spl::detail

#endif
