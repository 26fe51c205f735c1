// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Modules and launches, which the interpreter carries out.
#include "test/fakecuda/Entries.h"
#include "test/fakecuda/State.h"

#include <cstdio>
#include <cstring>

using spl::test::state;

/// Writes into the caller's log of errors, as cuModuleLoadDataEx's options ask.
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
  SPL_ENTER("cuModuleLoadDataEx", true);
  const std::string_view text = static_cast<const char *>(image);
  if (text.find(".version") == text.npos) {
    writeLog("the interpreter runs PTX, no binaries", count, options, values);
    return spl::test::invalidImage;
  }
  CuContextObject &context = call.context();
  try {
    auto loaded = std::make_unique<CuModuleObject>(text, context);
    if (loaded->module.version > spl::test::ptxVersion)
      return CuResult::UnsupportedPtxVersion;
    if (loaded->module.target > static_cast<unsigned>(state().visible.capability))
      return CuResult::NoBinaryForGpu;
    *module = loaded.get();
    context.modules[*module] = std::move(loaded);
  } catch (const ptxsim::Error &error) {
    writeLog(error.what(), count, options, values);
    return spl::test::resultOf(error.kind);
  }
  state().count();
  return CuResult::Success;
}

CuResult cuModuleUnload(CuModule module) {
  SPL_ENTER("cuModuleUnload", true);
  if (call.context().modules.erase(module) == 0)
    return call.mistake("of what is no module");
  state().count();
  return CuResult::Success;
}

CuResult cuModuleGetFunction(CuFunction *function, CuModule module, const char *name) {
  SPL_ENTER("cuModuleGetFunction", true);
  const ptxsim::Kernel *kernel = module->module.kernel(name);
  if (!kernel)
    return CuResult::NotFound;
  *function = &module->functions.try_emplace(name, CuFunctionObject{kernel}).first->second;
  return CuResult::Success;
}

CuResult cuLaunchKernel(CuFunction function, unsigned gridX, unsigned gridY, unsigned gridZ,
                        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                        CuStream, void **params, void **) {
  SPL_ENTER("cuLaunchKernel", true);
  spl::test::FakeCuda &fake = state().visible;
  fake.launches.push_back(
      {function->kernel->name, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes});
  ptxsim::LaunchOptions options;
  options.groups = {gridX, gridY, gridZ};
  options.threads = {blockX, blockY, blockZ};
  options.dynamicSharedBytes = sharedBytes;
  options.seed = fake.seed;
  try {
    const ptxsim::LaunchResult result =
        ptxsim::launch(*function->kernel, call.context().memory, options, params);
    fake.notes.insert(fake.notes.end(), result.notes.begin(), result.notes.end());
  } catch (const ptxsim::Error &error) {
    state().faultText = error.what();
    if (error.kind == ptxsim::ErrorKind::BadLaunch)
      return spl::test::resultOf(error.kind);
    call.context().lost = spl::test::resultOf(error.kind);
  }
  std::fflush(stdout); // what the kernel printed
  return CuResult::Success;
}

} // extern "C"
