// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simple cache: prints statistics of the cache of compiled kernels, verifies it, and clears it.
#include "cli/Commands.h"
#include "cli/Failure.h"
#include "cli/Help.h"
#include "jit/cache/Cache.h"
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

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

jit::Cache open() { return valueOr(Failed, jit::Cache::open(settings())); }

void printStats() {
  const jit::Cache::Stats stats = open().stats();
  std::cout << "folder:  " << stats.folder << "\n"
            << "use:     " << (settings().isOn ? "on" : "off (SPL_CACHE)") << "\n"
            << "entries: " << stats.entries << "\n"
            << "bytes:   " << stats.bytes << " of at most " << stats.maxBytes << "\n";
}

void verify() {
  const jit::Cache cache = open();
  const std::vector<std::string> damaged = cache.findDamaged();
  for (const std::string &path : damaged)
    std::cout << path << ": damaged; the next use writes it again\n";
  std::cout << cache.stats().entries << " entries, " << damaged.size() << " damaged\n";
  if (!damaged.empty())
    throw Failure(Failed, "");
}

void clear() { std::cout << open().clear() << " entries removed\n"; }

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
