// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference interpreter: what a launch of a checked program does, read off the typed tree
// (frontend/sema/Program.h) by the rules of docs/language.md, one work-item at a time. It is what
// the compiled builds of a program are compared with, and shares no code with MIR or codegen.
//
// Not interpreted: functions of math with an error (exp, sin, pow ...), gpu.clock, print's output.
// Programs with races, and barriers that some work-items do not reach, have no meaning.
#pragma once

#include "frontend/sema/Program.h"
#include "test/reference/Value.h"

#include <set>
#include <stdexcept>

namespace spl::reference {

enum class FaultKind {
#define SPL_FAULT_KIND(NAME, NUMBER, TEXT, SENTENCE) NAME = NUMBER,
#include "spl/FaultKinds.def"
};

/// A failed check of one work-item.
struct Fault {
  FaultKind kind = FaultKind::Trap;
  const char *place = nullptr;            ///< in the source's text: where the operation begins
  std::int64_t value = 0;                 ///< the index or the exponent, where the kind has one
  std::int64_t bound = 0;                 ///< the length, where the kind has one
  std::array<std::int64_t, 3> workItem{}; ///< global ids
  std::array<std::int64_t, 3> group{};

  auto operator<=>(const Fault &) const = default;
};

/// The value of a parameter: an element's bytes, or those of a slice with its extents.
struct Argument {
  std::shared_ptr<Memory> bytes;
  std::array<std::int64_t, 4> extents{};
};

struct Launch {
  std::array<std::int64_t, 3> groups{1, 1, 1}, local{1, 1, 1};
  std::int64_t sharedBytes = 0; ///< dynamic
  std::vector<Argument> arguments;
  std::uint64_t maxSteps = 4000; ///< statements and iterations of one work-item
};

struct Result {
  bool isTooLong = false; ///< a work-item needs more than maxSteps: nothing else is known
  /// What the launch may report: the first fault of each work-item that no other fault comes
  /// before.
  std::set<Fault> faults;
};

/// The program asks for what the interpreter cannot say.
class Unsupported : public std::logic_error {
  using std::logic_error::logic_error;
};

/// Runs the kernel; slices that it writes to are changed in place.
Result interpret(const sema::Program &program, const sema::Function &kernel, const Launch &launch);

/// The kernel of that name; null where there is none.
const sema::Function *findKernel(const sema::Program &program, llvm::StringRef name);

} // namespace spl::reference
