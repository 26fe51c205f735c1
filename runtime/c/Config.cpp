// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/config.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"

using namespace spl;
using namespace spl::capi;

extern "C" {

spl_status spl_config_find(spl_config *config) {
  return call([&] {
    requirePointer(config, "config");
    *config = makeObject<ConfigObject>(Config::find());
  });
}

spl_status spl_config_load(const char *path, spl_config *config) {
  return call([&] {
    requirePointer(config, "config");
    *config = makeObject<ConfigObject>(Config::load(requirePointer(path, "path")));
  });
}

spl_status spl_config_parse(const char *text, const char *name, spl_config *config) {
  return call([&] {
    requirePointer(config, "config");
    *config = makeObject<ConfigObject>(
        Config::parse(requirePointer(text, "text"), requirePointer(name, "name")));
  });
}

spl_status spl_config_get(spl_config config, spl_config_info *info) {
  return call([&] {
    requirePointer(info, "info");
    const auto held = object<ConfigObject>(config);
    const Config &read = held->config;
    *info = {.file = read.file().c_str(),
             .backend = read.backend() ? toString(*read.backend()).data() : "",
             .device = read.device(),
             .use_gpu = read.useGpu() ? *read.useGpu() : -1,
             .dtype = read.dtype() ? toString(*read.dtype()).data() : "",
             .place = read.place().c_str(),
             .warnings = read.warnings().size(),
             .cpu_threads = read.cpuThreads().value_or(0)};
  });
}

spl_status spl_config_warning(spl_config config, size_t index, const char **text) {
  return call([&] {
    requirePointer(text, "text");
    const auto held = object<ConfigObject>(config);
    *text = at(held->config.warnings(), index, "warnings").c_str();
  });
}

spl_status spl_config_free(spl_config config) {
  return call([&] { freeHandle<ConfigObject>(config); });
}

} // extern "C"
