// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/Driver.h"

#include "runtime/backends/cuda/DriverCache.h"

#include <algorithm>
#include <atomic>
#include <dlfcn.h>
#include <list>
#include <memory>
#include <mutex>
#include <optional>

namespace spl::detail {

bool isKernelFault(CuResult result) {
  switch (result) {
  case CuResult::IllegalAddress:
  case CuResult::LaunchTimeout:
  case CuResult::Assert:
  case CuResult::HardwareStackError:
  case CuResult::IllegalInstruction:
  case CuResult::MisalignedAddress:
  case CuResult::InvalidAddressSpace:
  case CuResult::InvalidPc:
  case CuResult::LaunchFailed:
    return true;
  default: // CuResult does not list all results of the driver
    return false;
  }
}

bool endsContext(CuResult result) {
  return isKernelFault(result) || result == CuResult::EccUncorrectable ||
         result == CuResult::NvlinkUncorrectable || result == CuResult::Contained ||
         result == CuResult::ContextIsDestroyed;
}

/// Returns "11.4" for 11040.
static std::string releaseOf(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

/// The first release of CUDA whose driver has all functions of the SPL_DRIVER rows.
static constexpr int oldestDriver = std::max({
#define SPL_DRIVER_FEATURE(FEATURE, MEMBER, NAME, VERSION, EXPORT, PARAMETERS)
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS) VERSION,
#include "runtime/backends/cuda/DriverTable.def"
});

void missing(const char *name, int version, const char *feature) {
  throw Error({.code = ErrorCode::UnsupportedOnTarget,
               .message = "the CUDA driver is too old for " + std::string(feature ? feature : name),
               .call = name,
               .hint = "install a driver for CUDA " + releaseOf(version) + " or later"});
}

std::string Driver::nameOf(CuResult result) const {
  const char *text = nullptr;
  if (!getErrorName || getErrorName(result, &text) != CuResult::Success || !text)
    return "unknown CUDA error";
  return text;
}

std::string Driver::explain(CuResult result) const {
  const char *text = nullptr;
  if (!getErrorString || getErrorString(result, &text) != CuResult::Success || !text)
    return "the driver gives no explanation";
  return text;
}

ErrorInfo Driver::describe(CuResult result, const char *call) const {
  return {.code = ErrorCode::DriverError,
          .message = explain(result),
          .call = call,
          .native = static_cast<int>(result),
          .nativeName = nameOf(result)};
}

namespace {

/// Finds functions in an opened driver library. Uses the library's cuGetProcAddress, which returns
/// the version of a function for a given release. Drivers without it are searched by exported
/// names.
class Finder {
public:
  explicit Finder(void *library)
      : library(library), ask2(function<Ask2>("cuGetProcAddress_v2")),
        ask1(function<Ask1>("cuGetProcAddress")) {}

  /// Sets \p entry. Returns whether the driver has the function.
  template <typename Function> bool fill(DriverEntry<Function> &entry, const char *exported) const {
    entry.function =
        reinterpret_cast<decltype(entry.function)>(find(entry.name, entry.version, exported));
    return entry.function != nullptr;
  }

private:
  using Ask2 = CuResult (*)(const char *, void **, int, std::uint64_t, int *status);
  using Ask1 = CuResult (*)(const char *, void **, int, std::uint64_t);

  void *find(const char *name, int version, const char *exported) const {
    void *found = nullptr;
    if (ask2 && ask2(name, &found, version, 0, nullptr) == CuResult::Success && found)
      return found;
    if (!ask2 && ask1 && ask1(name, &found, version, 0) == CuResult::Success && found)
      return found;
    return dlsym(library, exported);
  }

  template <typename Function> Function function(const char *name) const {
    return reinterpret_cast<Function>(dlsym(library, name));
  }

