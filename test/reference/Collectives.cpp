// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The results of warp and group collectives.
#include "test/reference/Item.h"

#include "llvm/ADT/STLExtras.h"

using namespace spl;
using namespace spl::reference;
using intrinsics::Id;
using syntax::BinaryOp;

namespace {

/// A call of a collective, with its work-items in the order of their flat ids.
struct CollectiveCall {
  const std::vector<Item *> &items;
  const sema::IntrinsicExpr &call;
  sema::Type type; ///< the type of the first argument

  const Value &operand(size_t i) const { return items[i]->waiting->operands[0]; }
  void give(size_t i, Value value) const { items[i]->waiting->result = std::move(value); }
  std::uint32_t bit(size_t i) const { return 1u << (items[i]->flatId % 32); }
};

} // namespace

bool reference::isGroupWide(Id id) { return intrinsics::row(id).sync == intrinsics::Sync::Group; }

//===-- Reductions --===//

enum class Reduction { Sum, Min, Max, And, Or, Xor };

static Bits reduced(Reduction how, sema::Type type, Bits a, Bits b) {
  switch (how) {
  case Reduction::Sum:
    return binary(BinaryOp::Add, type, a, b);
  case Reduction::Min:
    return least(type, a, b);
  case Reduction::Max:
    return greatest(type, a, b);
  case Reduction::And:
    return a & b;
  case Reduction::Or:
    return a | b;
  case Reduction::Xor:
    return a ^ b;
  }
  throw std::logic_error("every reduction is above");
}

static Value reduced(Reduction how, sema::Type type, const Value &a, const Value &b) {
  if (!type.isVector())
    return Value::of(reduced(how, type, a.bits, b.bits));
  std::vector<Value> lanes;
  for (unsigned lane = 0; lane != type.lanes(); ++lane)
    lanes.push_back(
        Value::of(reduced(how, type.element(), a.parts[lane].bits, b.parts[lane].bits)));
  return Value::of(std::move(lanes));
}

static void reduce(const CollectiveCall &collective, Reduction how) {
  Value total = collective.operand(0);
  for (size_t i = 1; i != collective.items.size(); ++i)
    total = reduced(how, collective.type, total, collective.operand(i));
  for (size_t i = 0; i != collective.items.size(); ++i)
    collective.give(i, total);
}

static void scan(const CollectiveCall &collective) {
  Value total = Value::of(0);
  total.parts.assign(collective.type.isVector() ? collective.type.lanes() : 0, Value::of(0));
  for (size_t i = 0; i != collective.items.size(); ++i) {
    Value with = reduced(Reduction::Sum, collective.type, total, collective.operand(i));
    collective.give(i, collective.call.isExclusive ? total : with);
    total = std::move(with);
  }
}

//===-- Votes --===//

static void vote(const CollectiveCall &collective, bool isAny) {
  auto holds = [](const Item *item) { return item->waiting->operands[0].bits != 0; };
  const bool result =
      isAny ? llvm::any_of(collective.items, holds) : llvm::all_of(collective.items, holds);
  for (size_t i = 0; i != collective.items.size(); ++i)
    collective.give(i, Value::of(result));
}

/// Gives each work-item a mask of the work-items whose vote counts for it.
template <class F> static void masks(const CollectiveCall &collective, F &&counts) {
  for (size_t i = 0; i != collective.items.size(); ++i) {
    std::uint32_t mask = 0;
    for (size_t other = 0; other != collective.items.size(); ++other)
      if (counts(i, other))
        mask |= collective.bit(other);
    collective.give(i, Value::of(mask));
  }
}

static bool hasSameBits(sema::Type type, const Value &a, const Value &b) {
  if (!type.isVector())
    return a.bits == b.bits;
  return llvm::equal(a.parts, b.parts,
                     [](const Value &x, const Value &y) { return x.bits == y.bits; });
}

//===-- Shuffles --===//

