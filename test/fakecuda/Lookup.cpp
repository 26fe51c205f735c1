// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// cuGetProcAddress, the one function of the driver that this library exports. Functions that this
// CUDA version lacks are therefore not found in any other way. The library that represents an old
// driver has no cuGetProcAddress and exports all functions.
#include "test/fakecuda/Entries.h"
#include "test/fakecuda/State.h"

#include <string_view>

const int spl::fake::builtVersion = SPL_FAKE_CUDA_VERSION;

[[maybe_unused]] static CuResult find(const char *name, void **function, int version) {
  const std::string_view wanted = name;
  if (wanted == "cuDeviceGetUuid" && version < 11040) { // the meaning of this name before CUDA 11.4
    *function = reinterpret_cast<void *>(cuDeviceGetUuid);
    return CuResult::Success;
  }
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                                      \
  if (wanted == NAME && version >= VERSION &&                                                      \
      spl::fake::state().visible.driverVersion >= VERSION) {                                       \
    *function = reinterpret_cast<void *>(EXPORT);                                                  \
    return CuResult::Success;                                                                      \
  }
#include "runtime/backends/cuda/DriverTable.def"
  *function = nullptr;
  return CuResult::NotFound;
}

extern "C" {
#if SPL_FAKE_CUDA_VERSION >= 11030 && SPL_FAKE_CUDA_VERSION < 12000
CuResult cuGetProcAddress(const char *name, void **function, int version, std::uint64_t) {
  return find(name, function, version);
}
#elif SPL_FAKE_CUDA_VERSION >= 12000
CuResult cuGetProcAddress_v2(const char *name, void **function, int version, std::uint64_t,
                             int *status) {
  const CuResult result = find(name, function, version);
  if (status)
    *status = result == CuResult::Success ? 0 : 1;
  return result;
}
#endif
} // extern "C"