  void *library;
  Ask2 ask2;
  Ask1 ask1;
};

} // namespace

/// Fills the table from \p library. Returns the name of the first function that is missing, or
/// null.
static const char *fillTable(Driver &driver, void *library) {
  Finder finder(library);
#define SPL_DRIVER_FEATURE(FEATURE, MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                     \
  finder.fill(driver.MEMBER, #EXPORT);
#define SPL_DRIVER(MEMBER, NAME, VERSION, EXPORT, PARAMETERS)                                      \
  if (!finder.fill(driver.MEMBER, #EXPORT))                                                        \
    return NAME;
#include "runtime/backends/cuda/DriverTable.def"
  return nullptr;
}

/// Opens \p library and fills the table. Returns why that failed, or an empty text.
static std::string openLibrary(const char *library, Driver &driver) {
  void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
  if (!handle) {
    const char *why = dlerror();
    return "no CUDA driver is installed (" + std::string(why ? why : library) + ")";
  }
  if (const char *missing = fillTable(driver, handle))
    return "the CUDA driver is too old: it has no " + std::string(missing) +
           "; a driver for CUDA " + releaseOf(oldestDriver) + " or later is needed";
  return "";
}

DriverState startDriver(Driver &driver) {
  auto unavailable = [](std::string reason) { return DriverState{nullptr, std::move(reason), 0}; };
  auto failed = [&](const char *call, CuResult result) {
    return unavailable("the CUDA driver does not start: " + std::string(call) + " gives " +
                       driver.nameOf(result) + " (" + std::to_string(static_cast<int>(result)) +
                       "): " + driver.explain(result));
  };
  const char *noDevice = "the CUDA driver is installed, but there is no device";
  if (CuResult result = driver.init(0); result == CuResult::NoDevice)
    return unavailable(noDevice);
  else if (result != CuResult::Success)
    return failed(driver.init.name, result);
  if (CuResult result = driver.driverGetVersion(&driver.version); result != CuResult::Success)
    return failed(driver.driverGetVersion.name, result);
  int count = 0;
  if (CuResult result = driver.deviceGetCount(&count); result != CuResult::Success)
    return failed(driver.deviceGetCount.name, result);
  if (count == 0)
    return unavailable(noDevice);
  return {&driver, "", count};
}

Driver *DriverCache::open() {
  if (!opened) {
    Driver &made = drivers.emplace_back();
    opened = openLibrary(library.c_str(), made);
    driver = opened->empty() ? &made : nullptr;
  }
  return driver;
}

bool DriverCache::isStarted() const {
  int count = 0;
  return started || wasStarted || driver->deviceGetCount(&count) == CuResult::Success;
}

// Never destroyed, because destructors of static objects may need the driver.
DriverCache &driverCache() {
  static std::atomic<DriverCache *> current{nullptr};
  for (;;) {
    DriverCache *found = current;
    if (found && found->guard.inMakingProcess())
      return *found;
    auto made = std::make_unique<DriverCache>(found);
    if (current.compare_exchange_strong(found, made.get()))
      return *made.release();
  }
}

DriverState cudaDriver() {
  DriverCache &cache = driverCache();
  std::lock_guard lock(cache.mutex);
  if (cache.started)
    return *cache.started;
  if (cache.wasStarted)
    return {nullptr, "this process was forked from one that already used the CUDA driver", 0};
  if (Driver *driver = cache.open()) {
    cache.wasStarted = true; // set first, in case another thread forks during startDriver
    cache.started = startDriver(*driver);
    cache.wasStarted = cache.started->driver != nullptr;
  } else {
    cache.started = {nullptr, *cache.opened, 0};
  }
  return *cache.started;
}

DriverAnswer askCudaDriver(std::string (*question)(Driver &), std::chrono::milliseconds limit) {
  DriverCache &cache = driverCache();
  // Held until the end, so that no other thread calls the driver while the child is made.
  std::lock_guard lock(cache.mutex);
  Driver *driver = cache.open();
  if (!driver)
    return {false, *cache.opened, ""};
  if (cache.isStarted())
    return {true, "", ""};
  if (!cache.answer)
    cache.answer = askChild([&] { return question(*driver); }, limit);
  if (const std::string &problem = cache.answer->problem; !problem.empty())
    return {false,
            "the CUDA driver could not be probed: the child process that probes it " + problem, ""};
  return {false, "", cache.answer->bytes};
}

} // namespace spl::detail
