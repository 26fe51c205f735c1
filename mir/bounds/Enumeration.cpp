// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Enumeration.h"

#include "mir/bounds/Dependences.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "spl/abi/Limits.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace spl::mir::bounds {
namespace {

uint64_t asUnsigned(int64_t number, unsigned width) {
  return width == 64 ? uint64_t(number) : uint64_t(number) & ((uint64_t(1) << width) - 1);
}

/// The result of an instruction on two known numbers, before it is wrapped to its width.
Number ofTwo(const Instruction &instruction, int64_t a, int64_t b) {
  const uint64_t left = asUnsigned(a, instruction.width), right = asUnsigned(b, instruction.width);
  switch (instruction.code) {
  case Code::Add:
    return left + right;
  case Code::Sub:
    return left - right;
  case Code::Mul:
    return left * right;
  case Code::DivS: // the quotient by -1 may overflow
    return b == 0 || b == -1 ? Number() : a / b;
  case Code::RemS:
    return b == 0 || b == -1 ? Number() : a % b;
  case Code::DivU:
    return b == 0 ? Number() : left / right;
  case Code::RemU:
    return b == 0 ? Number() : left % right;
  case Code::And:
    return a & b;
  case Code::Or:
    return a | b;
  case Code::Xor:
    return a ^ b;
  case Code::Shl:
    return right >= instruction.width ? Number() : left << right;
  case Code::ShrS:
    return right >= instruction.width ? Number() : a >> right;
  case Code::ShrU:
    return right >= instruction.width ? Number() : left >> right;
  case Code::MinS:
    return std::min(a, b);
  case Code::MaxS:
    return std::max(a, b);
  case Code::MinU:
    return std::min(left, right);
  case Code::MaxU:
    return std::max(left, right);
  case Code::Eq:
    return a == b;
  case Code::Ne:
    return a != b;
  case Code::LtS:
    return a < b;
  case Code::LeS:
    return a <= b;
  case Code::LtU:
    return left < right;
  case Code::LeU:
    return left <= right;
  case Code::Select:
  case Code::ExtS:
  case Code::ExtU:
  case Code::Trunc:
    break;
  }
  llvm_unreachable("not an instruction with two operands");
}

/// Runs instructions for all work-items and iterations.
class Run {
public:
  Run(const Dependences &of, bool truth, int64_t &steps)
      : of(of), truth(truth), steps(steps), numbers(of.constants) {}

  /// Whether the condition always has its truth value.
  bool always() {
    if (!of.localSize)
      return alongLanes();
    return alongAxis(2);
  }

private:
  bool alongLanes() {
    for (int64_t id = 0; id != (of.lane != 0 ? abi::warpSize : 1); ++id) {
      if (of.lane != 0)
        numbers[of.lane] = id;
      if (!inLevel(0))
        return false;
    }
    return true;
  }

  bool alongAxis(unsigned axis) {
    const bool needsAll = of.lane != 0 || of.warp != 0;
    const int64_t size = (*of.localSize)[axis];
    for (ids[axis] = 0; ids[axis] != (needsAll || of.localIds[axis] != 0 ? size : 1); ++ids[axis]) {
      if (of.localIds[axis] != 0)
        numbers[of.localIds[axis]] = ids[axis];
      if (axis != 0) {
        if (!alongAxis(axis - 1))
          return false;
        continue;
      }
      const int64_t linear = ids[0] + (*of.localSize)[0] * (ids[1] + (*of.localSize)[1] * ids[2]);
      if (of.lane != 0)
        numbers[of.lane] = linear % abi::warpSize;
      if (of.warp != 0)
        numbers[of.warp] = linear / abi::warpSize;
      if (!inLevel(0))
        return false;
    }
    return true;
  }

  /// Runs the region of a level once, or as often as its loop does.
  bool inLevel(unsigned depth) {
    if (depth == of.levels.size()) {
      const Number value = numbers[of.condition];
      return value && (*value != 0) == truth;
    }
    const Level &level = of.levels[depth];
    if (isa<scf::IfOp>(level.op)) {
      const Number value = numbers[level.condition];
      if (value && (*value != 0) == level.isElse)
        return true; // this arm does not run
      return execute(level.instructions) && inLevel(depth + 1);
    }
    if (isa<scf::WhileOp>(level.op))
      return inWhile(level, depth);
    if (isa<scf::ForOp>(level.op) && level.carries())
      return inFor(level, depth);
    return execute(level.instructions) && inLevel(depth + 1);
  }

