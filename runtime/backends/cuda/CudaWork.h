// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The work of a GPU's stream, and the driver's stream that runs it. The driver's stream stays open
// until the work is done, even if the program's stream has been destroyed.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDAWORK_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDAWORK_H

#include "runtime/backends/cuda/CudaContext.h"
#include "runtime/backends/cuda/HostCalls.h"
#include "runtime/interop/ReleaseCallback.h"
#include "runtime/stream/StreamWork.h"

#include <functional>
#include <memory>
#include <mutex>
#include <set>

namespace spl::detail {

/// A stream of the driver. The destructor destroys the stream. If another library owns the stream,
/// the destructor calls the release function instead.
class DriverStream {
public:
  /// Refers to the legacy default stream of \p context, which owns this object.
  explicit DriverStream(CudaContext &context) : context(context) {}
  /// Makes a stream, which keeps its context open.
  DriverStream(std::shared_ptr<CudaContext> opened, int priority);
  /// Refers to a stream of another library. The library may destroy the stream when \p release is
  /// called.
  DriverStream(std::shared_ptr<CudaContext> opened, CuStream theirs, std::function<void()> release);
  ~DriverStream();
  DriverStream(const DriverStream &) = delete;
  DriverStream &operator=(const DriverStream &) = delete;

  CudaContext &context;
  const bool isWrapped = false; ///< another library destroys the stream

private:
  const std::shared_ptr<CudaContext> opened; ///< null for the default stream
  const ReleaseCallback release;

public:
  CuStream handle = nullptr;
  /// Recorded before a capture, after the earlier work; null before the first capture.
  CuEvent beforeCapture = nullptr;
};

class CudaWork final : public StreamWork {
public:
  explicit CudaWork(std::shared_ptr<DriverStream> given)
      : faults(given->context.faults), context(&given->context), stream(std::move(given)) {}

  void wait() override;
  /// Also returns true if a sticky error has ended the context, and the work with it.
  bool finish() noexcept override;
  bool isOver() const noexcept override { return !open(); }

  /// The driver's stream; null after the work is over.
  std::shared_ptr<DriverStream> open() const {
    std::lock_guard lock(mutex);
    return stream;
  }
  bool isOf(const CudaContext &other) const { return context == &other; }

  /// Called when the program's stream is destroyed. Waits for the stream's host functions. None of
  /// them is called afterwards.
  void endCalls() noexcept;
  /// Closes the driver's stream if the work is done. The program's stream must have been destroyed.
  bool closeIfDone() noexcept;
  /// Waits for the work and closes the driver's stream. Called when the context is destroyed.
  void close() noexcept;

  /// Keeps the host functions of a graph that was enqueued, as long as the driver may call them.
  void keep(const std::shared_ptr<HostCalls> &graph);

  /// The fault records of the context, and what they know of the stream.
  const std::shared_ptr<FaultRecords> faults;
  FaultRecords::Queue faultQueue{errors};

  /// The stream's host functions.
  const std::shared_ptr<HostCalls> calls = std::make_shared<HostCalls>(faults);

private:
  void close(const DriverStream &opened, CuResult result, const char *call) noexcept;

  /// Waits for all work except operations that are being captured. The context must be current.
  CuResult waitIn(const DriverStream &opened) const;

  const CudaContext *const context;
  mutable std::mutex mutex;
  std::shared_ptr<DriverStream> stream; ///< guarded by mutex
  /// Guarded by mutex; graphs that the driver may still run.
  std::set<std::shared_ptr<HostCalls>> graphs;
};

} // namespace spl::detail

#endif
