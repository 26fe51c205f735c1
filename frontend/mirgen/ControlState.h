// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The break, continue and return statements that may have run before a point of a function. They
// become values, because MIR has structured control flow only. The types here are copied by value.
#pragma once

#include "mlir/IR/Value.h"
#include "llvm/ADT/STLExtras.h"
#include <array>

namespace spl::mirgen {

enum class Exit : uint8_t { Break, Continue, Return };
constexpr std::array exits = {Exit::Break, Exit::Continue, Exit::Return};

/// Whether an exit was taken: known not to be, known to be, or a value of the running program,
/// which is true as long as the exit was not taken, since that is what the code that follows is
/// guarded by.
struct Taken {
  enum class State : uint8_t { Never, Always, Maybe };
  State state = State::Never;
  mlir::Value stays; ///< Maybe: an i1

  static Taken always() { return {State::Always, {}}; }
  static Taken maybe(mlir::Value stays) { return {State::Maybe, stays}; }
  friend bool operator==(const Taken &, const Taken &) = default;
};

struct ControlState {
  bool reachable = true; ///< whether any path gets here without an exit
  std::array<Taken, exits.size()> taken;
  mlir::Value result; ///< what was returned; null where nothing can have been

  Taken &operator[](Exit exit) { return taken[size_t(exit)]; }
  const Taken &operator[](Exit exit) const { return taken[size_t(exit)]; }
  bool mayHaveLeft() const {
    return llvm::any_of(taken, [](const Taken &exit) { return exit.state != Taken::State::Never; });
  }
  void leave(Exit exit) {
    (*this)[exit] = Taken::always();
    reachable = false;
  }
};

} // namespace spl::mirgen