/// Lanes are numbered in their segment.
static std::int64_t sourceLane(Id id, std::int64_t lane, std::int64_t by, std::int64_t width) {
  switch (id) {
  case Id::Shuffle:
    return by & (width - 1);
  case Id::ShuffleUp:
    return by <= lane ? lane - by : lane;
  case Id::ShuffleDown:
    return by < width - lane ? lane + by : lane;
  default:
    return (lane ^ by) & (width - 1);
  }
}

static void shuffle(const CollectiveCall &collective) {
  const sema::Type index = collective.call.arguments[1]->type;
  for (size_t i = 0; i != collective.items.size(); ++i) {
    const Item &item = *collective.items[i];
    const std::int64_t by = asInteger(index, item.waiting->operands[1].bits);
    const std::int64_t width = collective.call.width;
    const std::int64_t from = sourceLane(collective.call.id, item.flatId % width, by, width);
    Value result = collective.operand(i); // unspecified if it comes from an inactive lane
    for (size_t other = 0; other != collective.items.size(); ++other)
      if (collective.items[other]->flatId % width == from)
        result = collective.operand(other);
    collective.give(i, std::move(result));
  }
}

static void broadcast(const CollectiveCall &collective) {
  const sema::Type index = collective.call.arguments[1]->type;
  for (size_t i = 0; i != collective.items.size(); ++i) {
    const Bits from = collective.items[i]->waiting->operands[1].bits;
    collective.give(i, collective.operand(static_cast<size_t>(asInteger(index, from))));
  }
}

/// Completes a collective of a whole group, or of one segment of a warp.
static void completeSegment(const std::vector<Item *> &together) {
  const sema::IntrinsicExpr &call = *together.front()->waiting->call;
  const CollectiveCall collective{together, call,
                                  call.arguments.empty() ? sema::Type() : call.arguments[0]->type};
  switch (call.id) {
  case Id::Barrier:
  case Id::GridBarrier:
  case Id::WarpBarrier:
    return;
  case Id::WarpSum:
  case Id::GroupSum:
    return reduce(collective, Reduction::Sum);
  case Id::WarpMin:
  case Id::GroupMin:
    return reduce(collective, Reduction::Min);
  case Id::WarpMax:
  case Id::GroupMax:
    return reduce(collective, Reduction::Max);
  case Id::WarpAnd:
  case Id::GroupAnd:
    return reduce(collective, Reduction::And);
  case Id::WarpOr:
  case Id::GroupOr:
    return reduce(collective, Reduction::Or);
  case Id::WarpXor:
  case Id::GroupXor:
    return reduce(collective, Reduction::Xor);
  case Id::WarpScan:
  case Id::GroupScan:
    return scan(collective);
  case Id::Any:
  case Id::GroupAny:
    return vote(collective, /*isAny=*/true);
  case Id::All:
  case Id::GroupAll:
    return vote(collective, /*isAny=*/false);
  case Id::ActiveMask:
    return masks(collective, [](size_t, size_t) { return true; });
  case Id::Ballot:
    return masks(collective,
                 [&](size_t, size_t other) { return collective.operand(other).bits != 0; });
  case Id::MatchAny:
    return masks(collective, [&](size_t i, size_t other) {
      return hasSameBits(collective.type, collective.operand(i), collective.operand(other));
    });
  case Id::Shuffle:
  case Id::ShuffleUp:
  case Id::ShuffleDown:
  case Id::ShuffleXor:
    return shuffle(collective);
  case Id::GroupBroadcast:
    return broadcast(collective);
  default:
    throw Unsupported(intrinsics::row(call.id).name.str());
  }
}

void reference::complete(const std::vector<Item *> &together) {
  const sema::IntrinsicExpr &call = *together.front()->waiting->call;
  if (call.width == 32)
    return completeSegment(together);
  for (size_t begin = 0, end = 0; begin != together.size(); begin = end) {
    auto segment = [&](size_t i) { return together[i]->flatId / call.width; };
    while (end != together.size() && segment(end) == segment(begin))
      ++end;
    completeSegment({together.begin() + static_cast<std::ptrdiff_t>(begin),
                     together.begin() + static_cast<std::ptrdiff_t>(end)});
  }
}
