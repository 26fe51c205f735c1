// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/device.h"

#include "runtime/backends/Registry.h"
#include "runtime/c/Calls.h"
#include "runtime/c/Text.h"

#include <iterator>

using namespace spl;
using namespace spl::capi;

extern "C" {

size_t spl_backend_count(void) { return detail::registeredBackends().size(); }

spl_status spl_backend_at(size_t index, spl_backend_info *info) {
  return call([&] {
    requirePointer(info, "info");
    static thread_local BackendStatus status;
    status = detectBackend(at(detail::registeredBackends(), index, "backends").backend);
    *info = {.name = toString(status.backend).data(),
             .available = status.available,
             .reason = status.reason.c_str()};
  });
}

spl_status spl_preferred_backend(const char **name) {
  return call([&] {
    requirePointer(name, "name");
    *name = toString(preferredBackend()).data();
  });
}

spl_status spl_device_count(const char *backend, int32_t *count) {
  return call([&] {
    requirePointer(count, "count");
    *count = static_cast<std::int32_t>(devices(backendNamed(backend)).size());
  });
}

spl_status spl_device_at(const char *backend, int32_t index, spl_device_info *info) {
  return call([&] {
    requirePointer(info, "info");
    write(at(devices(backendNamed(backend)), index, "devices"), info);
  });
}

} // extern "C"
