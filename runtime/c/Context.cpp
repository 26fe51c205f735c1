// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/context.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"
#include "runtime/c/Text.h"

using namespace spl;
using namespace spl::capi;

extern "C" {

spl_status spl_context_make_default(spl_context *context) {
  return call([&] {
    requirePointer(context, "context");
    *context = makeObject<ContextObject>(Context::makeDefault());
  });
}

spl_status spl_context_make(const char *backend, int32_t device, spl_context *context) {
  return call([&] {
    requirePointer(context, "context");
    *context = makeObject<ContextObject>(Context::make(backendNamed(backend), device));
  });
}

spl_status spl_context_make_limited(const char *backend, int32_t device, int32_t cpu_threads,
                                    spl_context *context) {
  return call([&] {
    requirePointer(context, "context");
    *context = makeObject<ContextObject>(
        Context::make(backendNamed(backend), device, {.cpuThreads = cpu_threads}));
  });
}

spl_status spl_context_make_from_config(spl_context *context) {
  return call([&] {
    requirePointer(context, "context");
    *context = makeObject<ContextObject>(Context::makeFromConfig());
  });
}

spl_status spl_context_make_with(spl_config config, spl_context *context) {
  return call([&] {
    requirePointer(context, "context");
    const auto held = object<ConfigObject>(config);
    *context = makeObject<ContextObject>(Context::makeFromConfig(held->config));
  });
}

spl_status spl_context_device(spl_context context, spl_device_info *info) {
  return call([&] {
    requirePointer(info, "info");
    write(object<ContextObject>(context)->context.device(), info);
  });
}

spl_status spl_context_enable_peer_access(spl_context context, spl_context other,
                                          int32_t *reaches) {
  return call([&] {
    requirePointer(reaches, "reaches");
    const auto to = object<ContextObject>(other);
    *reaches = object<ContextObject>(context)->context.enablePeerAccess(to->context);
  });
}

spl_status spl_context_sync(spl_context context) {
  return call([&] { object<ContextObject>(context)->context.sync(); });
}

spl_status spl_context_free(spl_context context) {
  return call([&] { freeHandle<ContextObject>(context); });
}

} // extern "C"
