// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/CpuObject.h"

#include "runtime/launch/BundleError.h"
#include "runtime/launch/LaunchContract.h"
#include "runtime/system/Descriptor.h"
#include "spl/Error.h"
#include "spl/abi/Names.h"
#include "spl/cpu_abi.h"

#include <algorithm>
#include <cerrno>
#include <dlfcn.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>

namespace spl::detail {

/// The processor levels, the lowest first.
static constexpr std::string_view cpuLevels[] = {
#define SPL_CPU_LEVEL(NAME) NAME,
#include "spl/CpuLevels.def"
};

/// The index in cpuLevels of the target \p text; -1 if it is no processor level.
static int levelOf(std::string_view text) {
  if (!text.starts_with(abi::hostLevelPrefix))
    return -1;
  const auto found = std::ranges::find(cpuLevels, text.substr(abi::hostLevelPrefix.size()));
  return found == std::end(cpuLevels) ? -1 : static_cast<int>(found - std::begin(cpuLevels));
}

bool isCpuLevel(std::string_view text) { return levelOf(text) >= 0; }

/// The index in cpuLevels of the highest level that this processor supports.
static int cpuLevel() {
  int level = -1;
#if defined(__x86_64__)
#define SPL_CPU_LEVEL(NAME) level += __builtin_cpu_supports(NAME) != 0;
#else
#define SPL_CPU_LEVEL(NAME) ++level;
#endif
#include "spl/CpuLevels.def"
  return level;
}

BundleImage chooseForCpu(std::vector<BundleImage> images, const std::string &device) {
  BundleImage *best = nullptr;
  int bestLevel = -1;
  for (BundleImage &image : images)
    if (const int level = levelOf(image.target); level > bestLevel && level <= cpuLevel()) {
      best = &image;
      bestLevel = level;
    }
  if (best)
    return std::move(*best);
  refuseBundle(images, device,
               "compile it for " + std::string(abi::hostLevelPrefix).append(cpuLevels[cpuLevel()]) +
                   " too");
}

[[noreturn]] static void refuseObject(const std::string &message) {
  throw Error({.code = ErrorCode::InvalidImage, .message = message});
}

/// Makes an anonymous file with the contents \p bytes.
static Descriptor fileWith(std::string_view bytes) {
  Descriptor file(memfd_create("spl-kernels", MFD_CLOEXEC));
  if (file.get() < 0)
    refuseObject("no memory for the bundle's code: " + std::system_category().message(errno));
  while (!bytes.empty()) {
    const ssize_t written = write(file.get(), bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      refuseObject("no memory for the bundle's code: " + std::system_category().message(errno));
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return file;
}

/// Sets the variables through which compiled code calls the runtime. The loader cannot resolve the
/// runtime's functions by name, because a program that links the runtime statically does not export
/// them.
static void bindRuntime(void *object) {
  auto bind = [&](const char *name, auto *function) {
    const std::string variable = std::string(abi::importPrefix) + name;
    if (void *place = dlsym(object, variable.c_str()))
      *static_cast<void **>(place) = reinterpret_cast<void *>(function);
  };
#define SPL_CPU_IMPORT(NAME) bind(#NAME, &NAME);
#include "spl/CpuImports.def"
}

HostCode loadSharedObject(const BundleImage &image) {
  const Descriptor file = fileWith(image.bytes);
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());
  std::shared_ptr<void> object(dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL), [](void *handle) {
    if (handle)
      dlclose(handle);
  });
  if (!object)
    refuseObject(std::string("the bundle's code for ") + image.target +
                 " cannot be loaded: " + dlerror());
  bindRuntime(object.get());
  HostCode code{.kernels = {}, .owner = object};
  const bool isInterruptible = dlsym(object.get(), abi::interruptibleMark) != nullptr;
  for (const std::string &signature : image.signatures) {
    const Signature kernel = Signature::parse(signature);
    const auto entry = [&](const std::string &name, const char *said) {
      void *found = dlsym(object.get(), (std::string(abi::hostEntryPrefix) + name).c_str());
      if (!found)
        refuseObject(std::string("the bundle's signatures ") + said + " a kernel '" + name +
                     "' that is not in it");
      return reinterpret_cast<spl_cpu_entry>(found);
    };
    const std::string name = abi::entryName(kernel.name());
    HostKernel &host = code.kernels.emplace_back(HostKernel{kernel, entry(name, "name")});
    host.interruptible = isInterruptible;
    for (std::size_t version = 1; version < kernel.versionCount(); ++version)
      (version == abi::Contract::Unchecked ? host.unchecked : host.unmet.emplace_back()) =
          entry(name + abi::versionSuffix(version), "have a launch contract for");
  }
  return code;
}

} // namespace spl::detail
