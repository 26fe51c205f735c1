// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules and their kernels, which the PTX interpreter parses.
#include "test/fakecuda/Call.h"
#include "test/fakecuda/Entries.h"

#include <cstring>

using namespace spl::fake;

/// The newest PTX version that a CUDA release accepts. 90 means 9.0.
static unsigned ptxVersionOf(int driverVersion) {
  const int major = driverVersion / 1000, minor = driverVersion % 1000 / 10;
  const int version = major == 11 ? 70 + minor : major == 12 ? 80 + minor : 90 + minor;
  return static_cast<unsigned>(version);
}

/// Copies \p text into the caller's error log, if the options of cuModuleLoadDataEx contain one.
static void writeLog(const std::string &text, unsigned count, const int *options, void **values) {
  constexpr int errorLogBuffer = 5, errorLogBufferSize = 6;
  for (unsigned i = 0; i + 1 < count; ++i)
    if (options[i] == errorLogBuffer && options[i + 1] == errorLogBufferSize)
      std::strncpy(static_cast<char *>(values[i]), text.c_str(),
                   reinterpret_cast<std::size_t>(values[i + 1]));
}

extern "C" {

CuResult cuModuleLoadDataEx(CuModule *module, const void *image, unsigned count, int *options,
                            void **values) {
  writeLog(state().visible.jitLog, count, options, values);
  return enter("cuModuleLoadDataEx", InContext | NotInCapture, [&](Call &call) -> CuResult {
    const std::string_view text = static_cast<const char *>(image);
    if (text.find(".version") == text.npos) {
      writeLog("the interpreter runs PTX, no binaries", count, options, values);
      return give(InvalidImage);
    }
    try {
      auto loaded = std::make_shared<Module>(text, call.sharedContext());
      if (loaded->code.version > ptxVersionOf(state().visible.driverVersion))
        return CuResult::UnsupportedPtxVersion;
      if (loaded->code.target > static_cast<unsigned>(state().visible.capability))
        return CuResult::NoBinaryForGpu;
      *module = state().modules.add(std::move(loaded));
    } catch (const ptxsim::Error &error) {
      writeLog(error.what(), count, options, values);
      return error.kind == ptxsim::ErrorKind::BadLaunch ? CuResult::OutOfMemory : give(InvalidPtx);
    }
    state().count();
    return CuResult::Success;
  });
}

CuResult cuModuleUnload(CuModule handle) {
  return enter("cuModuleUnload", InContext | NotInCapture | Releases, [&](Call &call) -> CuResult {
    call.waitForAll(); // the real driver also waits for all work before it unloads a module
    const std::shared_ptr<Module> module = call.find(state().modules, handle, "module");
    if (!module)
      return give(InvalidHandle);
    module->isUnloaded = true;
    state().modules.erase(handle);
    state().functions.eraseIf([&](const Function &function) { return function.module == module; });
    state().count();
    return CuResult::Success;
  });
}

CuResult cuModuleGetFunction(CuFunction *function, CuModule handle, const char *name) {
  return enter("cuModuleGetFunction", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Module> module = call.find(state().modules, handle, "module");
    if (!module)
      return give(InvalidHandle);
    const ptxsim::Kernel *kernel = module->code.kernel(name);
    if (!kernel)
      return CuResult::NotFound;
    for (const auto &[known, object] : state().functions)
      if (object->kernel == kernel) {
        *function = known;
        return CuResult::Success;
      }
    // Drivers before CUDA 11.7 load every kernel together with its module.
    const bool isLoaded = state().visible.driverVersion < 11070;
    *function = state().functions.add(std::make_shared<Function>(
        Function{module, kernel, isLoaded, (48 << 10) - kernel->sharedBytes}));
    return CuResult::Success;
  });
}

CuResult cuModuleGetGlobal_v2(CuDevicePtr *address, std::size_t *bytes, CuModule handle,
                              const char *name) {
  return enter("cuModuleGetGlobal", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Module> module = call.find(state().modules, handle, "module");
    if (!module)
      return give(InvalidHandle);
    const auto variable = module->code.variable(name);
    if (!variable)
      return CuResult::NotFound;
    module->globals.insert(*variable);
    *address = variable->first;
    *bytes = variable->second;
    return CuResult::Success;
  });
}

CuResult cuFuncLoad(CuFunction handle) {
  return enter("cuFuncLoad", InContext | NotInCapture, [&](Call &call) -> CuResult {
    const std::shared_ptr<Function> function = call.find(state().functions, handle, "function");
    if (!function)
      return give(InvalidHandle);
    function->isLoaded = true;
    return CuResult::Success;
  });
}

} // extern "C"
