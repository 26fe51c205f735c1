// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The instructions that a condition of a kernel depends on, as Enumeration.cpp runs them.
#pragma once

#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/DenseMap.h"

namespace spl::mir::bounds {

/// An integer of at most 64 bits, sign-extended, or unknown.
using Number = std::optional<int64_t>;

/// The place of a number in Run::numbers.
using Slot = unsigned;

enum class Code {
  Add,
  Sub,
  Mul,
  DivS,
  DivU,
  RemS,
  RemU,
  And,
  Or,
  Xor,
  Shl,
  ShrS,
  ShrU,
  MinS,
  MaxS,
  MinU,
  MaxU,
  Eq,
  Ne,
  LtS,
  LeS,
  LtU,
  LeU,
  Select,
  ExtS,
  ExtU,
  Trunc
};

struct Instruction {
  Code code;
  unsigned width, resultWidth; ///< of the operands and of the result, in bits
  Slot result = 0;
  std::array<Slot, 3> operands{};
};

struct Copy {
  Slot from, to;
};

/// A region around the condition. The kernel's body is the first one.
struct Level {
  /// The operation that has the region: an scf.if, scf.for, scf.while, or the kernel.
  mlir::Operation *op = nullptr;
  bool isElse = false;    ///< the region is the else arm of an scf.if
  bool isBefore = false;  ///< the region is that before the condition of an scf.while
  bool isCounted = false; ///< the slots below are set
  /// What the number of iterations and the values of the loop depend on.
  Slot condition = 0, lower = 0, upper = 0, step = 0, variable = 0;
  /// The values that the loop carries: from before it, to the body of an scf.while, and to the next
  /// iteration.
  llvm::SmallVector<Copy> initial, arguments, next;
  llvm::SmallVector<mlir::BlockArgument> carried; ///< those of `initial`
  /// In the region. Of an scf.while, `instructions` is for the region before the condition.
  llvm::SmallVector<Instruction, 8> instructions, bodyInstructions;

  bool carries() const { return !initial.empty() || variable != 0; }
};

/// The instructions that a condition depends on, by the level where their operands are known.
class Dependences {
public:
  Dependences(KernelOp kernel, mlir::Operation *at, mlir::Value condition);

  std::vector<Level> levels;
  std::vector<Number> constants; ///< the initial numbers of all slots
  Slot condition = 0;
  /// Slots of the ids that are used; 0 if they are not.
  std::array<Slot, 3> localIds{};
  Slot lane = 0, warp = 0;
  std::optional<std::array<int64_t, 3>> localSize; ///< if the kernel fixes it

private:
  /// The numbers that slots have, and where: 2 * level, or one more in the body of an scf.while.
  struct Place {
    Slot slot = 0;
    unsigned depth = 0;
  };
  Place place(mlir::Value value);
  Place make(mlir::Value value);
  Place constant(int64_t number) { return {newSlot(number), 0}; }
  Slot newSlot(Number number = std::nullopt) {
    constants.push_back(number);
    return Slot(constants.size() - 1);
  }
  Place ofArgument(mlir::BlockArgument argument);
  Place ofIntrinsic(IntrinsicOp op);
  Place ofOperation(mlir::Operation *op);
  Place append(Code code, mlir::Value result, llvm::ArrayRef<mlir::Value> operands);
  bool completeLoop(Level &level);
  Place carry(Level &level, unsigned depth, mlir::BlockArgument argument, mlir::Value first);

  llvm::DenseMap<mlir::Value, Place> places;
  unsigned count = 0, nesting = 0;
};

} // namespace spl::mir::bounds
