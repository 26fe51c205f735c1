// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU's streams and events. The driver does not order streams with the legacy default stream.
// Only events and waits of the host order them.
#ifndef SPL_RUNTIME_BACKENDS_CUDA_CUDASTREAM_H
#define SPL_RUNTIME_BACKENDS_CUDA_CUDASTREAM_H

#include "runtime/backends/cuda/CudaWork.h"

#include <memory>

namespace spl::detail {

class CudaEvent final : public BackendEvent {
public:
  explicit CudaEvent(std::shared_ptr<CudaContext> context);
  ~CudaEvent() override;

  bool query() override;
  float millisecondsSince(BackendEvent &start) override;

  CuEvent handle() const { return event; }

  /// Sets the stream in which the event was recorded, after the work that is enqueued so far.
  void follow(const CudaWork &work) {
    before = work.calls;
    errors = work.errors;
    enqueued = work.faults->now();
  }

  /// Makes \p others, whose stream waits for the event, read the fault records of its context too.
  void showFaultsTo(FaultRecords &others) const {
    if (&others != context->faults.get())
      others.alsoRead(context->faults);
  }

private:
  void wait() override;

  const std::shared_ptr<CudaContext> context;
  CuEvent event = nullptr;
  std::shared_ptr<HostCalls> before;    ///< null before the first record
  std::shared_ptr<StreamErrors> errors; ///< of that stream
  std::uint64_t enqueued = 0;           ///< what FaultRecords::now returned then
};

class CudaStream final : public BackendStream {
public:
  explicit CudaStream(std::shared_ptr<CudaWork> work);
  /// Waits for the stream's host functions.
  ~CudaStream() override;

  void upload(const DeviceRange &target, const void *source) override;
  void download(void *target, const DeviceRange &source) override;
  void copy(const DeviceRange &target, const DeviceRange &source) override;
  void copyToPeer(const DeviceRange &target, const DeviceRange &source) override;
  void fill(const DeviceRange &target, const void *element, std::size_t elementBytes) override;
  void launch(const LaunchRequest &request) override;
  void launch(const std::shared_ptr<BackendGraphExec> &graph) override;
  void call(std::function<void()> function) override;

  bool query() override;

  CuStream handle() const { return stream; }
  std::uint64_t native() const override { return reinterpret_cast<std::uint64_t>(stream); }

  CudaWork &cudaWork() const { return static_cast<CudaWork &>(*work); }

private:
  void doRecord(BackendEvent &event) override;
  void doWait(BackendEvent &event) override;
  std::unique_ptr<BackendGraph> startCapture() override;
  void finishCapture(BackendGraph &graph) override;

  void markBeforeCapture();
  bool isCapturedByOthers() const;
  void clearCounter(const LaunchRequest &request, const FaultRecord *record);

  const std::shared_ptr<DriverStream> opened;
  CudaContext &context;
  const CuStream stream;
};

} // namespace spl::detail

#endif
