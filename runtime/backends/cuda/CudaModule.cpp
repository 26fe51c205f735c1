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

CudaModule::~CudaModule() {
  if (!opened.inMakingProcess())
    return;
  CudaContext::Current current(opened);
  if (current)
    opened.driver.moduleUnload(module);
}

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

CudaModule::Function CudaModule::load(const Signature &kernel, std::size_t version) const {
  const Driver &driver = opened.driver;
  const std::string name = abi::entryName(kernel.name()) + abi::versionSuffix(version);
  const bool isOfContract = version != abi::Contract::Checked;
  Function loaded;
  const CuResult result = driver.moduleGetFunction(&loaded.handle, module, name.c_str());
  if (result == CuResult::NotFound) {
    ErrorInfo info = driver.describe(result, driver.moduleGetFunction.name);
    info.code = ErrorCode::InvalidImage;
    info.message = "the image's signatures " +
                   std::string(isOfContract ? "have a launch contract for" : "name") +
                   " a kernel '" + name + "' that is not in it";
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
      opened.driver.moduleGetGlobal(&address, &size, module, SPL_FAULT_TABLE_NAME);
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

void CudaModule::loadKernels() {
  if (std::any_of(kernels.begin(), kernels.end(),
                  [](const Signature &kernel) { return kernel.takesFaultRecord(); }))
    loadFaultTable();
  for (const Signature &kernel : kernels) {
    Versions &versions = loaded.emplace_back();
    for (std::size_t version = 0; version != kernel.versionCount(); ++version)
      versions.push_back(load(kernel, version));
  }
}

/// The first release whose drivers are known to accept another kernel for a node of a graph. The
/// manual of CUDA 11.1 requires the kernel that was captured.
static constexpr int firstToExchangeKernels = 12000;

CuFunction CudaModule::function(const LaunchRequest &request, bool inGraph) const {
  const Versions &versions = loaded[request.kernel];
  const Function &checked = versions.front();
  if (inGraph && opened.driver.version < firstToExchangeKernels)
    return checked.handle;
  // The limits are tested with the attributes of the version with all checks, even if another one
  // runs.
  const auto &[groups, local, workItems, shared, noLimit] = request.geometry;
  const Function &selected = versions[request.version];
  const bool fits = local[0] * local[1] * local[2] <=
                        std::min(selected.attributes.groupSize, checked.attributes.groupSize) &&
                    shared + selected.attributes.sharedBytes <= opened.info.limits.sharedBytes;
  return fits ? selected.handle : checked.handle;
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
  return groupsPerUnit(loaded[kernel].front(), groupSize, sharedBytes);
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
  for (const Function &version : loaded[kernel]) // whichever runs
    each = std::min<std::int64_t>(each, groupsPerUnit(version, groupSize, sharedBytes));
  return {units * each, std::to_string(units) + " multiprocessors run " + std::to_string(each) +
                            " groups of " + std::to_string(groupSize) + " work-items each"};
}

std::int64_t CudaModule::suggestedGroupSize(std::size_t kernel, std::int64_t sharedBytes) const {
  CudaContext::Current current = opened.enter();
  int groups = 0, size = 0;
  opened.call(opened.driver.occupancyMaxPotentialBlockSize, &groups, &size,
              loaded[kernel].front().handle, nullptr, static_cast<std::size_t>(sharedBytes), 0);
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

std::unique_ptr<BackendModule> CudaContext::load(Image image) {
  Current current = enter();
  auto *compiled = std::get_if<CompiledCode>(&image);
  const auto *code = std::get_if<DeviceCode>(&image);
  if (!compiled && !code)
    fail({.code = ErrorCode::UnsupportedOnTarget,
          .message = "the image is code for the CPU; a GPU runs PTX, a cubin or a fatbin",
          .hint = "compile for the target sm_" + std::to_string(info.capability)});
  std::vector<Signature> kernels = compiled ? std::move(compiled->kernels) : kernelsOf(*code);
  const std::string &bytes = compiled ? compiled->bytes : code->bytes;

  enum JitOption : int { ErrorLogBuffer = 5, ErrorLogBufferSize = 6 };
  int options[] = {ErrorLogBuffer, ErrorLogBufferSize};
  std::string log(logSize, '\0');
  void *values[] = {log.data(), reinterpret_cast<void *>(logSize - 1)};
  CuModule module = nullptr;
  CuResult result = driver.moduleLoadDataEx(&module, bytes.c_str(), 2, options, values);
  log.resize(log.find('\0'));
  if (result == CuResult::OutOfMemory || endsContext(result))
    check(result, driver.moduleLoadDataEx.name);
  if (result != CuResult::Success)
    fail(describeLoadFailure(driver, result, log));

  auto loaded = std::make_unique<CudaModule>(self(), std::move(kernels), module);
  loaded->loadKernels();
  return loaded;
}

void CudaModule::requireShared(std::size_t kernel, std::int64_t bytes) const {
  const std::int64_t own = loaded[kernel].front().attributes.sharedBytes;
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
