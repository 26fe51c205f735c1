// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs the groups of a launch one after the other, each until it ends or waits at a grid barrier.
// In a group, each work-item runs until it waits at a collective or ends.
#include "test/reference/Item.h"

#include "llvm/ADT/STLExtras.h"

using namespace spl;
using namespace spl::reference;

void Item::step() {
  if (++steps > group.launch.launch.maxSteps)
    throw TooLong();
}

std::int64_t Item::globalId(unsigned axis) const {
  return group.id[axis] * group.launch.launch.local[axis] + local[axis];
}

Fault Item::faultOf(FaultKind kind, const char *place, std::int64_t value,
                    std::int64_t bound) const {
  return {kind, place, value, bound, {globalId(0), globalId(1), globalId(2)}, group.id};
}

namespace {

/// A work-item and its stack.
struct Runner {
  Item item;
  Frame frame = {};
  std::unique_ptr<Fiber> fiber = nullptr;

  bool isDone() const { return fiber->isDone(); }
};

/// Schedules the work-items of one group.
class Schedule {
public:
  Schedule(const sema::Function &kernel, Group &group, Result &result)
      : kernel(kernel), group(group), result(result) {
    for (std::int64_t z = 0; z != local()[2]; ++z)
      for (std::int64_t y = 0; y != local()[1]; ++y)
        for (std::int64_t x = 0; x != local()[0]; ++x)
          add({x, y, z});
  }

  /// Runs the group until it ends or waits at a grid barrier. Returns whether it waits.
  bool run() {
    while (true) {
      resumeAll();
      if (result.isTooLong) // a work-item stopped, and does not reach the next barrier
        return false;
      bool hasWork = false;
      for (size_t first = 0; first < runners.size(); first += 32)
        hasWork |= resumeWarp(first, std::min(first + 32, runners.size()));
      if (hasWork)
        continue;
      if (hasFault())
        return false;
      const std::vector<Item *> together = met();
      if (together.empty())
        return false;
      if (together.front()->waiting->call->id == intrinsics::Id::GridBarrier)
        return true;
      completeTogether(together);
    }
  }

  /// The group waits at a grid barrier, as all others do.
  void passGridBarrier() { completeTogether(met()); }

  /// The barrier at which the group waits.
  const sema::IntrinsicExpr *gridBarrier() const { return met().front()->waiting->call; }

private:
  const std::array<std::int64_t, 3> &local() const { return group.launch.launch.local; }

  void add(std::array<std::int64_t, 3> at) {
    auto made = std::make_unique<Runner>(Runner{Item{group, at}});
    Runner &runner = *made;
    runner.item.flatId = static_cast<std::int64_t>(runners.size());
    runner.item.frame = &runner.frame;
    runner.fiber = std::make_unique<Fiber>([this, &runner] { interpret(runner); });
    runner.item.fiber = runner.fiber.get();
    runners.push_back(std::move(made));
  }

  void interpret(Runner &runner) {
    size_t next = 0;
    for (const sema::Local *parameter : kernel.parameters)
      enter(runner.frame, *parameter, argument(parameter->type, next));
    try {
      execute(runner.item, kernel.body);
    } catch (const Faulted &faulted) {
      runner.item.fault = faulted.fault;
      result.faults.insert(faulted.fault);
    } catch (TooLong) {
      result.isTooLong = true;
    } catch (const std::exception &) {
      error = std::current_exception();
    }
  }

  /// The value of the next argument, or of the next ones if the type has slices in it.
  Value argument(sema::Type type, size_t &next) const {
    if (type.holdsSlices()) {
      std::vector<Value> parts;
      for (std::uint64_t part = 0; part != partCount(type); ++part)
        parts.push_back(argument(partType(type, part), next));
      return Value::of(std::move(parts));
    }
    const auto &given = group.launch.launch.arguments[next++];
    const Pointer bytes{given.bytes};
    return type.isSlice() ? Value::of(Slice{bytes, given.extents}) : load(type, bytes);
  }

  void resumeAll() {
    for (const auto &runner : runners)
      if (!runner->isDone() && runner->item.isReady()) {
        runner->fiber->resume();
        if (error)
          std::rethrow_exception(std::exchange(error, nullptr));
      }
  }

  bool hasFault() const {
    return llvm::any_of(runners, [](const auto &each) { return each->item.fault.has_value(); });
  }

