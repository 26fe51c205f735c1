// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/cuda/CudaBackend.h"

#include "runtime/cuda/CudaContext.h"
#include "runtime/cuda/Driver.h"

#include <cstdio>

namespace spl::detail {

// The attributes of a device that are asked for, by the driver's numbers.
enum Attribute : int {
  MaxThreadsPerBlock = 1,
  MaxBlockDimX = 2,
  MaxGridDimX = 5,
  MaxSharedMemoryPerBlock = 8,
  MultiprocessorCount = 16,
  MaxThreadsPerMultiprocessor = 39,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
};

static BackendStatus cudaStatus() {
  DriverState state = cudaDriver();
  return {Backend::Cuda, state.driver != nullptr, state.reason};
}

/// Lower-case hexadecimal in the usual groups of 8, 4, 4, 4 and 12 digits.
static std::string uuidText(const CuUuid &uuid) {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x", uuid.bytes[i]);
    text += (i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "") + std::string(digits);
  }
  return text;
}

static DeviceInfo describeDevice(const Driver &driver, int index) {
  DeviceInfo info;
  info.backend = Backend::Cuda;
  info.index = index;
  info.driverVersion = driver.version;

  CuDevice device = 0;
  driver.check(driver.deviceGet(&device, index), "cuDeviceGet");
  char name[256] = {};
  driver.check(driver.deviceGetName(name, sizeof name - 1, device), "cuDeviceGetName");
  info.name = name;
  std::size_t bytes = 0;
  driver.check(driver.deviceTotalMem(&bytes, device), "cuDeviceTotalMem");
  info.memoryTotal = bytes;
  if (CuUuid uuid = {}; driver.deviceGetUuid) {
    driver.check(driver.deviceGetUuid(&uuid, device), "cuDeviceGetUuid");
    info.uuid = uuidText(uuid);
  }

  auto attribute = [&](int which) {
    int value = 0;
    driver.check(driver.deviceGetAttribute(&value, which, device), "cuDeviceGetAttribute");
    return value;
  };
  info.computeUnits = attribute(MultiprocessorCount);
  info.capability = 10 * attribute(ComputeCapabilityMajor) + attribute(ComputeCapabilityMinor);
  info.limits.groupSize = attribute(MaxThreadsPerBlock);
  info.limits.sharedBytes = attribute(MaxSharedMemoryPerBlock);
  info.limits.unitSize = attribute(MaxThreadsPerMultiprocessor);
  for (int axis = 0; axis < 3; ++axis) {
    info.limits.localSize[axis] = attribute(MaxBlockDimX + axis);
    info.limits.numGroups[axis] = attribute(MaxGridDimX + axis);
  }
  return info;
}

static std::vector<DeviceInfo> cudaDevices() {
  DriverState state = cudaDriver();
  std::vector<DeviceInfo> result;
  for (int index = 0; index < state.deviceCount; ++index)
    result.push_back(describeDevice(*state.driver, index));
  return result;
}

constinit const BackendEntry cudaBackend = {cudaStatus, cudaDevices, openCudaContext};

} // namespace spl::detail
