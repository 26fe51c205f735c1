// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tries random programs in several processes, so that a crash ends only the process of its
// programs.
#pragma once

#include "test/random/Comparison.h"

#include <functional>

namespace spl::random {

struct Seeds {
  std::uint64_t first = 0, count = 0;
  bool isGiven = false; ///< by SPL_RANDOM
};

/// The number of programs that are compiled together.
inline constexpr std::uint64_t inFile = 4;

/// What the processes found.
struct Findings {
  Counts counts;
  std::vector<std::string> errors; ///< texts of mismatches and crashes
};

/// Tries the programs of files, one after the other, and returns the text of a mismatch or nothing.
/// \p first is the seed of the first program of the file.
using TryFile = std::function<std::string(std::uint64_t first, std::uint64_t count, Counts &)>;

/// Returns the text of an error of a file whose process crashed.
using ExplainCrash = std::function<std::string(std::uint64_t first, std::uint64_t count)>;

/// Calls \p tryFile for all seeds, in processes of 100 programs each. Starts no more processes
/// after \p maxErrors errors. A file that takes longer than two minutes of a core is an error.
Findings tryInProcesses(const Seeds &seeds, std::size_t maxErrors, const TryFile &tryFile,
                        const ExplainCrash &explainCrash);

/// Sets the time of a core after which the process ends as one that hangs.
void allowSeconds(unsigned seconds);

/// Calls \p work in a separate process and returns its text, or that it crashed.
std::string inProcess(const std::function<std::string()> &work);

} // namespace spl::random
