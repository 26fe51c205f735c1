// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a work-item, and the functions that interpret it. Each file has the functions for
// one family of nodes.
#pragma once

#include "test/reference/Fiber.h"
#include "test/reference/Reference.h"

#include <algorithm>
#include <exception>
#include <map>
#include <optional>

namespace spl::reference {

/// Thrown by a work-item with a failed check.
struct Faulted {
  Fault fault;
};
/// Thrown by a work-item that exceeds a limit of the launch.
struct TooLong {};

/// The state that all work-items of a launch share.
struct LaunchState {
  const Launch &launch;
  std::map<const sema::Constant *, Pointer> constants = {};
  std::vector<std::string> lines = {}; ///< as in Result
};

/// The state that the work-items of a group share.
struct Group {
  LaunchState &launch;
  std::array<std::int64_t, 3> id{};
  std::map<const sema::Expr *, Pointer> shared = {}; ///< one for each declaration of a shared array
  Pointer dynamic = {};
};

/// The variables of one call.
struct Frame {
  std::map<const sema::Local *, Pointer> memory;
  std::map<const sema::Local *, Slice> slices;
  Value result;
};

/// A call of a collective at which the work-item waits.
struct Collective {
  const sema::IntrinsicExpr *call = nullptr;
  std::vector<Value> operands;
  Value result;
  bool isComplete = false;
};

/// How a statement ended.
enum class Exit { None, Break, Continue, Return };

struct Item {
  Group &group;
  std::array<std::int64_t, 3> local{};
  std::int64_t flatId = 0;
  Frame *frame = nullptr;
  /// The position in the structured control flow: for each enclosing construct, the step, the arm
  /// or the iteration. It increases in lexicographic order. Work-items with the same position took
  /// the same path. A work-item with a greater position can no longer reach the least one. So when
  /// the work-items with the least position wait, no other can join them, and their collective
  /// runs.
  std::vector<std::uint32_t> position{0};
  std::uint64_t steps = 0;
  const struct Place *assigned = nullptr; ///< the place that the current assignment writes

  Fiber *fiber = nullptr;
  std::optional<Collective> waiting = {};
  std::optional<Fault> fault = {};

  bool isReady() const { return !waiting || waiting->isComplete; }
  void step();
  Fault faultOf(FaultKind kind, const char *place, std::int64_t value = 0,
                std::int64_t bound = 0) const;
  [[noreturn]] void fail(FaultKind kind, const char *place, std::int64_t value = 0,
                         std::int64_t bound = 0) const {
    throw Faulted{faultOf(kind, place, value, bound)};
  }
  std::int64_t globalId(unsigned axis) const;
};

/// A construct with arms in which work-items diverge.
class Arm {
public:
  /// The number of an arm of a branch with two arms. Nobody goes from one to the other.
  static std::uint32_t ofBranch(bool isFirst) { return isChoice | (isFirst ? 0 : 1); }
  /// Whether a work-item at \p from may still reach \p to, for from <= to.
  static bool canReach(const std::vector<std::uint32_t> &from,
                       const std::vector<std::uint32_t> &to) {
    const auto [here, there] = std::mismatch(from.begin(), from.end(), to.begin(), to.end());
    return here == from.end() || there == to.end() || !(*here & *there & isChoice);
  }

  Arm(Item &item, std::uint32_t number) : item(item) {
    ++item.position.back();
    item.position.insert(item.position.end(), {number, 0});
  }
  ~Arm() {
    if (std::uncaught_exceptions() != 0) // a fault: the work-item stays where it is
      return;
    item.position.resize(item.position.size() - 2);
    ++item.position.back();
  }
  Arm(const Arm &) = delete;
  Arm &operator=(const Arm &) = delete;
  /// Moves on to another arm or to the next iteration.
  void next() {
    ++item.position.end()[-2];
    item.position.back() = 0;
  }

private:
  static constexpr std::uint32_t isChoice = 1u << 31;
  Item &item;
};

//===-- Places.cpp --===//

/// The location of a value in memory. If an index is out of bounds, the use of the place faults.
struct Place {
  Pointer at;
  std::optional<Fault> fault = {};
};
Place placeOf(Item &item, const sema::Expr &expr);
/// The address of the place. Throws Faulted if an index is out of bounds.
const Pointer &used(const Place &place);
/// The slice that is the value of an expression of a slice or array type.
Slice elementsOf(Item &item, const sema::Expr &expr);
Slice rowOf(Item &item, const sema::IndexExpr &expr);
Slice subsliceOf(Item &item, const sema::SubsliceExpr &expr);

//===-- Expressions.cpp --===//

Value evaluate(Item &item, const sema::Expr &expr);
bool isTrue(Item &item, const sema::Expr &condition);
/// The value of an integer expression as i64. A u64 keeps its bits.
std::int64_t indexOf(Item &item, const sema::Expr &expr);

//===-- Functions.cpp --===//

Value call(Item &item, const sema::CallExpr &expr);
void enter(Frame &frame, const sema::Local &parameter, Value argument);

//===-- Statements.cpp --===//

Exit execute(Item &item, sema::Block block);

//===-- Printing.cpp --===//

/// The text of a print or a message.
std::string formatted(Item &item, llvm::ArrayRef<sema::FormatPiece> pieces);
void print(Item &item, const sema::PrintStmt &stmt);

//===-- Intrinsics.cpp, MathFunctions.cpp --===//

Value intrinsic(Item &item, const sema::IntrinsicExpr &expr);
/// The result of a math function.
Value mathFunction(const sema::IntrinsicExpr &expr, const std::vector<Value> &arguments);

//===-- MemoryCalls.cpp --===//

Value atomic(Item &item, const sema::AtomicExpr &expr);
Slice shared(Item &item, const sema::SharedExpr &expr);
Slice sharedDynamic(Item &item, const sema::SharedDynExpr &expr);
Value access(Item &item, const sema::AccessExpr &expr);

//===-- Collectives.cpp --===//

bool isGroupWide(intrinsics::Id id);
/// Computes the results of a collective and stores each in its work-item.
void complete(const std::vector<Item *> &together);

} // namespace spl::reference
