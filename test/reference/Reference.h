// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The reference interpreter. It executes a launch of a checked program on the typed tree
// (frontend/sema/Program.h), one work-item at a time, by the rules of docs/language.md. Compiled
// programs are compared with it. It shares no code with MIR or codegen.
//
// Not supported: math functions with inexact results (exp, sin, pow ...) and gpu.clock. Programs
// with races, or with barriers that some work-items do not reach, have no defined result.
#pragma once

#include "frontend/sema/Program.h"
#include "spl/abi/FaultKind.h"
#include "test/reference/Value.h"

#include <set>
#include <stdexcept>

namespace spl::reference {

/// A failed check of one work-item.
struct Fault {
  FaultKind kind = FaultKind::Trap;
  const char *place = nullptr;            ///< the start of the operation in the source text
  std::int64_t value = 0;                 ///< the index or the exponent, if the kind has one
  std::int64_t bound = 0;                 ///< the length, if the kind has one
  std::array<std::int64_t, 3> workItem{}; ///< global ids
  std::array<std::int64_t, 3> group{};

  auto operator<=>(const Fault &) const = default;
};

/// The value of a parameter: the bytes of a number, or those of a slice with its extents.
struct Argument {
  std::shared_ptr<Memory> bytes;
  std::array<std::int64_t, 4> extents{};
};

struct Launch {
  std::array<std::int64_t, 3> groups{1, 1, 1}, local{1, 1, 1};
  std::int64_t sharedBytes = 0;  ///< dynamic shared memory
  std::byte sharedFilling{0xa5}; ///< of shared memory that nothing has written
  std::vector<Argument> arguments;
  std::uint64_t maxSteps = 4000; ///< statements and iterations of one work-item
  std::uint64_t maxLines = 4000; ///< lines that the launch prints
};

struct Result {
  bool isTooLong = false; ///< a limit of the launch was exceeded; there is no other result
  /// The faults that the launch may report: the first fault of each work-item, unless another fault
  /// must come before it.
  std::set<Fault> faults;
  /// The text of each executed print, without the end of its line. Those of a work-item are in
  /// order. Those of different work-items have no order.
  std::vector<std::string> lines;
};

/// Thrown for a program that the interpreter does not support.
class Unsupported : public std::logic_error {
  using std::logic_error::logic_error;
};

/// Runs the kernel. Changes the slices that it writes.
Result interpret(const sema::Program &program, const sema::Function &kernel, const Launch &launch);

/// The kernel of that name, or null.
const sema::Function *findKernel(const sema::Program &program, llvm::StringRef name);

} // namespace spl::reference
