// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compares builds of random programs with the reference interpreter. Either every slice has the
// same bits, or the build reports a fault that the launch may report.
#pragma once

#include "test/random/Builds.h"

namespace spl::random {

/// A build whose result differs.
struct Mismatch {
  generator::Program program;
  BuildOptions options;
  bool meetsContract = false;
  std::string launch, what;
  bool isCrash = false;
  /// The program reads shared memory that nothing has written, so it may differ.
  bool readsUnwritten = false;

  std::string str() const;
};

struct Counts {
  std::size_t programs = 0, contracts = 0, launches = 0, runs = 0, met = 0, faults = 0,
              metFaults = 0, tooLong = 0;
  double compiling = 0, interpreting = 0, running = 0; ///< in seconds

  Counts &operator+=(const Counts &other);
  std::string str() const;
};

/// A checked source text, for the interpreter.
class Source {
public:
  explicit Source(const Text &text);
  ~Source();
  /// Interprets a launch of an entry. Changes its memory.
  reference::Result interpret(const std::string &entry, const reference::Launch &launch) const;
  ReportedFault reported(const reference::Fault &fault) const;
  bool isCorrect() const;
  /// Whether each entry of the kernel exists and has parameters of their sizes.
  bool hasKernel(const generator::Program &program) const;

private:
  struct State;
  std::unique_ptr<State> state;
};

/// The builds and launches for a file of programs.
struct Plan {
  std::vector<BuildOptions> builds;
  int launches = 4; ///< per program; three times as many for Flavour::Indices
};

/// Compiles the programs together and returns the first mismatch.
std::optional<Mismatch> compare(const std::vector<generator::Program> &programs, const Plan &plan,
                                Counts &counts);

/// Compiles a variant of the program, and compares it with the program in the interpreter. Only
/// launches without a fault are compared, because a variant may have its faults in another order.
/// The interpreter also runs the variant, which tests the generator.
std::optional<Mismatch> compareVariant(const generator::Program &program,
                                       const generator::Program &variant, const Plan &plan,
                                       Counts &counts);

} // namespace spl::random
