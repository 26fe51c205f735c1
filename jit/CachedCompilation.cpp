// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/CachedCompilation.h"
#include "jit/cache/Cache.h"
#include "jit/cache/Key.h"
#include "jit/cache/Record.h"
#include <mutex>
#include <set>

namespace spl::jit {
namespace {

/// An open cache, and the key of one compilation in it.
struct Place {
  Cache cache;
  std::string key;
};

} // namespace

static bool hasOtherOutput(const driver::CompileOptions &options) {
  return options.stats || options.codegen.timePasses || !options.codegen.printAfter.empty();
}

/// Returns std::nullopt if the environment turns the cache off.
static llvm::Expected<std::optional<Place>> findPlace(const driver::Compilation &compilation,
                                                      llvm::StringRef output) {
  llvm::Expected<Cache::Settings> settings = Cache::Settings::ofEnvironment();
  if (!settings)
    return settings.takeError();
  if (!settings->isOn)
    return std::nullopt;
  llvm::Expected<Cache> cache = Cache::open(*settings);
  if (!cache)
    return cache.takeError();
  llvm::Expected<std::string> key = keyOf(compilation, output);
  if (!key)
    return key.takeError();
  return Place{std::move(*cache), std::move(*key)};
}

static void warnOnce(const CacheUse &use, llvm::Error error) {
  static std::mutex mutex;
  static std::set<std::string> reported;
  std::string reason = "kernels are not cached: " + llvm::toString(std::move(error));
  {
    std::lock_guard<std::mutex> lock(mutex);
    if (!reported.insert(reason).second)
      return;
  }
  if (use.onWarning)
    use.onWarning(reason);
}

static std::optional<Place> placeFor(driver::Compilation &compilation, llvm::StringRef output,
                                     const CacheUse &use) {
  const bool hasReadError = compilation.diagnostics().hasErrors();
  if (!use.isOn || hasReadError || hasOtherOutput(compilation.options()))
    return std::nullopt;
  llvm::Expected<std::optional<Place>> place = findPlace(compilation, output);
  if (place)
    return std::move(*place);
  warnOnce(use, place.takeError());
  return std::nullopt;
}

static llvm::Error store(const Place &place, const driver::Compilation &compilation,
                         llvm::StringRef output, const driver::Compiled &compiled) {
  // If the math library was replaced since the first key was computed, the keys differ. Nothing is
  // stored then.
  llvm::Expected<std::string> key = keyOf(compilation, output);
  if (!key)
    return key.takeError();
  if (*key != place.key)
    return llvm::Error::success();
  return place.cache.store(place.key, writeRecord(compilation.files(), compiled));
}

std::optional<driver::Compiled> compile(driver::Compilation &compilation,
                                        const codegen::Output &output, const CacheUse &use) {
  const std::optional<Place> place = placeFor(compilation, output.name, use);
  if (place)
    if (std::optional<std::string> record = place->cache.find(place->key))
      if (std::optional<driver::Compiled> compiled =
              readRecord(*record, compilation.options().includes))
        return compiled;

  llvm::SmallVector<char, 0> code;
  if (!compilation.emitFor(codegen::Output::Loaded, code))
    return std::nullopt;
  driver::Compiled compiled{compilation.kernels(), std::string(code.begin(), code.end())};
  if (place && compilation.diagnostics().all().empty())
    if (llvm::Error error = store(*place, compilation, output.name, compiled))
      warnOnce(use, std::move(error));
  return compiled;
}

} // namespace spl::jit
