// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A backend for tests. It has memory but runs no kernels. It shows which interfaces a backend
// implements, and that no other part of the runtime changes for a new backend.
#include "runtime/backends/BackendContext.h"
#include "runtime/backends/Registry.h"

#include <chrono>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace spl::detail {

namespace {

/// Memory of the host that the backend presents as memory of the device.
class NullMemory final : public Allocation {
public:
  NullMemory(std::shared_ptr<BackendContext> context, void *memory, std::size_t bytes, bool isHosts)
      : Allocation(std::move(context), reinterpret_cast<std::uint64_t>(memory), bytes),
        isHosts(isHosts) {}
  ~NullMemory() override { std::free(reinterpret_cast<void *>(address)); }

  bool isHostAccessible() const override { return isHosts; }

private:
  const bool isHosts;
};

[[noreturn]] void failUnsupported(const BackendContext &context, const std::string &what) {
  throw Error({.code = ErrorCode::UnsupportedOnTarget,
               .message = "the null backend " + what,
               .context = context.describe(),
               .hint = "use another backend"});
}

void *hostPointer(std::uint64_t address) { return reinterpret_cast<void *>(address); }

/// Operations run at once, so an event is always reached.
class NullEvent final : public BackendEvent {
public:
  bool query() override { return true; }
  float millisecondsSince(BackendEvent &start) override {
    return std::chrono::duration<float, std::milli>(time - static_cast<NullEvent &>(start).time)
        .count();
  }

  std::chrono::steady_clock::time_point time;

private:
  void wait() override {}
};

class NullWork final : public StreamWork {
public:
  void wait() override {}
  bool finish() noexcept override { return true; }
  bool isOver() const noexcept override { return true; }
};

class NullStream final : public BackendStream {
public:
  explicit NullStream(const BackendContext &context)
      : BackendStream(std::make_shared<NullWork>()), context(context) {}

  void upload(const DeviceRange &target, const void *source) override {
    std::memcpy(hostPointer(target.address), source, target.bytes);
  }
  void download(void *target, const DeviceRange &source) override {
    std::memcpy(target, hostPointer(source.address), source.bytes);
  }
  void copy(const DeviceRange &target, const DeviceRange &source) override {
    std::memcpy(hostPointer(target.address), hostPointer(source.address), source.bytes);
  }
  void copyToPeer(const DeviceRange &target, const DeviceRange &source) override {
    copy(target, source);
  }
  void fill(const DeviceRange &target, const void *element, std::size_t elementBytes) override {
    for (std::size_t at = 0; at < target.bytes; at += elementBytes)
      std::memcpy(hostPointer(target.address + at), element, elementBytes);
  }
  void launch(const LaunchRequest &) override { failUnsupported(context, "runs no kernels"); }
  // Never called: there are no graphs.
  void launch(const std::shared_ptr<BackendGraphExec> &) override { std::abort(); }
  void call(std::function<void()> function) override {
    StreamErrors::run(work->errors->add(), function);
  }
  bool query() override { return true; }

private:
  void doRecord(BackendEvent &event) override {
    static_cast<NullEvent &>(event).time = std::chrono::steady_clock::now();
  }
  void doWait(BackendEvent &) override {}
  std::unique_ptr<BackendGraph> startCapture() override {
    failUnsupported(context, "captures no graphs");
  }
  void finishCapture(BackendGraph &) override {}

  const BackendContext &context; ///< outlives its streams
};

class NullModule final : public BackendModule {
public:
  using BackendModule::BackendModule;

  KernelAttributes attributes(std::size_t) const override {
    return {.groupSize = context->info.limits.groupSize};
  }
  int groupsPerUnit(std::size_t, std::int64_t, std::int64_t) const override { return 1; }
  std::int64_t suggestedGroupSize(std::size_t, std::int64_t) const override { return 1; }
  CooperativeLimit cooperativeLimit(std::size_t, std::int64_t, std::int64_t) const override {
    return {1, "it runs no kernels"};
  }
  std::optional<NoTimeLimit> noTimeLimit(std::size_t) const override { return std::nullopt; }
};

class NullContext final : public BackendContext {
public:
  using BackendContext::BackendContext;

  DeviceInfo current() const override { return info; }

  std::shared_ptr<Allocation> allocate(MemoryPlace place, std::size_t bytes) override {
    constexpr std::size_t alignment = 64;
    const std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
    void *memory = rounded < bytes ? nullptr : std::aligned_alloc(alignment, rounded);
    if (!memory)
      throw Error(outOfMemory(bytes, std::nullopt));
    return std::make_shared<NullMemory>(shared_from_this(), memory, bytes,
                                        place != MemoryPlace::Device);
  }
  std::shared_ptr<BackendPool> makePool(const PoolOptions &) override {
    failUnsupported(*this, "has no memory pools");
  }
  void upload(std::uint64_t target, const void *source, std::size_t bytes) override {
    std::memcpy(hostPointer(target), source, bytes);
  }
  void download(void *target, std::uint64_t source, std::size_t bytes) override {
    std::memcpy(target, hostPointer(source), bytes);
  }

  const std::shared_ptr<BackendStream> &defaultStream() override { return stream; }
  std::shared_ptr<BackendStream> makeStream(int) override {
    auto made = std::make_shared<NullStream>(*this);
    asyncErrors.add(made->work->errors);
    return made;
  }
  std::shared_ptr<BackendStream> wrapStream(std::uint64_t, std::function<void()>) override {
    failUnsupported(*this, "has no streams of other libraries");
  }
  std::unique_ptr<BackendEvent> makeEvent() override { return std::make_unique<NullEvent>(); }

  /// Keeps the signatures and ignores the code.
  std::unique_ptr<BackendModule> load(Image image) override {
    const auto *code = std::get_if<HostCode>(&image);
    if (!code)
      failUnsupported(*this, "loads no device code");
    std::vector<Signature> kernels;
    for (const HostKernel &kernel : code->kernels)
      kernels.push_back(kernel.signature);
    return std::make_unique<NullModule>(shared_from_this(), std::move(kernels));
  }
  Image choose(std::vector<BundleImage>) const override {
    failUnsupported(*this, "loads no bundles");
  }

  void sync() override { asyncErrors.rethrow(asyncErrors.now()); }
  DLPackDevice dlpackDevice() const override { failUnsupported(*this, "is unknown to DLPack"); }
  bool reaches(const DLPackDevice &) const override { return false; }
  bool enablePeer(BackendContext &) override { return true; } // all contexts share one memory

private:
  const std::shared_ptr<BackendStream> stream = std::make_shared<NullStream>(*this);
  ContextErrors asyncErrors;
};

DeviceInfo nullDevice() {
  DeviceInfo device;
  device.backend = *backendNamed("null");
  device.name = "null device";
  device.memoryTotal = std::uint64_t{1} << 30;
  device.computeUnits = 1;
  device.limits = {.groupSize = 1,
                   .localSize = {1, 1, 1},
                   .numGroups = {1, 1, 1},
                   .sharedBytes = 0,
                   .unitSize = 1};
  return device;
}

} // namespace

extern constinit const BackendEntry entryOfNull = {
    .runsOnHost = false,
    .isImageTarget = [](std::string_view) { return false; },
    .survey = [] { return Survey{"", {nullDevice()}}; },
    .start = [] { return std::string(); },
    .open = [](int device, const ContextOptions &) -> std::shared_ptr<BackendContext> {
      return device == 0 ? std::make_shared<NullContext>(nullDevice()) : nullptr;
    }};

} // namespace spl::detail