  bool inFor(const Level &level, unsigned depth) {
    const Number lower = numbers[level.lower], upper = numbers[level.upper],
                 step = numbers[level.step];
    if (!lower || !upper || !step || *step <= 0) { // any iteration
      numbers[level.variable] = std::nullopt;
      for (const Copy &copy : level.initial)
        numbers[copy.to] = std::nullopt;
      return execute(level.instructions) && inLevel(depth + 1);
    }
    copyAll(level.initial);
    const bool isUnsigned = cast<scf::ForOp>(level.op).getUnsignedCmp();
    if (isUnsigned && (*lower < 0 || *upper < 0))
      return false;
    for (int64_t at = *lower; at < *upper; at += *step) {
      if (level.variable != 0)
        numbers[level.variable] = at;
      if (!execute(level.instructions) || !inLevel(depth + 1))
        return false;
      copyAll(level.next);
      if (*upper - at <= *step) // the sum might wrap
        break;
    }
    return true;
  }

  bool inWhile(const Level &level, unsigned depth) {
    copyAll(level.initial);
    while (true) {
      if (!execute(level.instructions) || (level.isBefore && !inLevel(depth + 1)))
        return false;
      if (!level.carries()) {
        copyAll(level.arguments);
        return level.isBefore || (execute(level.bodyInstructions) && inLevel(depth + 1));
      }
      const Number goesOn = numbers[level.condition];
      if (goesOn && *goesOn == 0)
        return true;
      copyAll(level.arguments);
      if (!execute(level.bodyInstructions) || (!level.isBefore && !inLevel(depth + 1)))
        return false;
      if (!copyAll(level.next))
        return true; // all later iterations are like this one
    }
  }

  /// Copies all at once. Returns whether a number changed.
  bool copyAll(ArrayRef<Copy> copies) {
    SmallVector<Number, 8> read;
    for (const Copy &copy : copies)
      read.push_back(numbers[copy.from]);
    bool isChanged = false;
    for (auto [copy, number] : llvm::zip(copies, read)) {
      isChanged |= numbers[copy.to] != number;
      numbers[copy.to] = number;
    }
    return isChanged;
  }

  /// Returns false if there are no steps left.
  bool execute(ArrayRef<Instruction> instructions) {
    steps -= int64_t(instructions.size()) + 1;
    if (steps < 0)
      return false;
    for (const Instruction &instruction : instructions)
      numbers[instruction.result] = resultOf(instruction);
    return true;
  }

  Number resultOf(const Instruction &instruction) const {
    auto operand = [&](unsigned k) { return numbers[instruction.operands[k]]; };
    const Number a = operand(0), b = operand(1);
    switch (instruction.code) {
    case Code::Select:
      if (a)
        return *a != 0 ? b : operand(2);
      return b == operand(2) ? b : std::nullopt;
    case Code::ExtS:
      return a;
    case Code::ExtU:
      return a ? Number(asUnsigned(*a, instruction.width)) : a;
    case Code::Trunc:
      return a ? Number(wrapped(*a, instruction.resultWidth)) : a;
    default:
      break;
    }
    const Number known = a ? a : b;
    if (a && b) {
      const Number result = ofTwo(instruction, *a, *b);
      return result ? Number(wrapped(*result, instruction.resultWidth)) : result;
    }
    if (known == 0 && (instruction.code == Code::And || instruction.code == Code::Mul))
      return 0;
    if (known == -1 && instruction.code == Code::Or)
      return -1;
    return std::nullopt;
  }

  static int64_t wrapped(int64_t number, unsigned width) {
    return width == 64 ? number : llvm::SignExtend64(uint64_t(number), width);
  }

  const Dependences &of;
  const bool truth;
  int64_t &steps;
  std::vector<Number> numbers;
  std::array<int64_t, 3> ids{};
};

} // namespace

bool Enumeration::proves(Operation *at, Value condition, bool truth) {
  if (steps <= 0)
    return false;
  const Dependences dependences(kernel, at, condition);
  return dependences.condition != 0 && Run(dependences, truth, steps).always();
}

} // namespace spl::mir::bounds
