// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cpu/CpuBackend.h"

#include "runtime/core/ForkGuard.h"
#include "runtime/cpu/CpuInfo.h"
#include "runtime/cpu/CpuLaunch.h"
#include "spl/Error.h"

#include <cstdlib>
#include <cstring>
#include <oneapi/tbb/info.h>
#include <sys/mman.h>

namespace spl::detail {

namespace {

class CpuModule final : public BackendModule {
public:
  CpuModule(std::shared_ptr<BackendContext> context, std::vector<Signature> kernels, HostCode code)
      : BackendModule(std::move(context), std::move(kernels)), code(std::move(code)) {}

  const HostCode code;
};

class CpuContext final : public BackendContext {
public:
  using BackendContext::BackendContext;

  DeviceInfo current() const override {
    DeviceInfo now = info;
    now.memoryFree = memoryState().free;
    return now;
  }

  std::uint64_t allocate(std::size_t bytes) override;

  void release(std::uint64_t address) noexcept override {
    std::free(reinterpret_cast<void *>(address));
  }

  // Launches have ended when they return, so a transfer has nothing to wait for.
  void upload(std::uint64_t target, const void *source, std::size_t bytes) override {
    requireSameProcess();
    std::memcpy(reinterpret_cast<void *>(target), source, bytes);
  }
  void download(void *target, std::uint64_t source, std::size_t bytes) override {
    requireSameProcess();
    std::memcpy(target, reinterpret_cast<const void *>(source), bytes);
  }
  void fill(std::uint64_t target, const void *element, std::size_t elementBytes,
            std::size_t count) override;

  std::unique_ptr<BackendModule> load(Image image) override;
  void launch(const BackendModule &module, std::size_t kernel, const Geometry &geometry,
              void *const *params) override;
  void sync() override { requireSameProcess(); }

private:
  /// The thread pool's threads are not copied by fork, so a launch in the child would wait forever.
  void requireSameProcess() const {
    if (!guard.inMakingProcess())
      throw Error({.code = ErrorCode::ForkedProcess,
                   .message = "this context was opened before fork, in the parent process",
                   .context = describe(),
                   .remedy = "open a context in the child"});
  }

  ForkGuard guard;
};

} // namespace

/// Enough for any vector register and the cache's lines.
static constexpr std::size_t smallAlignment = 64;

/// Large arrays begin on a huge page and ask for more of them: streaming kernels are bound by
/// memory, and small pages cost them dearly.
static constexpr std::size_t hugePage = std::size_t{2} << 20;

/// The system promises memory that it does not have, and ends the process when it is touched, so
/// sizes that matter are compared with what is really there.
static constexpr std::size_t checkedSize = std::size_t{64} << 20;

std::uint64_t CpuContext::allocate(std::size_t bytes) {
  requireSameProcess();
  auto refuse = [&](std::uint64_t free) {
    throw Error({.code = ErrorCode::OutOfMemory,
                 .message = "out of memory: " + std::to_string(bytes) + " bytes asked, " +
                            std::to_string(free) + " free",
                 .context = describe(),
                 .remedy = "free arrays or use smaller ones"});
  };
  if (bytes >= checkedSize)
    if (std::uint64_t free = memoryState().free; bytes > free)
      refuse(free);
  std::size_t alignment = bytes >= hugePage ? hugePage : smallAlignment;
  std::size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  void *memory = std::aligned_alloc(alignment, rounded);
  if (!memory)
    refuse(memoryState().free);
  if (alignment == hugePage)
    madvise(memory, rounded, MADV_HUGEPAGE); // a wish; without it small pages do
  return reinterpret_cast<std::uint64_t>(memory);
}

void CpuContext::fill(std::uint64_t target, const void *element, std::size_t elementBytes,
                      std::size_t count) {
  requireSameProcess();
  char *begin = reinterpret_cast<char *>(target);
  std::size_t bytes = elementBytes * count;
  std::memcpy(begin, element, elementBytes);
  // Doubling copies what is already there: a memcpy of any pattern at the speed of a large one.
  for (std::size_t done = elementBytes; done < bytes;) {
    std::size_t step = std::min(done, bytes - done);
    std::memcpy(begin + done, begin, step);
    done += step;
  }
}

std::unique_ptr<BackendModule> CpuContext::load(Image image) {
  requireSameProcess();
  auto *code = std::get_if<HostCode>(&image);
  if (!code)
    throw Error({.code = ErrorCode::UnsupportedOnTarget,
                 .message = "the image is code for a GPU; the CPU runs code compiled for the host",
                 .context = describe(),
                 .remedy = "compile for the target cpu"});
  std::vector<Signature> kernels;
  for (const HostKernel &kernel : code->kernels) {
    kernels.push_back(Signature::parse(kernel.signature));
    if (!kernel.entry)
      throw Error({.code = ErrorCode::InvalidImage,
                   .message = "kernel " + kernels.back().name() + " has no entry"});
  }
  return std::make_unique<CpuModule>(shared_from_this(), std::move(kernels), std::move(*code));
}

void CpuContext::launch(const BackendModule &module, std::size_t kernel, const Geometry &geometry,
                        void *const *params) {
  requireSameProcess();
  const auto &code = static_cast<const CpuModule &>(module).code;
  runGroups(code.kernels[kernel].entry, geometry, params,
            module.kernels[kernel].name() + " on " + info.name);
}

static std::vector<DeviceInfo> cpuDevices() {
  DeviceInfo device;
  device.backend = Backend::Cpu;
  device.name = cpuName();
  MemoryState memory = memoryState();
  device.memoryTotal = memory.total;
  device.memoryFree = memory.free;
  device.computeUnits = tbb::info::default_concurrency();
  // The same as CUDA's, so that what runs here also runs there.
  device.limits = {.groupSize = 1024,
                   .localSize = {1024, 1024, 64},
                   .numGroups = {2147483647, 65535, 65535},
                   .sharedBytes = 49152};
  return {device};
}

constinit const BackendEntry cpuBackend = {
    [] {
      return BackendStatus{Backend::Cpu, true, ""};
    },
    cpuDevices,
    [](const DeviceInfo &device) -> std::shared_ptr<BackendContext> {
      return std::make_shared<CpuContext>(device);
    }};

} // namespace spl::detail
