// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The driver itself, its devices and contexts.
#include "test/fakecuda/Entries.h"
#include "test/fakecuda/State.h"

#include <algorithm>
#include <cstring>

using spl::test::state;

/// Whether a handle is one of a device.
static bool isDevice(CuDevice device) {
  return device >= spl::test::firstDevice &&
         device < spl::test::firstDevice + state().visible.deviceCount;
}

extern "C" {

CuResult cuInit(unsigned) {
  SPL_ENTER("cuInit");
  return static_cast<CuResult>(state().visible.initResult);
}

CuResult cuDriverGetVersion(int *version) {
  SPL_ENTER("cuDriverGetVersion");
  *version = spl::test::driverVersion;
  return CuResult::Success;
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
    return spl::test::invalidValue;
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
    return spl::test::invalidValue;
  }
  // A real driver says no more, but people want to know.
  static std::string longer;
  if (static_cast<int>(result) >= 700 && !state().faultText.empty()) {
    longer = std::string(*text) + " (" + state().faultText + ")";
    *text = longer.c_str();
  }
  return CuResult::Success;
}

CuResult cuDeviceGetCount(int *count) {
  SPL_ENTER("cuDeviceGetCount");
  *count = state().visible.deviceCount;
  return CuResult::Success;
}

CuResult cuDeviceGet(CuDevice *device, int ordinal) {
  SPL_ENTER("cuDeviceGet");
  *device = spl::test::firstDevice + ordinal;
  return isDevice(*device) ? CuResult::Success : spl::test::invalidDevice;
}

CuResult cuDeviceGetName(char *name, int length, CuDevice) {
  SPL_ENTER("cuDeviceGetName");
  std::strncpy(name, "PTX interpreter", static_cast<std::size_t>(length));
  return CuResult::Success;
}

CuResult cuDeviceGetUuid_v2(CuUuid *uuid, CuDevice) {
  SPL_ENTER("cuDeviceGetUuid");
  for (int i = 0; i < 16; ++i)
    uuid->bytes[i] = static_cast<unsigned char>(0x11 * i);
  return CuResult::Success;
}

CuResult cuDeviceTotalMem_v2(std::size_t *bytes, CuDevice) {
  SPL_ENTER("cuDeviceTotalMem");
  *bytes = CuContextObject::capacity;
  return CuResult::Success;
}

CuResult cuDeviceGetAttribute(int *value, int attribute, CuDevice) {
  SPL_ENTER("cuDeviceGetAttribute");
  const int capability = state().visible.capability;
  const std::map<int, int> values = {
      {1, 1024},  {2, 1024},  {3, 1024}, {4, 64},   {5, 2147483647},       {6, 65535},
      {7, 65535}, {8, 49152}, {10, 32},  {16, 132}, {75, capability / 10}, {76, capability % 10}};
  auto found = values.find(attribute);
  if (found == values.end())
    return spl::test::invalidValue;
  *value = found->second;
  return CuResult::Success;
}

CuResult cuDevicePrimaryCtxRetain(CuContext *context, CuDevice device) {
  SPL_ENTER("cuDevicePrimaryCtxRetain");
  if (!isDevice(device))
    return spl::test::invalidDevice;
  std::unique_ptr<CuContextObject> &primary = state().contexts[device];
  if (!primary)
    primary = std::make_unique<CuContextObject>();
  ++primary->retained;
  state().count();
  *context = primary.get();
  return CuResult::Success;
}

CuResult cuDevicePrimaryCtxRelease_v2(CuDevice device) {
  SPL_ENTER("cuDevicePrimaryCtxRelease");
  auto found = state().contexts.find(device);
  if (found == state().contexts.end())
    return call.mistake("of a context that is not retained", spl::test::invalidContext);
  const bool isLost = found->second->lost != CuResult::Success;
  if (--found->second->retained == 0) {
    // What a lost context held is gone with it; of others a test may want to see what was left.
    state().count();
    if (isLost || (found->second->allocations.empty() && found->second->modules.empty()))
      state().contexts.erase(found);
  }
  state().count();
  return CuResult::Success;
}

CuResult cuCtxPushCurrent_v2(CuContext context) {
  SPL_ENTER("cuCtxPushCurrent");
  spl::test::ContextStack &stack = spl::test::currentContexts;
  if (stack.size == stack.contexts.size())
    return call.mistake("more often than it is popped");
  stack.contexts[stack.size++] = context;
  return CuResult::Success;
}

CuResult cuCtxPopCurrent_v2(CuContext *context) {
  SPL_ENTER("cuCtxPopCurrent");
  spl::test::ContextStack &stack = spl::test::currentContexts;
  if (stack.size == 0)
    return spl::test::invalidContext;
  *context = stack.top();
  --stack.size;
  return CuResult::Success;
}

CuResult cuCtxSynchronize() {
  SPL_ENTER("cuCtxSynchronize", true);
  return CuResult::Success;
}

} // extern "C"
