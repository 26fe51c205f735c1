// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What builds of random programs do, compared with what the reference interpreter says: the same
// bits in every slice, or one of the faults that the launch may report.
#pragma once

#include "test/random/Builds.h"

#include <functional>

namespace spl::random {

/// A build that does something else.
struct Mismatch {
  generator::Program program;
  BuildOptions options;
  bool meetsContract = false;
  std::string launch, what;

  std::string str() const;
};

struct Counts {
  std::size_t programs = 0, contracts = 0, launches = 0, runs = 0, met = 0, faults = 0,
              metFaults = 0, tooLong = 0;
  double compiling = 0, interpreting = 0, running = 0; ///< seconds
};

/// The text of a source, checked, with the interpreter's view of it.
class Source {
public:
  explicit Source(const std::string &text);
  ~Source();
  /// What the launch does; memory is changed in place.
  reference::Result interpret(const std::string &kernel, const reference::Launch &launch) const;
  ReportedFault reported(const reference::Fault &fault) const;
  bool isCorrect() const;
  /// Whether the kernel is there, with all of its parameters.
  bool hasKernel(const generator::Program &program) const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// How programs are tried.
struct Plan {
  std::vector<BuildOptions> builds;
  int launches = 4; ///< of each program; of indices three times as many
};

/// The first mismatch of the programs, which are compiled together.
std::optional<Mismatch> compare(const std::vector<generator::Program> &programs, const Plan &plan,
                                Counts &counts);

/// A shorter program with a mismatch of that build: statements are deleted and expressions made
/// smaller for as long as it stays. What crashes is not reduced.
Mismatch reduced(const Mismatch &mismatch, int launches);

/// The builds for a file of programs: the extremes each time, the others by turns.
Plan planFor(std::uint64_t number);

} // namespace spl::random
