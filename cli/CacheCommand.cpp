// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simple cache: prints statistics of the cache of compiled kernels, verifies it, and clears it.
#include "cli/Commands.h"
#include "cli/Failure.h"
#include "cli/Help.h"
#include "jit/cache/Cache.h"
#include "llvm/Support/FileSystem.h"
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <optional>

namespace spl::cli {
namespace {

template <class T> T valueOr(ExitStatus status, llvm::Expected<T> value) {
  if (!value)
    throw Failure(status, llvm::toString(value.takeError()));
  return std::move(*value);
}

jit::Cache::Settings settings() {
  return valueOr(WrongUsage, jit::Cache::Settings::ofEnvironment());
}

// Returns std::nullopt if there is no folder yet. It is not made.
std::optional<jit::Cache> open() {
  llvm::sys::fs::file_status status;
  llvm::sys::fs::status(valueOr(Failed, jit::Folder::pathOfUser()), status, /*follow=*/false);
  if (!llvm::sys::fs::exists(status))
    return std::nullopt;
  return valueOr(Failed, jit::Cache::open(settings()));
}

void printStats() {
  const std::optional<jit::Cache> cache = open();
  const jit::Cache::Stats stats =
      cache ? cache->stats()
            : jit::Cache::Stats{valueOr(Failed, jit::Folder::pathOfUser()), 0, 0,
                                settings().maxBytes};
  std::cout << "folder:  " << stats.folder << "\n"
            << "use:     " << (settings().isOn ? "on" : "off (SPL_CACHE)") << "\n"
            << "entries: " << stats.entries << "\n"
            << "bytes:   " << stats.bytes << " of at most " << stats.maxBytes << "\n";
}

void verify() {
  const std::optional<jit::Cache> cache = open();
  const std::vector<std::string> damaged =
      cache ? cache->findDamaged() : std::vector<std::string>();
  for (const std::string &path : damaged)
    std::cout << path << ": damaged; the next use writes it again\n";
  std::cout << (cache ? cache->stats().entries : 0) << " entries, " << damaged.size()
            << " damaged\n";
  if (!damaged.empty())
    throw Failure(Failed, "");
}

void clear() {
  const std::optional<jit::Cache> cache = open();
  std::cout << (cache ? cache->clear() : 0) << " entries removed\n";
}

} // namespace

void addCacheCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "cache", "Manage the cache of compiled kernels, which 'simple run' and programs use.");
  auto action = std::make_shared<std::string>();
  takes(command->add_option(
            "ACTION", *action,
            "stats: print the folder, the number of entries and their size. verify: read "
            "every entry and name the damaged ones, which are never used; exit status 1 "
            "if there are any. clear: remove every entry."),
        "ACTION")
      ->required()
      ->check(oneOf({"stats", "verify", "clear"}));
  command->footer(
      "The cache is in $XDG_CACHE_HOME/spl, else $HOME/.cache/spl. SPL_CACHE=off turns "
      "it off;\nSPL_CACHE_SIZE is how many bytes it may take, also with K, M or G (512M).");
  command->callback([action] {
    *action == "stats" ? printStats() : *action == "verify" ? verify() : clear();
  });
}

} // namespace spl::cli
