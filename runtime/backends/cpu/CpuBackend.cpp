// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuBackend.h"
#include "runtime/backends/Registry.h"

#include "runtime/backends/cpu/CooperativeGroups.h"
#include "runtime/backends/cpu/CpuLaunch.h"
#include "runtime/backends/cpu/CpuMemory.h"
#include "runtime/backends/cpu/CpuObject.h"
#include "runtime/backends/cpu/CpuStream.h"
#include "runtime/backends/cpu/CpuThreads.h"
#include "runtime/interop/ReleaseCallback.h"
#include "runtime/launch/LaunchContract.h"
#include "runtime/system/HostInfo.h"
#include "spl/Error.h"
#include "spl/abi/Limits.h"
#include "spl/abi/Names.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <dlpack/dlpack.h>
#include <mutex>

namespace spl::detail {

/// The same limits as CUDA's, so that a launch that is valid on the CPU is valid on a GPU.
static constexpr DeviceLimits cpuLimits = {.groupSize = abi::maxGroupSize,
                                           .localSize = std::to_array(abi::maxLocalSize),
                                           .numGroups = std::to_array(abi::maxGroups),
                                           .sharedBytes = abi::maxSharedBytes,
                                           .unitSize = abi::maxGroupSize};

namespace {

class CpuModule final : public BackendModule {
public:
  CpuModule(std::shared_ptr<BackendContext> context, std::vector<Signature> kernels, HostCode code)
      : BackendModule(std::move(context), std::move(kernels)), code(std::move(code)) {}

  KernelAttributes attributes(std::size_t) const override {
    return {.groupSize = cpuLimits.groupSize};
  }

  /// A thread runs one group at a time.
  int groupsPerUnit(std::size_t, std::int64_t, std::int64_t) const override { return 1; }

  std::int64_t suggestedGroupSize(std::size_t, std::int64_t) const override { return 256; }

  CooperativeLimit cooperativeLimit(std::size_t, std::int64_t, std::int64_t) const override {
    return {CooperativeGroups::maxCount, "each has a stack of its own"};
  }

  std::optional<NoTimeLimit> noTimeLimit(std::size_t kernel) const override {
    if (code.kernels[kernel].interruptible)
      return std::nullopt;
    return NoTimeLimit{"it was not compiled to be interruptible",
                       "compile it with jit::Options::interruptible, or simple compile "
                       "--interruptible"};
  }

  const HostCode code;
};

class CpuContext final : public BackendContext {
public:
  /// At most \p threads threads run kernels. 0 means no limit.
  CpuContext(const DeviceInfo &device, int threads)
      : BackendContext(withThreads(device, threads)), threads(threads) {}

  DeviceInfo current() const override {
    DeviceInfo now = info;
    now.memoryFree = memoryState().free;
    return now;
  }

  std::shared_ptr<Allocation> allocate(MemoryPlace place, std::size_t bytes) override {
    return allocateCpuMemory(shared_from_this(), place, bytes);
  }
  std::shared_ptr<BackendPool> makePool(const PoolOptions &options) override {
    return std::make_shared<CpuPool>(shared_from_this(), options);
  }

  // A transfer need not wait for the default stream, whose operations are done when their calls
  // return.
  void upload(std::uint64_t target, const void *source, std::size_t bytes) override {
    std::memcpy(reinterpret_cast<void *>(target), source, bytes);
  }
  void download(void *target, std::uint64_t source, std::size_t bytes) override {
    std::memcpy(target, reinterpret_cast<const void *>(source), bytes);
  }

  const std::shared_ptr<BackendStream> &defaultStream() override { return inlineStream; }
  std::shared_ptr<BackendStream> makeStream(int) override;
  std::shared_ptr<BackendStream> wrapStream(std::uint64_t native,
                                            std::function<void()> release) override;
  std::unique_ptr<BackendEvent> makeEvent() override { return std::make_unique<CpuEvent>(); }

  std::unique_ptr<BackendModule> load(Image image) override;
  Image choose(std::vector<BundleImage> images) const override {
    return loadSharedObject(chooseForCpu(std::move(images), describe()));
  }
  void sync() override;
  DLPackDevice dlpackDevice() const override { return {kDLCPU, 0}; }
  bool reaches(const DLPackDevice &device) const override {
    return device.type == kDLCPU || device.type == kDLCUDAHost;
  }
  bool enablePeer(BackendContext &) override {
    return true;
  } // all contexts share the host's memory

  CpuThreads threads;

private:
  static DeviceInfo withThreads(DeviceInfo device, int limit) {
    if (limit != 0)
      device.computeUnits = std::min(device.computeUnits, limit);
    return device;
  }

