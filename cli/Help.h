// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The format of options in `--help`: with words for their values, in place of CLI11's types and
// validators.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace spl::cli {

/// Sets the word for the value of \p option, such as N, FILE or X[,Y[,Z]]. An empty value is then
/// wrong usage.
CLI::Option *takes(CLI::Option *option, const std::string &word);

/// A validator that accepts whole numbers from \p min to \p max.
CLI::Validator within(int min, int max);

/// A validator that accepts whole numbers from 0 to the maximum of int64_t, in decimal.
CLI::Validator wholeNumber();

/// A validator that accepts these words.
CLI::Validator oneOf(std::vector<std::string> words);

/// Makes `--help` of the application and its subcommands show these words.
void showWords(CLI::App &app);

} // namespace spl::cli