  /// Completes the first collective of the warp that no other work-item can still reach. A
  /// work-item with a fault keeps its position, so work-items that it could have joined wait for
  /// ever. The others continue, and may have faults of their own.
  bool resumeWarp(size_t first, size_t end) {
    std::map<std::vector<std::uint32_t>, std::vector<Item *>> waiting;
    std::vector<const Item *> failed;
    for (size_t i = first; i != end; ++i) {
      Item &item = runners[i]->item;
      if (item.fault)
        failed.push_back(&item);
      else if (!runners[i]->isDone())
        waiting[item.position].push_back(&item);
    }
    auto mayBeJoined = [&](const auto &position, const auto &others) {
      return llvm::any_of(others, [&](const Item *other) {
        return other->position <= position && Arm::canReach(other->position, position);
      });
    };
    for (auto at = waiting.begin(); at != waiting.end(); ++at) {
      const auto &[position, together] = *at;
      const bool isFirst = std::all_of(waiting.begin(), at, [&](const auto &earlier) {
        return !Arm::canReach(earlier.first, position);
      });
      if (!isFirst || mayBeJoined(position, failed))
        continue;
      if (isGroupWide(together.front()->waiting->call->id))
        return false;
      completeTogether(together);
      return true;
    }
    return false;
  }

  /// The work-items of the group, which all wait at one collective; none if all have ended.
  std::vector<Item *> met() const {
    std::vector<Item *> together;
    for (const auto &runner : runners)
      if (!runner->isDone())
        together.push_back(&runner->item);
    for (const Item *item : together)
      if (together.size() != runners.size() || item->position != together.front()->position)
        throw Unsupported("a barrier that some work-items do not reach");
    return together;
  }

  static void completeTogether(const std::vector<Item *> &together) {
    complete(together);
    for (Item *item : together)
      item->waiting->isComplete = true;
  }

  const sema::Function &kernel;
  Group &group;
  Result &result;
  std::exception_ptr error;
  std::vector<std::unique_ptr<Runner>> runners; ///< indexed by flat id
};

} // namespace

namespace {

/// A group that waits at a grid barrier.
struct Waiting {
  Waiting(LaunchState &state, std::array<std::int64_t, 3> id, const sema::Function &kernel,
          Result &result)
      : group{state, id}, schedule(kernel, group, result) {
    group.dynamic =
        allocate(static_cast<std::uint64_t>(state.launch.sharedBytes), state.launch.sharedFilling);
  }

  Group group;
  Schedule schedule;
};

} // namespace

/// A fault ends the launch at the next grid barrier.
static void passGridBarriers(std::vector<std::unique_ptr<Waiting>> groups, size_t count,
                             const Result &result) {
  while (!groups.empty() && result.faults.empty() && !result.isTooLong) {
    for (const auto &each : groups)
      if (groups.size() != count ||
          each->schedule.gridBarrier() != groups.front()->schedule.gridBarrier())
        throw Unsupported("a grid barrier that some groups do not reach");
    std::vector<std::unique_ptr<Waiting>> again;
    for (auto &each : groups) {
      each->schedule.passGridBarrier();
      if (each->schedule.run())
        again.push_back(std::move(each));
    }
    groups = std::move(again);
  }
}

Result reference::interpret(const sema::Program &, const sema::Function &kernel,
                            const Launch &launch) {
  Result result;
  LaunchState state{launch};
  std::vector<std::unique_ptr<Waiting>> waiting;
  for (std::int64_t z = 0; z != launch.groups[2]; ++z)
    for (std::int64_t y = 0; y != launch.groups[1]; ++y)
      for (std::int64_t x = 0; x != launch.groups[0] && !result.isTooLong; ++x) {
        auto group =
            std::make_unique<Waiting>(state, std::array<std::int64_t, 3>{x, y, z}, kernel, result);
        if (group->schedule.run())
          waiting.push_back(std::move(group));
      }
  const auto &[width, height, depth] = launch.groups;
  passGridBarriers(std::move(waiting), static_cast<size_t>(width * height * depth), result);
  result.lines = std::move(state.lines);
  return result;
}

const sema::Function *reference::findKernel(const sema::Program &program, llvm::StringRef name) {
  for (const sema::Function *function : program.functions)
    if (function->isKernel && function->name == name)
      return function;
  return nullptr;
}
