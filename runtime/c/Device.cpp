// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/device.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Text.h"

#include <iterator>
#include <string>
#include <vector>

using namespace spl;
using namespace spl::capi;

static const Backend backends[] = {
#define SPL_BACKEND(NAME, TEXT) Backend::NAME,
#include "spl/Backends.def"
};

extern "C" {

size_t spl_backend_count(void) { return std::size(backends); }

spl_status spl_backend_at(size_t index, spl_backend_info *info) {
  return call([&] {
    given(info, "info");
    if (index >= std::size(backends))
      refuse("'index' is " + std::to_string(index) + ", and there are " +
             std::to_string(std::size(backends)) + " backends");
    static thread_local BackendStatus status;
    status = detectBackend(backends[index]);
    *info = {.name = toString(status.backend).data(),
             .available = status.available,
             .reason = status.reason.c_str()};
  });
}

spl_status spl_preferred_backend(const char **name) {
  return call([&] { *given(name, "name") = toString(preferredBackend()).data(); });
}

spl_status spl_device_count(const char *backend, int32_t *count) {
  return call([&] {
    given(count, "count");
    *count = static_cast<std::int32_t>(devices(backendNamed(backend)).size());
  });
}

spl_status spl_device_at(const char *backend, int32_t index, spl_device_info *info) {
  return call([&] {
    given(info, "info");
    const std::vector<DeviceInfo> all = devices(backendNamed(backend));
    if (index < 0 || static_cast<std::size_t>(index) >= all.size())
      refuse("'index' is " + std::to_string(index) + ", and there are " +
             std::to_string(all.size()) + " devices");
    write(all[static_cast<std::size_t>(index)], info);
  });
}

} // extern "C"
