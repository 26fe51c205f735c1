// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A GPU's streams and events. Streams are not ordered with the legacy default stream; only events
// and waiting on the host order them.
#ifndef SPL_RUNTIME_CUDA_CUDASTREAM_H
#define SPL_RUNTIME_CUDA_CUDASTREAM_H

#include "runtime/core/Release.h"
#include "runtime/cuda/CudaContext.h"
#include "runtime/cuda/HostCalls.h"

#include <memory>
#include <set>
#include <vector>

namespace spl::detail {

class CudaEvent final : public BackendEvent {
public:
  explicit CudaEvent(std::shared_ptr<CudaContext> context);
  ~CudaEvent() override;

  void sync() override;
  bool query() override;
  float millisecondsSince(BackendEvent &start) override;

  CuEvent handle() const { return event; }

  /// It was recorded after all of \p given, its stream's, and of \p graphs that ran there.
  void follow(const std::shared_ptr<HostCalls> &given,
              const std::set<std::shared_ptr<HostCalls>> &graphs);

private:
  const std::shared_ptr<CudaContext> context;
  CuEvent event = nullptr;

  /// What the driver calls and how much of that comes before the event.
  struct Before {
    std::shared_ptr<HostCalls> calls;
    std::uint64_t count;
  };
  std::vector<Before> before;
};

class CudaStream final : public BackendStream {
public:
  /// The legacy default stream of \p context, which owns it.
  explicit CudaStream(CudaContext &context) : context(context) {}
  /// A new one, which keeps its context open.
  CudaStream(std::shared_ptr<CudaContext> opened, int priority);
  /// One of others, who may destroy it when \p release is called.
  CudaStream(std::shared_ptr<CudaContext> opened, CuStream theirs, std::function<void()> release);
  ~CudaStream() override;

  void upload(const DeviceRange &target, const void *source) override;
  void download(void *target, const DeviceRange &source) override;
  void copy(const DeviceRange &target, const DeviceRange &source) override;
  void copyToPeer(const DeviceRange &target, const DeviceRange &source) override;
  void fill(const DeviceRange &target, const void *element, std::size_t elementBytes) override;
  void launch(const LaunchRequest &request) override;
  void launch(const std::shared_ptr<BackendGraphExec> &graph) override;
  void call(std::function<void()> function) override;

  void sync() override;
  /// Not false where the context is lost, and the work with it.
  bool finish() noexcept override;
  bool query() override;

  CuStream handle() const { return stream; }
  std::uint64_t native() const override { return reinterpret_cast<std::uint64_t>(stream); }

  /// Ends the functions of the host that have run, with what they hold.
  void endCalls() { calls->endOver(); }

  /// To be done before it or its context ends: no function may be called afterwards.
  void finishCalls() noexcept;

  CudaContext &context;

private:
  void doRecord(BackendEvent &event) override;
  void doWait(BackendEvent &event) override;
  std::unique_ptr<BackendGraph> startCapture() override;
  void finishCapture(BackendGraph &graph) override;

  /// Waits for all work but what is being captured. The context is current.
  CuResult waitForWork() const;
  void markBeforeCapture();

  const std::shared_ptr<CudaContext> opened; ///< null for the default stream
  CuStream stream = nullptr;
  const bool isWrapped = false; ///< not to be destroyed here
  const Release release;
  CuEvent beforeCapture = nullptr; ///< behind the work before a capture; made by the first
  std::shared_ptr<HostCalls> calls = std::make_shared<HostCalls>();

  std::mutex mutex; ///< whoever uses an array may wait for its streams
  /// Guarded by mutex: of graphs that ran since the last sync.
  std::set<std::shared_ptr<HostCalls>> graphCalls;
};

} // namespace spl::detail

#endif
