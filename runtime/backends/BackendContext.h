// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface that a backend implements for an open device and a loaded image. The caller has
// checked every argument. A backend throws Error for failures that only the backend can detect. The
// Context, its memory, its streams and its modules share a BackendContext. A module's kernels share
// a BackendModule.
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

/// Why a kernel cannot have a time limit. The reason is a sentence without a full stop.
struct NoTimeLimit {
  std::string reason, hint;
};

/// How many groups of a kernel with a grid barrier a launch may have, and why: "132 multiprocessors
/// run 8 groups of 256 work-items each".
struct CooperativeLimit {
  std::int64_t groups;
  std::string reason;
};

/// An image that a context has loaded.
class BackendModule {
public:
  /// Keeps the loading context open, because unloading needs it.
  BackendModule(std::shared_ptr<class BackendContext> context, std::vector<Signature> kernels)
      : context(std::move(context)), kernels(std::move(kernels)) {}
  virtual ~BackendModule() = default;

  virtual KernelAttributes attributes(std::size_t kernel) const = 0;
  /// The number of groups of this size that a compute unit runs at once.
  virtual int groupsPerUnit(std::size_t kernel, std::int64_t groupSize,
                            std::int64_t sharedBytes) const = 0;
  virtual std::int64_t suggestedGroupSize(std::size_t kernel, std::int64_t sharedBytes) const = 0;
  /// Throws UnsupportedOnTarget if the device cannot run all groups of a launch at once.
  virtual CooperativeLimit cooperativeLimit(std::size_t kernel, std::int64_t groupSize,
                                            std::int64_t sharedBytes) const = 0;
  /// Returns why a launch of the kernel cannot have a time limit, or nothing if it can.
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

  /// The device's properties when it was opened, and its name in messages: "cuda device 0 (H200)".
  const DeviceInfo info;
  std::string describe() const;

  /// Whether this process opened the context. A child process made by fork cannot use the context
  /// and frees nothing.
  bool inMakingProcess() const noexcept { return guard.inMakingProcess(); }
  /// Throws ForkedProcess in a child process. Must be called before any lock is taken: in the
  /// child, a lock that another thread held during fork stays locked.
  void requireMakingProcess() const;

  /// Throws InvalidArgument during a capture, because a sync would make the capture fail.
  void requireNoCapture() const;

  /// Returns info with the amount of memory that is free now.
  virtual DeviceInfo current() const = 0;

  /// \p bytes is not 0. Throws OutOfMemory.
  virtual std::shared_ptr<Allocation> allocate(MemoryPlace place, std::size_t bytes) = 0;
  virtual std::shared_ptr<BackendPool> makePool(const PoolOptions &options) = 0;

  /// Both functions run after the work of the default stream, and return when the transfer is
  /// complete. \p bytes is not 0.
  virtual void upload(std::uint64_t target, const void *source, std::size_t bytes) = 0;
  virtual void download(void *target, std::uint64_t source, std::size_t bytes) = 0;

  /// The default stream, which calls without a stream argument use. It exists as long as the
  /// context.
  virtual const std::shared_ptr<BackendStream> &defaultStream() = 0;
  virtual std::shared_ptr<BackendStream> makeStream(int priority) = 0;
  /// Makes a stream of another library's stream. Throws UnsupportedOnTarget if the backend has no
  /// such streams.
  virtual std::shared_ptr<BackendStream> wrapStream(std::uint64_t native,
                                                    std::function<void()> release) = 0;
  virtual std::unique_ptr<BackendEvent> makeEvent() = 0;

  virtual std::unique_ptr<BackendModule> load(Image image) = 0;
  /// Returns the image of a bundle that suits this device best. Throws UnsupportedOnTarget if there
  /// is none.
  virtual Image choose(std::vector<BundleImage> images) const = 0;

  /// Waits for the work of all streams, and throws their asynchronous errors.
  virtual void sync() = 0;

  /// The device's type and index in DLPack.
  virtual DLPackDevice dlpackDevice() const = 0;
  /// Whether kernels of this context can access memory of \p device.
  virtual bool reaches(const DLPackDevice &device) const = 0;

  /// Lets this context access the memory of \p other, a context of the same backend, directly.
  /// Returns false if the hardware does not support that.
  virtual bool enablePeer(BackendContext &other) = 0;

  /// The error of a failed allocation, with the requested size, the free size if it is known, and
  /// the largest live arrays.
  ErrorInfo outOfMemory(std::size_t asked, std::optional<std::uint64_t> free) const;
  /// The error of a failed allocation in a pool that has reached its cap, with the pool's largest
  /// arrays.
  ErrorInfo poolExhausted(std::size_t asked, const PoolAccount &pool, std::size_t cap) const;

  /// Returns "; the largest of 5 live arrays: f32[1000 x 20], 80000 bytes; ...", or an empty text
  /// if there are no live arrays. If \p pool is not null, lists only the arrays of that pool.
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
