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
struct Meeting {
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

enum class Reduction { Sum, Min, Max };

static Bits reduced(Reduction how, sema::Type type, Bits a, Bits b) {
  if (how == Reduction::Sum)
    return binary(BinaryOp::Add, type, a, b);
  return how == Reduction::Min ? least(type, a, b) : greatest(type, a, b);
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

static void reduce(const Meeting &meeting, Reduction how) {
  Value total = meeting.operand(0);
  for (size_t i = 1; i != meeting.items.size(); ++i)
    total = reduced(how, meeting.type, total, meeting.operand(i));
  for (size_t i = 0; i != meeting.items.size(); ++i)
    meeting.give(i, total);
}

static void scan(const Meeting &meeting) {
  Value total = Value::of(0);
  total.parts.assign(meeting.type.isVector() ? meeting.type.lanes() : 0, Value::of(0));
  for (size_t i = 0; i != meeting.items.size(); ++i) {
    Value with = reduced(Reduction::Sum, meeting.type, total, meeting.operand(i));
    meeting.give(i, meeting.call.isExclusive ? total : with);
    total = std::move(with);
  }
}

//===-- Votes --===//

static void vote(const Meeting &meeting, bool isAny) {
  auto holds = [](const Item *item) { return item->waiting->operands[0].bits != 0; };
  const bool result =
      isAny ? llvm::any_of(meeting.items, holds) : llvm::all_of(meeting.items, holds);
  for (size_t i = 0; i != meeting.items.size(); ++i)
    meeting.give(i, Value::of(result));
}

/// Gives each work-item a mask of the work-items whose vote counts for it.
template <class F> static void masks(const Meeting &meeting, F &&counts) {
  for (size_t i = 0; i != meeting.items.size(); ++i) {
    std::uint32_t mask = 0;
    for (size_t other = 0; other != meeting.items.size(); ++other)
      if (counts(i, other))
        mask |= meeting.bit(other);
    meeting.give(i, Value::of(mask));
  }
}

static bool hasSameBits(sema::Type type, const Value &a, const Value &b) {
  if (!type.isVector())
    return a.bits == b.bits;
  return llvm::equal(a.parts, b.parts,
                     [](const Value &x, const Value &y) { return x.bits == y.bits; });
}

//===-- Shuffles --===//

static std::int64_t sourceLane(Id id, std::int64_t lane, std::int64_t by) {
  switch (id) {
  case Id::Shuffle:
    return by & 31;
  case Id::ShuffleUp:
    return by <= lane ? lane - by : lane;
  case Id::ShuffleDown:
    return lane + by < 32 ? lane + by : lane;
  default:
    return (lane ^ by) & 31;
  }
}

static void shuffle(const Meeting &meeting) {
  const sema::Type index = meeting.call.arguments[1]->type;
  for (size_t i = 0; i != meeting.items.size(); ++i) {
    const Item &item = *meeting.items[i];
    const std::int64_t by = asInteger(index, item.waiting->operands[1].bits);
    const std::int64_t from = sourceLane(meeting.call.id, item.flatId % 32, by);
    Value result = meeting.operand(i); // unspecified if it comes from an inactive lane
    for (size_t other = 0; other != meeting.items.size(); ++other)
      if (meeting.items[other]->flatId % 32 == from)
        result = meeting.operand(other);
    meeting.give(i, std::move(result));
  }
}

static void broadcast(const Meeting &meeting) {
  const sema::Type index = meeting.call.arguments[1]->type;
  for (size_t i = 0; i != meeting.items.size(); ++i) {
    const Bits from = meeting.items[i]->waiting->operands[1].bits;
    meeting.give(i, meeting.operand(static_cast<size_t>(asInteger(index, from))));
  }
}

void reference::answer(const std::vector<Item *> &together) {
  const sema::IntrinsicExpr &call = *together.front()->waiting->call;
  const Meeting meeting{together, call,
                        call.arguments.empty() ? sema::Type() : call.arguments[0]->type};
  switch (call.id) {
  case Id::Barrier:
  case Id::WarpBarrier:
    return;
  case Id::WarpSum:
  case Id::GroupSum:
    return reduce(meeting, Reduction::Sum);
  case Id::WarpMin:
  case Id::GroupMin:
    return reduce(meeting, Reduction::Min);
  case Id::WarpMax:
  case Id::GroupMax:
    return reduce(meeting, Reduction::Max);
  case Id::WarpScan:
  case Id::GroupScan:
    return scan(meeting);
  case Id::Any:
  case Id::GroupAny:
    return vote(meeting, /*isAny=*/true);
  case Id::All:
  case Id::GroupAll:
    return vote(meeting, /*isAny=*/false);
  case Id::Ballot:
    return masks(meeting, [&](size_t, size_t other) { return meeting.operand(other).bits != 0; });
  case Id::MatchAny:
    return masks(meeting, [&](size_t i, size_t other) {
      return hasSameBits(meeting.type, meeting.operand(i), meeting.operand(other));
    });
  case Id::Shuffle:
  case Id::ShuffleUp:
  case Id::ShuffleDown:
  case Id::ShuffleXor:
    return shuffle(meeting);
  case Id::GroupBroadcast:
    return broadcast(meeting);
  default:
    throw Unsupported(intrinsics::row(call.id).name.str());
  }
}
