// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a backend implements: an open device and a loaded image. The caller has checked every
// argument; a backend reports what only it can know, by throwing Error. Contexts are shared by the
// Context, its memory, streams and modules; modules by their kernels.
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

/// Why a kernel cannot have a time limit, as a sentence without a full stop, and what to do
/// instead.
struct NoTimeLimit {
  std::string reason, hint;
};

/// An image that a context has loaded.
class BackendModule {
public:
  /// Keeps the loading context open, because unloading needs it.
  BackendModule(std::shared_ptr<class BackendContext> context, std::vector<Signature> kernels)
      : context(std::move(context)), kernels(std::move(kernels)) {}
  virtual ~BackendModule() = default;

  virtual KernelAttributes attributes(std::size_t kernel) const = 0;
  /// How many groups of this size a compute unit runs at once.
  virtual int groupsPerUnit(std::size_t kernel, std::int64_t groupSize,
                            std::int64_t sharedBytes) const = 0;
  virtual std::int64_t suggestedGroupSize(std::size_t kernel, std::int64_t sharedBytes) const = 0;
  /// Why a launch of the kernel cannot have a time limit; nothing if it can.
  virtual std::optional<NoTimeLimit> noTimeLimit(std::size_t kernel) const = 0;

  const std::shared_ptr<BackendContext> context;
  const std::vector<Signature> kernels;
};

/// An open device. Every function may be called from many threads at once.
class BackendContext : public std::enable_shared_from_this<BackendContext> {
public:
  explicit BackendContext(DeviceInfo info) : info(std::move(info)) {}
  virtual ~BackendContext() = default;
  BackendContext(const BackendContext &) = delete;
  BackendContext &operator=(const BackendContext &) = delete;

  /// The device when it was opened, and its name in messages: "cuda device 0 (H200)".
  const DeviceInfo info;
  std::string describe() const;

  /// Whether this is the process that opened the context. In a child made by fork the context
  /// cannot be used, and nothing is freed.
  bool inMakingProcess() const noexcept { return guard.inMakingProcess(); }
  /// Throws ForkedProcess in a child. Called before any lock is taken, because a thread that fork
  /// did not copy may have held it.
  void requireMakingProcess() const;

  /// Throws InvalidArgument during a capture, which a sync would end.
  void requireNoCapture() const;

  /// info, with the memory that is free now.
  virtual DeviceInfo current() const = 0;

  /// \p bytes is not 0. Throws OutOfMemory.
  virtual std::shared_ptr<Allocation> allocate(MemoryPlace place, std::size_t bytes) = 0;
  virtual std::shared_ptr<BackendPool> makePool(const PoolOptions &options) = 0;

  /// Transfers that run after the work of the default stream and are complete when they return.
  /// \p bytes is not 0.
  virtual void upload(std::uint64_t target, const void *source, std::size_t bytes) = 0;
  virtual void download(void *target, std::uint64_t source, std::size_t bytes) = 0;

  /// The stream of every call without a stream argument. It lives as long as the context.
  virtual const std::shared_ptr<BackendStream> &defaultStream() = 0;
  virtual std::shared_ptr<BackendStream> makeStream(int priority) = 0;
  /// A stream of another library. Throws UnsupportedOnTarget if there are none.
  virtual std::shared_ptr<BackendStream> wrapStream(std::uint64_t native,
                                                    std::function<void()> release) = 0;
  virtual std::unique_ptr<BackendEvent> makeEvent() = 0;

  virtual std::unique_ptr<BackendModule> load(Image image) = 0;
  /// The code of a bundle to load. Throws UnsupportedOnTarget if none of it is for this device.
  virtual Image choose(std::vector<BundleImage> images) const = 0;

  /// Waits for the work of all streams; throws their asynchronous errors.
  virtual void sync() = 0;

  /// The device as DLPack names it.
  virtual DLPackDevice dlpackDevice() const = 0;
  /// Whether kernels here can use memory of \p device.
  virtual bool reaches(const DLPackDevice &device) const = 0;

  /// Enables direct access to the memory of \p other, a context of the same backend. Returns
  /// whether the hardware supports it.
  virtual bool enablePeer(BackendContext &other) = 0;

  /// The error of a failed allocation, with the requested size, the free size if it is known, and
  /// the largest live arrays.
  ErrorInfo outOfMemory(std::size_t asked, std::optional<std::uint64_t> free) const;
  /// The same for a pool at its cap, with the pool's largest arrays.
  ErrorInfo poolExhausted(std::size_t asked, const PoolAccount &pool, std::size_t cap) const;

  /// "; the largest of 5 live arrays: f32[1000 x 20], 80000 bytes; ..."; empty if there are none.
  /// Only the arrays of \p pool, if it is not null.
  std::string largestArrays(const PoolAccount *pool = nullptr) const;

  /// The number of captures in progress.
  std::atomic<int> captures{0};

private:
  friend class Allocation;

  ForkGuard guard;
  mutable std::mutex mutex;
  std::set<const Allocation *> live; ///< guarded by mutex
};

} // namespace spl::detail

#endif
