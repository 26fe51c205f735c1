// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One work-item on its way through a kernel, and the functions that take it on: each family of
// nodes has a file of its own.
#pragma once

#include "test/reference/Fiber.h"
#include "test/reference/Reference.h"

#include <map>
#include <optional>

namespace spl::reference {

/// Thrown by a work-item whose check fails.
struct Faulted {
  Fault fault;
};
/// Thrown by a work-item that has made more than Launch::maxSteps steps.
struct TooLong {};

/// What all work-items of a launch share.
struct LaunchState {
  const Launch &launch;
  std::map<const sema::Constant *, Pointer> constants = {};
};

/// What the work-items of a group share.
struct Group {
  LaunchState &launch;
  std::array<std::int64_t, 3> id{};
  std::map<const sema::Expr *, Pointer> shared = {}; ///< by its place in the source
  Pointer dynamic = {};
};

/// The variables of one call.
struct Frame {
  std::map<const sema::Local *, Pointer> memory;
  std::map<const sema::Local *, Slice> slices;
  Value result;
};

/// A call that work-items make together, while this one waits for it.
struct Collective {
  const sema::IntrinsicExpr *call = nullptr;
  std::vector<Value> operands;
  Value result;
  bool isAnswered = false;
};

/// How a statement ends.
enum class Exit { None, Break, Continue, Return };

struct Item {
  Group &group;
  std::array<std::int64_t, 3> local{};
  std::int64_t flatId = 0;
  Frame *frame = nullptr;
  /// Where it is in the structured control flow: for each construct that it is in, the step, the
  /// arm or the iteration. It only grows in lexicographic order, and work-items with the same
  /// position have come the same way. Therefore those with the least one never miss another.
  std::vector<std::uint32_t> position{0};
  std::uint64_t steps = 0;
  const struct Place *assigned = nullptr; ///< the place of the assignment that it is in

  Fiber *fiber = nullptr;
  std::optional<Collective> waiting = {};
  std::optional<Fault> fault = {};

  bool isReady() const { return !waiting || waiting->isAnswered; }
  void step();
  Fault faultOf(FaultKind kind, const char *place, std::int64_t value = 0,
                std::int64_t bound = 0) const;
  [[noreturn]] void fail(FaultKind kind, const char *place, std::int64_t value = 0,
                         std::int64_t bound = 0) const {
    throw Faulted{faultOf(kind, place, value, bound)};
  }
  std::int64_t globalId(unsigned axis) const;
};

/// A construct in whose arms work-items part.
class Arm {
public:
  Arm(Item &item, std::uint32_t number) : item(item) {
    ++item.position.back();
    item.position.insert(item.position.end(), {number, 0});
  }
  ~Arm() {
    item.position.resize(item.position.size() - 2);
    ++item.position.back();
  }
  Arm(const Arm &) = delete;
  Arm &operator=(const Arm &) = delete;
  /// Goes to another arm, or the next iteration.
  void next() {
    ++item.position.end()[-2];
    item.position.back() = 0;
  }

private:
  Item &item;
};

//===-- Places.cpp --===//

/// Where a value is in memory. An index that is outside faults when the place is used.
struct Place {
  Pointer at;
  std::optional<Fault> fault = {};
};
Place placeOf(Item &item, const sema::Expr &expr);
/// The address, if the index is inside.
const Pointer &used(const Place &place);
/// The slice that an expression of a slice's or an array's type means.
Slice elementsOf(Item &item, const sema::Expr &expr);
Slice rowOf(Item &item, const sema::IndexExpr &expr);
Slice subsliceOf(Item &item, const sema::SubsliceExpr &expr);

//===-- Expressions.cpp --===//

Value evaluate(Item &item, const sema::Expr &expr);
bool isTrue(Item &item, const sema::Expr &condition);
/// An integer expression as i64; a u64 keeps its bits.
std::int64_t indexOf(Item &item, const sema::Expr &expr);

//===-- Functions.cpp --===//

Value call(Item &item, const sema::CallExpr &expr);
void enter(Frame &frame, const sema::Local &parameter, Value argument);

//===-- Statements.cpp --===//

Exit execute(Item &item, sema::Block block);

//===-- Intrinsics.cpp, MathFunctions.cpp --===//

Value intrinsic(Item &item, const sema::IntrinsicExpr &expr);
/// A function of math by its arguments.
Value mathFunction(const sema::IntrinsicExpr &expr, const std::vector<Value> &arguments);

//===-- MemoryCalls.cpp --===//

Value atomic(Item &item, const sema::AtomicExpr &expr);
Slice shared(Item &item, const sema::SharedExpr &expr);
Slice sharedDynamic(Item &item, const sema::SharedDynExpr &expr);
Value access(Item &item, const sema::AccessExpr &expr);

//===-- Collectives.cpp --===//

bool isGroupWide(intrinsics::Id id);
/// Gives each of the work-items, which have come together, its result.
void answer(const std::vector<Item *> &together);

} // namespace spl::reference
