// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loads images into a GPU and finds their kernels.
#include "runtime/backends/cuda/CudaModule.h"

#include "runtime/backends/cuda/CudaImage.h"
#include "runtime/backends/cuda/CudaWork.h"
#include "runtime/launch/Arguments.h"
#include "runtime/launch/LaunchContract.h"
#include "spl/abi/Names.h"

#include <algorithm>
#include <limits>

namespace spl::detail {

// The driver's numbers of the function attributes that are used here.
enum FunctionAttribute : int {
  MaxThreadsPerBlock = 0,
  SharedSizeBytes = 1,
  ConstSizeBytes = 2,
  LocalSizeBytes = 3,
  NumRegs = 4,
  MaxDynamicSharedSizeBytes = 8,
};

/// The shared memory of a group that a kernel may use without setting an attribute.
static constexpr std::int64_t sharedWithoutLeave = 48 << 10;

CudaModule::Function CudaModule::find(const DriverModule &code, const std::string &entry,
                                      bool isOfContract) const {
  const Driver &driver = opened.driver;
  Function loaded;
  const CuResult result = driver.moduleGetFunction(&loaded.handle, code.handle, entry.c_str());
  if (result == CuResult::NotFound) {
    ErrorInfo info = driver.describe(result, driver.moduleGetFunction.name);
    info.code = ErrorCode::InvalidImage;
    info.message = "the image's signatures " +
                   std::string(isOfContract ? "have a launch contract for" : "name") +
                   " a kernel '" + entry + "' that is not in it";
    info.hint = isOfContract ? "leave out 'unchecked if ...', or compile it again" : "";
    opened.fail(std::move(info));
  }
  opened.check(result, driver.moduleGetFunction.name);
  if (driver.funcLoad)
    opened.call(driver.funcLoad, loaded.handle);
  auto attribute = [&](FunctionAttribute which) { // drivers without funcLoad load the function here
    int value = 0;
    opened.call(driver.funcGetAttribute, &value, which, loaded.handle);
    return value;
  };
  loaded.attributes = {.registers = attribute(NumRegs),
                       .sharedBytes = attribute(SharedSizeBytes),
                       .localBytes = attribute(LocalSizeBytes),
                       .constantBytes = attribute(ConstSizeBytes),
                       .groupSize = attribute(MaxThreadsPerBlock)};
  // The attribute is set at loading, because a launch may be captured.
  if (opened.info.limits.sharedBytes > sharedWithoutLeave)
    opened.call(driver.funcSetAttribute, loaded.handle, MaxDynamicSharedSizeBytes,
                static_cast<int>(opened.info.limits.sharedBytes - loaded.attributes.sharedBytes));
  return loaded;
}

/// Reads the table of checks from the loaded image, whichever form that has.
void CudaModule::loadFaultTable() {
  CuDevicePtr address = 0;
  std::size_t size = 0;
  const CuResult result =
      opened.driver.moduleGetGlobal(&address, &size, code.handle, SPL_FAULT_TABLE_NAME);
  if (result == CuResult::NotFound) {
    ErrorInfo info = opened.driver.describe(result, opened.driver.moduleGetGlobal.name);
    info.code = ErrorCode::InvalidImage;
    info.message = "the image's kernels report faults, but it has no table of checks";
    info.hint = "compile it again";
    opened.fail(std::move(info));
  }
  opened.check(result, opened.driver.moduleGetGlobal.name);
  // Not in the default stream: it may have work, and captures of others may forbid it.
  const DriverStream stream(opened.self(), /*priority=*/0);
  std::string bytes(size, '\0');
  opened.call(opened.driver.memcpyDtoHAsync, bytes.data(), address, size, stream.handle);
  opened.call(opened.driver.streamSynchronize, stream.handle);
  checks = std::make_shared<const FaultTable>(bytes);
}

void CudaModule::loadKernels(const std::set<std::string> &later) {
  if (std::any_of(kernels.begin(), kernels.end(),
                  [](const Signature &kernel) { return kernel.takesFaultRecord(); }))
    loadFaultTable();
  for (const Signature &kernel : kernels) {
    Versions &all = versions.emplace_back();
    for (std::size_t number = 0; number != kernel.versionCount(); ++number) {
      Version &version = all.emplace_back();
      version.entry = abi::entryName(kernel.name()) + abi::versionSuffix(number);
      version.isLater = compileLater && kernel.versionCount() > 1 &&
                        number != abi::Contract::Unchecked && later.contains(version.entry);
      if (!version.isLater)
        version.function = find(code, version.entry, number != abi::Contract::Checked);
    }
  }
}

CudaModule::CudaModule(const std::shared_ptr<CudaContext> &opened, CompiledCode given)
    : BackendModule(opened, std::move(given.kernels)), opened(*opened), code(*opened, given.bytes),
      compileLater(std::move(given.compileLater)) {
  loadKernels(given.later);
  if (!given.later.empty())
    opened->laterModules.add(*this);
}

CudaModule::~CudaModule() {
  if (opened.inMakingProcess())
    opened.laterModules.remove(*this);
}

const CudaModule::Function &CudaModule::usual(std::size_t kernel) const {
  const Versions &all = versions[kernel];
  return all[all.front().isLater ? abi::Contract::Unchecked : abi::Contract::Checked].function;
}

namespace {

/// Exempts this thread from the rules of captures of other libraries as long as the object exists.
/// Without that, loading code would fail in it, and would make such a capture fail.
class CaptureExemption {
public:
  explicit CaptureExemption(const Driver &driver) : driver(driver) { exchange(); }
  ~CaptureExemption() { exchange(); }
  CaptureExemption(const CaptureExemption &) = delete;
  CaptureExemption &operator=(const CaptureExemption &) = delete;

private:
  /// A failure changes nothing: the driver then refuses to load if there is a capture.
  void exchange() {
    if (driver.threadExchangeCaptureMode)
      driver.threadExchangeCaptureMode(&mode);
  }

