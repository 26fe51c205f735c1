// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A CUDA driver whose functions do nothing and return success. It measures the time that the
// runtime itself takes. Only functions whose results the runtime needs return values: a device, a
// context, memory of the device and of the host, the table of checks of a module.
#include "runtime/backends/cuda/Driver.h"
#include "spl/fault_record.h"

#include <cstdlib>
#include <cstring>
#include <string_view>

using namespace spl::detail;

template <typename... Parameters> static CuResult nothing(Parameters...) {
  return CuResult::Success;
}

static CuResult version(int *answer) {
  *answer = 13000;
  return CuResult::Success;
}
static CuResult one(int *count) {
  *count = 1;
  return CuResult::Success;
}
static CuResult attribute(int *value, int which, CuDevice) {
  constexpr int major = 75, minor = 76; // of the compute capability, 8.0
  *value = which == major ? 8 : which == minor ? 0 : 1024;
  return CuResult::Success;
}
static CuResult functionAttribute(int *value, int, CuFunction) {
  *value = 1024;
  return CuResult::Success;
}
static CuResult context(CuContext *answer, CuDevice) {
  static int object;
  *answer = reinterpret_cast<CuContext>(&object);
  return CuResult::Success;
}
static CuResult memory(CuDevicePtr *address, std::size_t bytes) {
  static CuDevicePtr next = 1 << 20;
  *address = next;
  next += (bytes + 255) / 256 * 256;
  return CuResult::Success;
}
static CuResult hostMemory(void **address, std::size_t bytes) {
  *address = std::malloc(bytes);
  return CuResult::Success;
}
static CuResult freeHostMemory(void *address) {
  std::free(address);
  return CuResult::Success;
}

/// A table without checks (FaultTable), at an address that memory() does not return.
struct EmptyTable {
  std::uint32_t magic = SPL_FAULT_TABLE_MAGIC, version = SPL_FAULT_VERSION;
  std::uint8_t sites = 0, texts = 0;
};
constexpr CuDevicePtr tableAddress = 256;
constexpr std::size_t tableSize = 2 * sizeof(std::uint32_t) + 2;

static CuResult global(CuDevicePtr *address, std::size_t *bytes, CuModule, const char *) {
  *address = tableAddress;
  *bytes = tableSize;
  return CuResult::Success;
}
static CuResult download(void *target, CuDevicePtr source, std::size_t bytes, CuStream) {
  if (source == tableAddress) {
    static const EmptyTable table;
    std::memcpy(target, &table, bytes);
  }
  return CuResult::Success;
}
static CuResult name(CuResult, const char **text) {
  *text = "";
  return CuResult::Success;
}

static Driver table() {
  Driver driver;
  auto fill = []<typename... Parameters>(DriverEntry<CuResult(Parameters...)> &entry) {
    entry.function = nothing<Parameters...>;
  };
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS) fill(driver.MEMBER);
#include "runtime/backends/cuda/DriverTable.def"
  driver.driverGetVersion.function = version;
  driver.deviceGetCount.function = one;
  driver.deviceGetAttribute.function = attribute;
  driver.funcGetAttribute.function = functionAttribute;
  driver.primaryCtxRetain.function = context;
  driver.memAlloc.function = memory;
  driver.memAllocHost.function = hostMemory;
  driver.memFreeHost.function = freeHostMemory;
  driver.moduleGetGlobal.function = global;
  driver.memcpyDtoHAsync.function = download;
  driver.getErrorName.function = name;
  driver.getErrorString.function = name;
  return driver;
}

extern "C" CuResult cuGetProcAddress_v2(const char *wanted, void **function, int, std::uint64_t,
                                        int *) {
  static const Driver driver = table();
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                                      \
  if (wanted == std::string_view(NAME)) {                                                          \
    *function = reinterpret_cast<void *>(driver.MEMBER.function);                                  \
    return CuResult::Success;                                                                      \
  }
#include "runtime/backends/cuda/DriverTable.def"
  return CuResult::NotFound;
}
