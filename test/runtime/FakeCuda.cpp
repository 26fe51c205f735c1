// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/runtime/FakeCuda.h"

#include "runtime/cuda/Driver.h"

#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>

using namespace spl::detail;
using spl::test::FakeCuda;

static std::unique_ptr<FakeCuda> state = std::make_unique<FakeCuda>();
static std::recursive_mutex mutex;
static thread_local std::vector<CuContext> currentContexts;

static constexpr std::size_t totalMemory = std::size_t{1} << 30;
static constexpr auto notCurrent = static_cast<CuResult>(201);
static CuContext primary = reinterpret_cast<CuContext>(0x1000);

struct spl::detail::CuFunctionObject {
  std::string name;
  spl_cpu_entry entry;
};
struct spl::detail::CuModuleObject {
  std::map<std::string, std::unique_ptr<CuFunctionObject>> functions;
};

/// What the driver holds for its callers; freed at the latest when a test resets the fake.
struct Free {
  void operator()(void *memory) const { std::free(memory); }
};
static std::map<CuDevicePtr, std::unique_ptr<void, Free>> allocations;
static std::map<CuModule, std::unique_ptr<CuModuleObject>> modules;

extern "C" FakeCuda *spl_fake_cuda(bool reset) {
  std::lock_guard lock(mutex);
  if (reset) {
    *state = FakeCuda();
    allocations.clear();
    modules.clear();
    currentContexts.clear();
  }
  return state.get();
}

/// Counts a call and decides whether it fails by the test's wish.
static CuResult begin(const char *call, bool needsContext = false) {
  std::lock_guard lock(mutex);
  ++state->calls[call];
  if (state->failingCall == call && state->callsBefore-- <= 0)
    return static_cast<CuResult>(state->failingResult);
  if (needsContext && (currentContexts.empty() || currentContexts.back() != primary)) {
    state->mistakes.push_back(std::string(call) + " without the primary context");
    return notCurrent;
  }
  return CuResult::Success;
}

#define BEGIN(...)                                                                                 \
  if (CuResult result = begin(__VA_ARGS__); result != CuResult::Success)                           \
  return result

template <typename T> static void setAll(CuDevicePtr address, T value, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(reinterpret_cast<char *>(address) + i * sizeof value, &value, sizeof value);
}