  const std::shared_ptr<BackendStream> inlineStream = std::make_shared<CpuStream>();
  std::mutex mutex;
  /// The work of all streams, including destroyed streams whose work is not done. Guarded by mutex.
  std::vector<std::weak_ptr<CpuQueue::Work>> works;
  ContextErrors asyncErrors;
};

} // namespace

std::shared_ptr<BackendStream> CpuContext::makeStream(int) {
  auto stream = std::make_shared<CpuStream>(shared_from_this());
  asyncErrors.add(stream->work->errors);
  std::lock_guard lock(mutex);
  std::erase_if(works, [](const auto &weak) {
    const std::shared_ptr<CpuQueue::Work> work = weak.lock();
    return !work || CpuQueue::isOver(*work);
  });
  works.push_back(static_cast<CpuWork &>(*stream->work).tasks);
  return stream;
}

std::shared_ptr<BackendStream> CpuContext::wrapStream(std::uint64_t native,
                                                      std::function<void()> release) {
  if (native != 0)
    throw Error({.code = ErrorCode::UnsupportedOnTarget,
                 .message = "wrapStream: the cpu backend has no streams of other libraries",
                 .context = describe(),
                 .hint = "give 0 for its default stream, or use makeStream"});
  return {std::make_shared<ReleaseCallback>(std::move(release)), inlineStream.get()};
}

void CpuContext::sync() {
  const std::vector<WorkPlace> ends = asyncErrors.now();
  std::vector<std::weak_ptr<CpuQueue::Work>> present;
  {
    std::lock_guard lock(mutex);
    present = works;
  }
  for (const std::weak_ptr<CpuQueue::Work> &weak : present)
    if (std::shared_ptr<CpuQueue::Work> work = weak.lock())
      CpuQueue::wait(*work);
  asyncErrors.rethrow(ends);
}

std::unique_ptr<BackendModule> CpuContext::load(Image image) {
  auto *code = std::get_if<HostCode>(&image);
  if (!code)
    throw Error({.code = ErrorCode::UnsupportedOnTarget,
                 .message = "the image is code for a GPU; the CPU runs code compiled for the host",
                 .context = describe(),
                 .hint = "compile for the target cpu"});
  std::vector<Signature> kernels;
  for (const HostKernel &kernel : code->kernels) {
    kernels.push_back(kernel.signature);
    const std::string &name = kernels.back().name();
    const auto refuse = [&](const std::string &what, const std::string &hint = "") {
      throw Error({.code = ErrorCode::InvalidImage,
                   .message = "kernel " + name + " has " + what,
                   .hint = hint});
    };
    const bool hasContract = kernels.back().launchContract() != nullptr;
    if (!kernel.entry && !kernel.find)
      refuse("no entry");
    if (hasContract && !kernel.unchecked && !kernel.find)
      refuse("a launch contract, and no unchecked entry",
             "give " + std::string(abi::hostEntryPrefix) + abi::entryName(name) +
                 abi::versionSuffix(abi::Contract::Unchecked) +
                 " too, or leave 'unchecked if ...' out of the signature");
    if (!hasContract && kernel.unchecked)
      refuse("an unchecked entry, and no launch contract",
             "give the signature with its 'unchecked if ...', or no such entry");
    const std::size_t groups = kernels.back().versionCount() - abi::Contract::FirstUnmet;
    if (!kernel.unmet.empty() &&
        (!hasContract || kernel.unmet.size() != groups ||
         (!kernel.find && std::ranges::find(kernel.unmet, nullptr) != kernel.unmet.end())))
      refuse("entries for unmet groups of conditions that are not those of its launch contract",
             "give one for each group if there are several groups, or none");
  }
  return std::make_unique<CpuModule>(shared_from_this(), std::move(kernels), std::move(*code));
}

/// The entry of a version. The versions for unmet groups may be missing.
static spl_cpu_entry entryOf(const HostKernel &kernel, std::size_t version) {
  if (version >= abi::Contract::FirstUnmet && kernel.unmet.empty())
    version = abi::Contract::Checked;
  spl_cpu_entry entry = kernel.entry;
  if (version == abi::Contract::Unchecked)
    entry = kernel.unchecked;
  else if (version >= abi::Contract::FirstUnmet)
    entry = kernel.unmet[version - abi::Contract::FirstUnmet];
  return entry ? entry : kernel.find(version);
}

void runKernel(const BackendModule &module, std::size_t kernel, std::size_t version,
               const Geometry &geometry, void *const *params) {
  const HostKernel &code = static_cast<const CpuModule &>(module).code.kernels[kernel];
  auto &context = static_cast<CpuContext &>(*module.context);
  if (code.instrumented)
    return runChecked(code.entry, geometry, params, context.threads, module.kernels[kernel],
                      context.info.name);
  const Signature &signature = module.kernels[kernel];
  const auto run = signature.isCooperative() ? runCooperative : runGroups;
  run(entryOf(code, version), geometry, params, context.threads, signature.name(),
      context.info.name);
}

static DeviceInfo cpuDevice() {
  DeviceInfo device;
  device.backend = Backend::Cpu;
  device.name = cpuName();
  MemoryState memory = memoryState();
  device.memoryTotal = memory.total;
  device.memoryFree = memory.free;
  device.computeUnits = machineThreads();
  device.limits = cpuLimits;
  return device;
}

extern constinit const BackendEntry entryOfCpu = {
    .runsOnHost = true,
    .isImageTarget = isCpuLevel,
    .survey = [] { return Survey{"", {cpuDevice()}}; },
    .start = [] { return std::string(); },
    .open = [](int device, const ContextOptions &options) -> std::shared_ptr<BackendContext> {
      return device == 0 ? std::make_shared<CpuContext>(cpuDevice(), options.cpuThreads) : nullptr;
    }};

} // namespace spl::detail
