// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gpu functions that do not access memory: positions and sizes, and collectives.
#include "test/reference/Item.h"

using namespace spl;
using namespace spl::reference;
using intrinsics::Id;

static std::int64_t product(const std::array<std::int64_t, 3> &extents) {
  return extents[0] * extents[1] * extents[2];
}

/// Waits at a collective. The scheduler (Groups.cpp) resumes the fiber with the result.
static Value waitAtCollective(Item &item, const sema::IntrinsicExpr &expr,
                              std::vector<Value> operands) {
  if (expr.id == Id::GroupBroadcast) {
    const std::int64_t from = asInteger(expr.arguments[1]->type, operands[1].bits);
    const std::int64_t count = product(item.group.launch.launch.local);
    if (from < 0 || from >= count)
      item.fail(FaultKind::IndexOutOfBounds, expr.range.begin, from, count);
  }
  item.waiting = Collective{&expr, std::move(operands), {}, false};
  item.fiber->suspend();
  Value result = std::move(item.waiting->result);
  item.waiting.reset();
  ++item.position.back();
  return result;
}

static std::optional<std::int64_t> geometry(const Item &item, const sema::IntrinsicExpr &expr) {
  const Launch &launch = item.group.launch.launch;
  const unsigned axis = expr.axis;
  switch (expr.id) {
  case Id::GlobalId:
    return item.globalId(axis);
  case Id::LocalId:
    return item.local[axis];
  case Id::GroupId:
    return item.group.id[axis];
  case Id::GlobalSize:
    return launch.groups[axis] * launch.local[axis];
  case Id::LocalSize:
    return launch.local[axis];
  case Id::NumGroups:
    return launch.groups[axis];
  case Id::LaneId:
    return item.flatId % 32;
  case Id::WarpId:
    return item.flatId / 32;
  case Id::WarpSize:
    return 32;
  default:
    return std::nullopt;
  }
}

Value reference::intrinsic(Item &item, const sema::IntrinsicExpr &expr) {
  if (const std::optional<std::int64_t> number = geometry(item, expr))
    return Value::of(static_cast<Bits>(*number));
  std::vector<Value> operands;
  for (const sema::Expr *argument : expr.arguments)
    operands.push_back(evaluate(item, *argument));
  switch (intrinsics::row(expr.id).sync) {
  case intrinsics::Sync::Warp:
  case intrinsics::Sync::Group:
    return waitAtCollective(item, expr, std::move(operands));
  default:
    break;
  }
  switch (expr.id) {
  case Id::Uniform:
  case Id::GridUniform:
    return operands[0];
  case Id::Fence:
    return {};
  case Id::Trap:
    item.fail(FaultKind::Trap, expr.range.begin);
  default:
    return mathFunction(expr, operands);
  }
}