extern "C" {

CuResult cuInit(unsigned) {
  BEGIN("cuInit");
  return static_cast<CuResult>(state->initResult);
}

CuResult cuDriverGetVersion(int *version) {
  BEGIN("cuDriverGetVersion");
  *version = 12040;
  return CuResult::Success;
}

CuResult cuGetErrorName(CuResult result, const char **text) {
  *text = result == CuResult::OutOfMemory      ? "CUDA_ERROR_OUT_OF_MEMORY"
          : result == CuResult::NoBinaryForGpu ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
          : result == CuResult::IllegalAddress ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                                               : "CUDA_ERROR_OF_SOME_KIND";
  return CuResult::Success;
}

CuResult cuGetErrorString(CuResult result, const char **text) {
  *text = result == CuResult::OutOfMemory ? "out of memory" : "something went wrong";
  return CuResult::Success;
}

CuResult cuDeviceGetCount(int *count) {
  BEGIN("cuDeviceGetCount");
  *count = state->deviceCount;
  return CuResult::Success;
}

CuResult cuDeviceGet(CuDevice *device, int ordinal) {
  BEGIN("cuDeviceGet");
  *device = 100 + ordinal; // a handle is not an index
  return CuResult::Success;
}

CuResult cuDeviceGetName(char *name, int length, CuDevice) {
  BEGIN("cuDeviceGetName");
  std::strncpy(name, "Fake GPU", static_cast<std::size_t>(length));
  return CuResult::Success;
}

CuResult cuDeviceGetUuid_v2(CuUuid *uuid, CuDevice) {
  BEGIN("cuDeviceGetUuid");
  for (int i = 0; i < 16; ++i)
    uuid->bytes[i] = static_cast<unsigned char>(0x11 * i);
  return CuResult::Success;
}

CuResult cuDeviceTotalMem_v2(std::size_t *bytes, CuDevice) {
  BEGIN("cuDeviceTotalMem");
  *bytes = totalMemory;
  return CuResult::Success;
}

CuResult cuDeviceGetAttribute(int *value, int attribute, CuDevice) {
  BEGIN("cuDeviceGetAttribute");
  static const std::map<int, int> values = {{1, 1024},       {2, 1024},  {3, 1024},  {4, 64},
                                            {5, 2147483647}, {6, 65535}, {7, 65535}, {8, 49152},
                                            {16, 132},       {75, 9},    {76, 0}};
  auto found = values.find(attribute);
  if (found == values.end())
    return static_cast<CuResult>(1);
  *value = found->second;
  return CuResult::Success;
}

CuResult cuDevicePrimaryCtxRetain(CuContext *context, CuDevice) {
  BEGIN("cuDevicePrimaryCtxRetain");
  std::lock_guard lock(mutex);
  ++state->retained;
  *context = primary;
  return CuResult::Success;
}

CuResult cuDevicePrimaryCtxRelease_v2(CuDevice) {
  BEGIN("cuDevicePrimaryCtxRelease");
  std::lock_guard lock(mutex);
  --state->retained;
  return CuResult::Success;
}

CuResult cuCtxPushCurrent_v2(CuContext context) {
  BEGIN("cuCtxPushCurrent");
  currentContexts.push_back(context);
  return CuResult::Success;
}

CuResult cuCtxPopCurrent_v2(CuContext *context) {
  BEGIN("cuCtxPopCurrent");
  if (currentContexts.empty())
    return notCurrent;
  *context = currentContexts.back();
  currentContexts.pop_back();
  return CuResult::Success;
}

CuResult cuCtxSynchronize() {
  BEGIN("cuCtxSynchronize", true);
  return CuResult::Success;
}

CuResult cuMemGetInfo_v2(std::size_t *free, std::size_t *total) {
  BEGIN("cuMemGetInfo", true);
  *free = totalMemory / 2;
  *total = totalMemory;
  return CuResult::Success;
}

CuResult cuMemAlloc_v2(CuDevicePtr *address, std::size_t bytes) {
  BEGIN("cuMemAlloc", true);
  if (bytes == 0)
    return static_cast<CuResult>(1);
  void *memory = bytes > totalMemory ? nullptr : std::aligned_alloc(256, (bytes + 255) / 256 * 256);
  if (!memory)
    return CuResult::OutOfMemory;
  *address = reinterpret_cast<CuDevicePtr>(memory);
  std::lock_guard lock(mutex);
  allocations[*address].reset(memory);
  state->liveAllocations = allocations.size();
  return CuResult::Success;
}

CuResult cuMemFree_v2(CuDevicePtr address) {
  BEGIN("cuMemFree", true);
  std::lock_guard lock(mutex);
  if (allocations.erase(address) == 0) {
    state->mistakes.push_back("cuMemFree of an address that is not allocated");
    return static_cast<CuResult>(1);
  }
  state->liveAllocations = allocations.size();
  return CuResult::Success;
}

CuResult cuMemcpyHtoD_v2(CuDevicePtr target, const void *source, std::size_t bytes) {
  BEGIN("cuMemcpyHtoD", true);
  std::memcpy(reinterpret_cast<void *>(target), source, bytes);
  return CuResult::Success;
}

CuResult cuMemcpyDtoH_v2(void *target, CuDevicePtr source, std::size_t bytes) {
  BEGIN("cuMemcpyDtoH", true);
  std::memcpy(target, reinterpret_cast<const void *>(source), bytes);
  return CuResult::Success;
}

CuResult cuMemcpyDtoD_v2(CuDevicePtr target, CuDevicePtr source, std::size_t bytes) {
  BEGIN("cuMemcpyDtoD", true);
  if (source < target + bytes && target < source + bytes)
    state->mistakes.push_back("cuMemcpyDtoD between overlapping ranges");
  std::memmove(reinterpret_cast<void *>(target), reinterpret_cast<const void *>(source), bytes);
  return CuResult::Success;
}

CuResult cuMemsetD8_v2(CuDevicePtr address, unsigned char value, std::size_t count) {
  BEGIN("cuMemsetD8", true);
  setAll(address, value, count);
  return CuResult::Success;
}

CuResult cuMemsetD16_v2(CuDevicePtr address, unsigned short value, std::size_t count) {
  BEGIN("cuMemsetD16", true);
  setAll(address, value, count);
  return CuResult::Success;
}

CuResult cuMemsetD32_v2(CuDevicePtr address, unsigned value, std::size_t count) {
  BEGIN("cuMemsetD32", true);
  setAll(address, value, count);
  return CuResult::Success;
}

CuResult cuModuleLoadDataEx(CuModule *module, const void *image, unsigned count, int *options,
                            void **values) {
  for (unsigned i = 0; i + 1 < count; ++i)
    if (options[i] == 5 && options[i + 1] == 6)
      std::strncpy(static_cast<char *>(values[i]), state->jitLog.c_str(),
                   reinterpret_cast<std::size_t>(values[i + 1]));
  BEGIN("cuModuleLoadDataEx", true);
  auto loaded = std::make_unique<CuModuleObject>();
  std::string_view text = static_cast<const char *>(image);
  for (const auto &[name, entry] : state->kernels)
    if (text.find(".entry " + name + "(") != text.npos)
      loaded->functions[name] = std::make_unique<CuFunctionObject>(CuFunctionObject{name, entry});
  *module = loaded.get();
  std::lock_guard lock(mutex);
  modules[*module] = std::move(loaded);
  state->liveModules = static_cast<int>(modules.size());
  return CuResult::Success;
}

CuResult cuModuleUnload(CuModule module) {
  BEGIN("cuModuleUnload", true);
  std::lock_guard lock(mutex);
  modules.erase(module);
  state->liveModules = static_cast<int>(modules.size());
  return CuResult::Success;
}

CuResult cuModuleGetFunction(CuFunction *function, CuModule module, const char *name) {
  BEGIN("cuModuleGetFunction", true);
  auto found = module->functions.find(name);
  if (found == module->functions.end())
    return CuResult::NotFound;
  *function = found->second.get();
  return CuResult::Success;
}

CuResult cuLaunchKernel(CuFunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                        CuStream, void **params, void **) {
  BEGIN("cuLaunchKernel", true);
  {
    std::lock_guard lock(mutex);
    state->launches.push_back(
        {function->name, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes});
  }
  spl_cpu_launch launch = {{gridX, gridY, gridZ}, {blockX, blockY, blockZ}, nullptr};
  function->entry(params, &launch, 0, std::int64_t{gridX} * gridY * gridZ);
  return CuResult::Success;
}

} // extern "C"

