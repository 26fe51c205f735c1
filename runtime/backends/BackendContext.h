// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between the facade and a backend: one opened device and one loaded image. The
// facade has checked every argument before it calls; a backend reports what only it can know, by
// throwing Error. Contexts are shared by the Context, its memory, streams and modules; modules by
// their kernels.
#ifndef SPL_RUNTIME_BACKENDS_BACKENDCONTEXT_H
#define SPL_RUNTIME_BACKENDS_BACKENDCONTEXT_H

#include "runtime/backends/BackendStream.h"
#include "runtime/interop/DLPackDevice.h"
#include "runtime/memory/Allocation.h"
#include "runtime/system/ForkGuard.h"

#include <spl/Bundle.h>
#include <spl/Context.h>
#include <spl/Error.h>
#include <spl/Module.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace spl::detail {

/// Why a kernel cannot be ended, as a sentence without a full stop, and what to do instead.
struct NoTimeLimit {
  std::string reason, hint;
};

/// An image that a context has loaded.
class BackendModule {
public:
  /// The loading context is kept open: unloading needs it.
  BackendModule(std::shared_ptr<class BackendContext> context, std::vector<Signature> kernels)
      : context(std::move(context)), kernels(std::move(kernels)) {}
  virtual ~BackendModule() = default;

  virtual KernelAttributes attributes(std::size_t kernel) const = 0;
  /// How many groups of this size a compute unit runs at once.
  virtual int groupsPerUnit(std::size_t kernel, std::int64_t groupSize,
                            std::int64_t sharedBytes) const = 0;
  virtual std::int64_t suggestedGroupSize(std::size_t kernel, std::int64_t sharedBytes) const = 0;
  /// Why a launch of it cannot have a time limit, and what to do; nothing where it can.
  virtual std::optional<NoTimeLimit> noTimeLimit(std::size_t kernel) const = 0;

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

  /// Whether this is still the process that opened it. In a child made by fork it is of no use, and
  /// what it gave is not given back.
  bool inMakingProcess() const noexcept { return guard.inMakingProcess(); }
  /// Throws ForkedProcess there. The facade asks before it calls: a lock may be one that a thread
  /// held which fork did not copy.
  void requireMakingProcess() const;

  /// For sync: throws InvalidArgument while a stream is being captured, which would end it.
  void requireNoCapture() const;

  /// info with the memory that is free now.
  virtual DeviceInfo current() const = 0;

  /// bytes is not 0. Throws OutOfMemory.
  virtual std::shared_ptr<Allocation> allocate(MemoryPlace place, std::size_t bytes) = 0;
  virtual std::shared_ptr<BackendPool> makePool(const PoolOptions &options) = 0;

  /// Complete when they return, and after the work of the default stream. bytes is not 0.
  virtual void upload(std::uint64_t target, const void *source, std::size_t bytes) = 0;
  virtual void download(void *target, std::uint64_t source, std::size_t bytes) = 0;

  /// The stream that everything uses which names no other; it lives as long as the context.
  virtual const std::shared_ptr<BackendStream> &defaultStream() = 0;
  virtual std::shared_ptr<BackendStream> makeStream(int priority) = 0;
  /// A stream of another library. Throws UnsupportedOnTarget where there are none.
  virtual std::shared_ptr<BackendStream> wrapStream(std::uint64_t native,
                                                    std::function<void()> release) = 0;
  virtual std::unique_ptr<BackendEvent> makeEvent() = 0;

  virtual std::unique_ptr<BackendModule> load(Image image) = 0;
  /// What to load of a bundle. Throws UnsupportedOnTarget if none of it is for this device.
  virtual Image choose(std::vector<BundleImage> images) const = 0;

  /// Waits for the work of every stream; throws what any left as an error.
  virtual void sync() = 0;

  /// The device as DLPack names it.
  virtual DLPackDevice dlpackDevice() const = 0;
  /// Whether kernels here can use memory of \p device.
  virtual bool reaches(const DLPackDevice &device) const = 0;

  /// Whether kernels and copies here reach the memory of \p other, a context of the same backend,
  /// without the host. Lets them, if they can.
  virtual bool enablePeer(BackendContext &other) = 0;

  /// The error for memory that is not there, with what was asked, what is free, if that is known,
  /// and the largest live arrays.
  ErrorInfo outOfMemory(std::size_t asked, std::optional<std::uint64_t> free) const;
  /// The same for a pool with a cap, with the largest arrays of it.
  ErrorInfo poolExhausted(std::size_t asked, const PoolAccount &pool, std::size_t cap) const;

  /// "; the largest of 5 live arrays: f32[1000 x 20], 80000 bytes; ...", or nothing where there are
  /// none; with a \p pool of its arrays alone.
  std::string largestArrays(const PoolAccount *pool = nullptr) const;

  /// How many graphs are being captured from its streams.
  std::atomic<int> captures{0};

private:
  friend class Allocation;

  ForkGuard guard;
  mutable std::mutex mutex;
  std::set<const Allocation *> live; ///< guarded by mutex
};

} // namespace spl::detail

#endif
