// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the options look in `--help`: our words for the values that they take, in place of CLI11's
// types and validators.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace spl::cli {

/// Says what \p option takes: N, FILE, X[,Y[,Z]]. An empty value is wrong usage.
CLI::Option *takes(CLI::Option *option, const std::string &word);

/// Accepts the whole numbers from \p min to \p max.
CLI::Validator within(int min, int max);

/// Has `--help` of the application and its subcommands show those words.
void showWords(CLI::App &app);

} // namespace spl::cli