#ifndef SPL_FAKE_CUDA_IS_OLD

/// The fake's functions in the runtime's own table: the types are checked here at compile time.
static Driver table() {
  Driver driver;
  driver.init = cuInit;
  driver.driverGetVersion = cuDriverGetVersion;
  driver.getErrorName = cuGetErrorName;
  driver.getErrorString = cuGetErrorString;
  driver.deviceGetCount = cuDeviceGetCount;
  driver.deviceGet = cuDeviceGet;
  driver.deviceGetName = cuDeviceGetName;
  driver.deviceGetUuid = cuDeviceGetUuid_v2;
  driver.deviceTotalMem = cuDeviceTotalMem_v2;
  driver.deviceGetAttribute = cuDeviceGetAttribute;
  driver.primaryCtxRetain = cuDevicePrimaryCtxRetain;
  driver.primaryCtxRelease = cuDevicePrimaryCtxRelease_v2;
  driver.ctxPushCurrent = cuCtxPushCurrent_v2;
  driver.ctxPopCurrent = cuCtxPopCurrent_v2;
  driver.ctxSynchronize = cuCtxSynchronize;
  driver.memGetInfo = cuMemGetInfo_v2;
  driver.memAlloc = cuMemAlloc_v2;
  driver.memFree = cuMemFree_v2;
  driver.memcpyHtoD = cuMemcpyHtoD_v2;
  driver.memcpyDtoH = cuMemcpyDtoH_v2;
  driver.memcpyDtoD = cuMemcpyDtoD_v2;
  driver.memsetD8 = cuMemsetD8_v2;
  driver.memsetD16 = cuMemsetD16_v2;
  driver.memsetD32 = cuMemsetD32_v2;
  driver.moduleLoadDataEx = cuModuleLoadDataEx;
  driver.moduleUnload = cuModuleUnload;
  driver.moduleGetFunction = cuModuleGetFunction;
  driver.launchKernel = cuLaunchKernel;
  return driver;
}

extern "C" CuResult cuGetProcAddress_v2(const char *name, void **function, int version,
                                        std::uint64_t, int *) {
  static const Driver driver = table();
  std::string_view wanted = name;
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                                      \
  if (wanted == NAME && version >= VERSION) {                                                      \
    *function = reinterpret_cast<void *>(driver.MEMBER);                                           \
    return CuResult::Success;                                                                      \
  }
#include "runtime/cuda/DriverTable.def"
  *function = nullptr;
  return CuResult::NotFound;
}

#endif
