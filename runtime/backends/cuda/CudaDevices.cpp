// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/CudaDevices.h"

#include <cstdio>
#include <utility>

namespace spl::detail {

// The driver's numbers of the device attributes that are read here.
enum Attribute : int {
  MaxThreadsPerBlock = 1,
  MaxBlockDimX = 2,
  MaxGridDimX = 5,
  MultiprocessorCount = 16,
  MaxThreadsPerMultiprocessor = 39,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedMemoryPerBlockOptin = 97,
};

/// Formats \p uuid in lower-case hexadecimal, in groups of 8, 4, 4, 4 and 12 digits.
static std::string uuidText(const CuUuid &uuid) {
  std::string text;
  for (int i = 0; i < 16; ++i) {
    char digits[4];
    std::snprintf(digits, sizeof digits, "%02x", uuid.bytes[i]);
    text += (i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "") + std::string(digits);
  }
  return text;
}

DeviceInfo blankDevice(const Driver &driver, int index) {
  DeviceInfo info;
  info.backend = Backend::Cuda;
  info.index = index;
  info.name = "unknown";
  info.driverVersion = driver.version;
  return info;
}

void describeDevice(const Driver &driver, DeviceInfo &info, const std::string &context) {
  auto call = [&](auto &entry, auto... arguments) {
    if (CuResult result = entry(arguments...); result != CuResult::Success) {
      ErrorInfo error = driver.describe(result, entry.name);
      error.context = context;
      throw Error(std::move(error));
    }
  };
  CuDevice device = 0;
  call(driver.deviceGet, &device, info.index);
  char name[256] = {};
  call(driver.deviceGetName, name, sizeof name - 1, device);
  info.name = name;
  std::size_t bytes = 0;
  call(driver.deviceTotalMem, &bytes, device);
  info.memoryTotal = bytes;
  if (CuUuid uuid = {}; driver.deviceGetUuid) {
    call(driver.deviceGetUuid, &uuid, device);
    info.uuid = uuidText(uuid);
  }

  auto attribute = [&](int which) {
    int value = 0;
    call(driver.deviceGetAttribute, &value, which, device);
    return value;
  };
  info.computeUnits = attribute(MultiprocessorCount);
  info.capability = 10 * attribute(ComputeCapabilityMajor) + attribute(ComputeCapabilityMinor);
  info.limits.groupSize = attribute(MaxThreadsPerBlock);
  info.limits.sharedBytes = attribute(MaxSharedMemoryPerBlockOptin);
  info.limits.unitSize = attribute(MaxThreadsPerMultiprocessor);
  for (int axis = 0; axis < 3; ++axis) {
    info.limits.localSize[axis] = attribute(MaxBlockDimX + axis);
    info.limits.numGroups[axis] = attribute(MaxGridDimX + axis);
  }
}

} // namespace spl::detail