  const Driver &driver;
  int mode = 2; ///< relaxed; in between, the mode that the thread had
};

} // namespace

const CudaModule::Function &CudaModule::loaded(std::size_t kernel, std::size_t number) const {
  Version &version = versions[kernel][number];
  if (version.isLater)
    std::call_once(version.once, [&] {
      const std::string image = compileLater(version.entry, usual(kernel).attributes.groupSize);
      const CudaContext::Current current = opened.enter();
      const CaptureExemption exemption(opened.driver);
      auto own = std::make_unique<const DriverModule>(opened, image);
      version.function = find(*own, version.entry, /*isOfContract=*/true);
      version.own = std::move(own);
    });
  return version.function;
}

void CudaModule::loadLater() const {
  for (std::size_t kernel = 0; kernel != versions.size(); ++kernel)
    for (std::size_t number = 0; number != versions[kernel].size(); ++number)
      loaded(kernel, number);
}

void LaterModules::add(const CudaModule &module) {
  const std::lock_guard lock(mutex);
  modules.insert(&module);
}

void LaterModules::remove(const CudaModule &module) {
  const std::lock_guard lock(mutex);
  modules.erase(&module);
}

void LaterModules::load() {
  const std::lock_guard lock(mutex);
  for (const CudaModule *module : modules)
    module->loadLater();
}

/// The first release whose drivers are known to accept another kernel for a node of a graph. The
/// manual of CUDA 11.1 requires the kernel that was captured.
static constexpr int firstToExchangeKernels = 12000;

CuFunction CudaModule::function(const LaunchRequest &request, bool inGraph) const {
  if (inGraph && opened.driver.version < firstToExchangeKernels)
    return loaded(request.kernel, abi::Contract::Checked).handle;
  const auto &[groups, local, workItems, shared, noLimit] = request.geometry;
  const auto fits = [&, local = local, shared = shared](const Function &version) {
    return local[0] * local[1] * local[2] <= version.attributes.groupSize &&
           shared + version.attributes.sharedBytes <= opened.info.limits.sharedBytes;
  };
  // The limits are those of the usual version, even if another one runs. The driver reports the
  // error.
  if (!fits(usual(request.kernel)))
    return usual(request.kernel).handle;
  const Function &selected = loaded(request.kernel, request.version);
  return fits(selected) ? selected.handle : loaded(request.kernel, abi::Contract::Checked).handle;
}

int CudaModule::groupsPerUnit(const Function &function, std::int64_t groupSize,
                              std::int64_t sharedBytes) const {
  CudaContext::Current current = opened.enter();
  int groups = 0;
  opened.call(opened.driver.occupancyMaxActiveBlocks, &groups, function.handle,
              static_cast<int>(groupSize), static_cast<std::size_t>(sharedBytes));
  return groups;
}

int CudaModule::groupsPerUnit(std::size_t kernel, std::int64_t groupSize,
                              std::int64_t sharedBytes) const {
  return groupsPerUnit(usual(kernel), groupSize, sharedBytes);
}

CooperativeLimit CudaModule::cooperativeLimit(std::size_t kernel, std::int64_t groupSize,
                                              std::int64_t sharedBytes) const {
  constexpr int cooperativeLaunch = 95; // the driver's number of the device attribute
  CudaContext::Current current = opened.enter();
  int isSupported = 0;
  opened.call(opened.driver.deviceGetAttribute, &isSupported, cooperativeLaunch, opened.device);
  if (!isSupported)
    opened.fail({.code = ErrorCode::UnsupportedOnTarget,
                 .message = "launch of " + kernels[kernel].name() +
                            ": it has a grid barrier, and the device has no cooperative launches",
                 .hint = "split the kernel at the barrier into several launches"});
  const std::int64_t units = opened.info.computeUnits;
  std::int64_t each = std::numeric_limits<std::int64_t>::max();
  for (std::size_t number = 0; number != versions[kernel].size(); ++number) // whichever runs
    each =
        std::min<std::int64_t>(each, groupsPerUnit(loaded(kernel, number), groupSize, sharedBytes));
  return {units * each, std::to_string(units) + " multiprocessors run " + std::to_string(each) +
                            " groups of " + std::to_string(groupSize) + " work-items each"};
}

std::int64_t CudaModule::suggestedGroupSize(std::size_t kernel, std::int64_t sharedBytes) const {
  CudaContext::Current current = opened.enter();
  int groups = 0, size = 0;
  opened.call(opened.driver.occupancyMaxPotentialBlockSize, &groups, &size, usual(kernel).handle,
              nullptr, static_cast<std::size_t>(sharedBytes), 0);
  return size;
}

/// The maximum size of the text of the driver's compiler.
static constexpr std::size_t logSize = 16384;

/// Describes why the driver refused an image, as far as its result says.
static ErrorInfo describeLoadFailure(const Driver &driver, CuResult result,
                                     const std::string &log) {
  ErrorInfo info = driver.describe(result, driver.moduleLoadDataEx.name);
  switch (result) {
  case CuResult::NoBinaryForGpu:
    info.code = ErrorCode::UnsupportedOnTarget;
    info.hint = "compile for this device's capability or a lower one";
    break;
  case CuResult::UnsupportedPtxVersion:
    info.code = ErrorCode::UnsupportedOnTarget;
    info.hint = "update the CUDA driver, or compile for a lower PTX version";
    break;
  default: // any other result is an error of the image
    info.code = ErrorCode::InvalidImage;
  }
  if (!log.empty())
    info.message += "\n" + log;
  return info;
}

static CuModule loadImage(const CudaContext &opened, const std::string &image) {
  const Driver &driver = opened.driver;
  enum JitOption : int { ErrorLogBuffer = 5, ErrorLogBufferSize = 6 };
  int options[] = {ErrorLogBuffer, ErrorLogBufferSize};
  std::string log(logSize, '\0');
  void *values[] = {log.data(), reinterpret_cast<void *>(logSize - 1)};
  CuModule module = nullptr;
  CuResult result = driver.moduleLoadDataEx(&module, image.c_str(), 2, options, values);
  log.resize(log.find('\0'));
  if (result == CuResult::OutOfMemory || endsContext(result))
    opened.check(result, driver.moduleLoadDataEx.name);
  if (result != CuResult::Success)
    opened.fail(describeLoadFailure(driver, result, log));
  return module;
}

DriverModule::DriverModule(const CudaContext &opened, const std::string &image)
    : opened(opened), handle(loadImage(opened, image)) {}

DriverModule::~DriverModule() {
  if (!opened.inMakingProcess())
    return;
  CudaContext::Current current(opened);
  if (current)
    opened.driver.moduleUnload(handle);
}

std::unique_ptr<BackendModule> CudaContext::load(Image image) {
  Current current = enter();
  auto *compiled = std::get_if<CompiledCode>(&image);
  const auto *code = std::get_if<DeviceCode>(&image);
  if (!compiled && !code)
    fail({.code = ErrorCode::UnsupportedOnTarget,
          .message = "the image is code for the CPU; a GPU runs PTX, a cubin or a fatbin",
          .hint = "compile for the target sm_" + std::to_string(info.capability)});
  CompiledCode whole = compiled ? std::move(*compiled) : readImage(*code);
  const bool hasLater = !whole.later.empty();
  auto loaded = std::make_unique<CudaModule>(self(), std::move(whole));
  if (hasLater && captures != 0) // which began before it could load the module's versions
    loaded->loadLater();
  return loaded;
}

void CudaModule::requireShared(std::size_t kernel, std::int64_t bytes) const {
  const std::int64_t own = usual(kernel).attributes.sharedBytes;
  const std::int64_t maxBytes = opened.info.limits.sharedBytes;
  if (bytes + own > maxBytes)
    opened.fail({.code = ErrorCode::LaunchRefused,
                 .message = "launch of " + kernels[kernel].name() + ": shared is " +
                            std::to_string(bytes) + ", and the kernel declares " +
                            std::to_string(own) + "; the device takes at most " +
                            std::to_string(maxBytes) + " together",
                 .hint = "ask for less"});
}

bool takesFaultRecord(const BackendModule &module, std::size_t kernel) {
  return module.kernels[kernel].takesFaultRecord();
}

void describe(FaultRecord &record, const BackendModule &module, std::size_t kernel,
              const Geometry &geometry) {
  record.describe(static_cast<const CudaModule &>(module).faultTable(),
                  module.kernels[kernel].name(), geometry);
}

bool isCooperative(const BackendModule &module, std::size_t kernel) {
  return module.kernels[kernel].isCooperative();
}

KernelParams::KernelParams(const LaunchRequest &request, bool inGraph, const FaultRecord *record)
    : faultRecord(record ? record->address() : 0), counter(record ? record->counterAddress() : 0) {
  auto size = [](std::int64_t value) { return static_cast<unsigned>(value); };
  const auto &[groups, local, workItems, shared, noLimit] = request.geometry;
  const auto &module = static_cast<const CudaModule &>(*request.module);
  module.requireShared(request.kernel, shared);
  params.function = module.function(request, inGraph);
  params.gridX = size(groups[0]);
  params.gridY = size(groups[1]);
  params.gridZ = size(groups[2]);
  params.blockX = size(local[0]);
  params.blockY = size(local[1]);
  params.blockZ = size(local[2]);
  params.sharedBytes = size(shared);
  const std::span<void *const> own = request.arguments.params();
  params.params = const_cast<void **>(own.data()); // the driver only reads them
  if (takesFaultRecord(module, request.kernel))
    append(own, isCooperative(module, request.kernel));
}

KernelParams::KernelParams(const CuKernelNodeParams &launch, std::span<void *const> arguments,
                           const FaultRecord &record)
    : faultRecord(record.address()), counter(record.counterAddress()), params(launch) {
  append(arguments, /*takesCounter=*/counter != 0);
}

/// The driver reads as many pointers as the entry has parameters. Therefore the record may be
/// passed to a version without checks too, which may have no parameter for it.
void KernelParams::append(std::span<void *const> arguments, bool takesCounter) {
  pointers.assign(arguments.begin(), arguments.end());
  if (takesCounter)
    pointers.push_back(&counter);
  pointers.push_back(&faultRecord);
  params.params = pointers.data();
}

} // namespace spl::detail
