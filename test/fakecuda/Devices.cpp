// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Initialisation, version and devices.
#include "test/fakecuda/Call.h"
#include "test/fakecuda/Entries.h"
#include "test/fakecuda/Limits.h"

#include <cstring>

using namespace spl::fake;

/// The error for a query of \p device, if its handle is invalid or it is the sick device.
static CuResult checkDevice(CuDevice device) {
  if (!isDevice(device))
    return give(InvalidDevice);
  return device - firstDevice == state().visible.sickDevice ? give(Unknown) : CuResult::Success;
}

/// The devices are MIG instances of one card. Card and instance have different UUIDs.
enum WhoseUuid { CardsOwn, Instances };

static CuResult getUuid(CuUuid *uuid, CuDevice device, WhoseUuid whose) {
  return enter("cuDeviceGetUuid", Plain, [&](Call &) -> CuResult {
    if (CuResult result = checkDevice(device); result != CuResult::Success)
      return result;
    for (int i = 0; i < 16; ++i)
      uuid->bytes[i] = static_cast<unsigned char>(0x11 * i);
    uuid->bytes[0] = static_cast<unsigned char>(whose == Instances ? device - firstDevice : 0xca);
    return CuResult::Success;
  });
}

extern "C" {

CuResult cuInit(unsigned flags) {
  return enter("cuInit", Always, [&](Call &call) -> CuResult {
    if (flags != 0)
      return call.misuse("with flags");
    state().isInitialized = state().visible.initResult == 0;
    return give(state().visible.initResult);
  });
}

CuResult cuDriverGetVersion(int *version) {
  return enter("cuDriverGetVersion", Always, [&](Call &) -> CuResult {
    *version = state().visible.driverVersion;
    return CuResult::Success;
  });
}

CuResult cuGetErrorName(CuResult result, const char **text) {
  switch (static_cast<int>(result)) {
#define RESULT(CODE, NAME, TEXT)                                                                   \
  case CODE:                                                                                       \
    *text = NAME;                                                                                  \
    return CuResult::Success;
#include "test/fakecuda/Results.def"
  default:
    *text = nullptr;
    return give(InvalidValue);
  }
}

CuResult cuGetErrorString(CuResult result, const char **text) {
  std::lock_guard lock(state().mutex);
  switch (static_cast<int>(result)) {
#define RESULT(CODE, NAME, TEXT)                                                                   \
  case CODE:                                                                                       \
    *text = TEXT;                                                                                  \
    break;
#include "test/fakecuda/Results.def"
  default:
    *text = nullptr;
    return give(InvalidValue);
  }
  // A real driver's text is short. The fake adds the number for the log.
  static std::string longer;
  if (static_cast<int>(result) >= 700 && !state().faultText.empty()) {
    longer = std::string(*text) + " (" + state().faultText + ")";
    *text = longer.c_str();
  }
  return CuResult::Success;
}

CuResult cuDeviceGetCount(int *count) {
  return enter("cuDeviceGetCount", Asks, [&](Call &) -> CuResult {
    *count = state().visible.deviceCount;
    return CuResult::Success;
  });
}

CuResult cuDeviceGet(CuDevice *device, int ordinal) {
  return enter("cuDeviceGet", Plain, [&](Call &) -> CuResult {
    *device = firstDevice + ordinal;
    return isDevice(*device) ? CuResult::Success : give(InvalidDevice);
  });
}

CuResult cuDeviceGetName(char *name, int length, CuDevice device) {
  return enter("cuDeviceGetName", Plain, [&](Call &) -> CuResult {
    if (CuResult result = checkDevice(device); result != CuResult::Success)
      return result;
    std::strncpy(name, "PTX interpreter", static_cast<std::size_t>(length));
    return CuResult::Success;
  });
}

CuResult cuDeviceGetUuid(CuUuid *uuid, CuDevice device) { return getUuid(uuid, device, CardsOwn); }

CuResult cuDeviceGetUuid_v2(CuUuid *uuid, CuDevice device) {
  return getUuid(uuid, device, Instances);
}

CuResult cuDeviceTotalMem_v2(std::size_t *bytes, CuDevice device) {
  return enter("cuDeviceTotalMem", Plain, [&](Call &) -> CuResult {
    *bytes = Context::capacity;
    return checkDevice(device);
  });
}

CuResult cuDeviceGetAttribute(int *value, int attribute, CuDevice device) {
  return enter("cuDeviceGetAttribute", Plain, [&](Call &) -> CuResult {
    if (CuResult result = checkDevice(device); result != CuResult::Success)
      return result;
    const int capability = state().visible.capability;
    const Limits limits = limitsOf(capability);
    // Keys are the values of CUdevice_attribute.
    const std::map<int, int> values = {
        {1, 1024}, // threads per block
        {2, 1024}, // threads along each axis
        {3, 1024},
        {4, 64},
        {5, 2147483647}, // blocks along each axis
        {6, 65535},
        {7, 65535},
        {8, 49152},             // shared memory per block
        {10, 32},               // warp size
        {12, limits.registers}, // registers per block
        {16, multiprocessors},
        {19, 1},                 // can map host memory
        {31, 1},                 // concurrent kernels
        {39, 32 * limits.warps}, // threads per multiprocessor
        {40, 2},                 // copy engines
        {41, 1},                 // unified addressing
        {75, capability / 10},
        {76, capability % 10},
        {78, 1},                                       // stream priorities
        {81, limits.sharedBytes},                      // shared memory per multiprocessor
        {82, limits.registers},                        // registers per multiprocessor
        {83, 1},                                       // managed memory
        {89, 1},                                       // concurrent managed access
        {95, state().visible.isCooperative},           // cooperative launches
        {97, limits.sharedBytes - 1024},               // shared memory per block, opt-in
        {106, limits.blocks},                          // blocks per multiprocessor
        {115, state().visible.driverVersion >= 11020}, // memory pools
    };
    auto found = values.find(attribute);
    if (found == values.end())
      return give(InvalidValue);
    *value = found->second;
    return CuResult::Success;
  });
}

CuResult cuDeviceCanAccessPeer(int *can, CuDevice device, CuDevice peer) {
  return enter("cuDeviceCanAccessPeer", Plain, [&](Call &) -> CuResult {
    if (!isDevice(device) || !isDevice(peer))
      return give(InvalidDevice);
    *can = state().visible.peers.count({device - firstDevice, peer - firstDevice}) != 0;
    return CuResult::Success;
  });
}

} // extern "C"
