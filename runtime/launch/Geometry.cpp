// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/Geometry.h"

#include "spl/Error.h"

namespace spl::detail {

static Dims defaultLocal(std::size_t axes) {
  switch (axes) {
  case 1:
    return {256};
  case 2:
    return {16, 16};
  default:
    return {8, 8, 4};
  }
}

namespace {

/// Refuses a launch of one kernel, each time with the same opening words.
struct Checker {
  const std::string &kernel;

  [[noreturn]] void fail(ErrorCode code, const std::string &why, const std::string &hint) const {
    throw Error({.code = code, .message = "launch of " + kernel + ": " + why, .hint = hint});
  }

  /// \p what returns the name of the value; it is called only if the value is too large.
  template <typename What>
  void atMost(std::int64_t value, std::int64_t limit, What what, const char *hint) const {
    if (value > limit)
      fail(ErrorCode::LaunchRefused,
           what() + " is " + std::to_string(value) + "; the device takes at most " +
               std::to_string(limit),
           hint);
  }
};

} // namespace

static std::string axisName(std::size_t axis) { return std::string(1, "xyz"[axis]); }

/// The group size of the launch: the kernel's own where it has one.
static Dims localOf(const LaunchConfig &config, const Signature &kernel, const Checker &check) {
  if (kernel.block().empty())
    return config.local.rank() ? config.local : defaultLocal(config.global.rank());
  const Dims block = Dims::of(kernel.block());
  for (std::size_t axis = 0; config.local.rank() && axis < 3; ++axis)
    if ((axis < block.rank() ? block[axis] : 1) !=
        (axis < config.local.rank() ? config.local[axis] : 1))
      check.fail(ErrorCode::LaunchRefused,
                 "local is " + config.local.str() + "; the kernel is compiled for groups of " +
                     block.str(),
                 "leave local out, or give the same");
  return block;
}

std::optional<Geometry> geometryOf(const LaunchConfig &config, const DeviceLimits &limits,
                                   const Signature &kernel) {
  Checker check{kernel.name()};
  if (config.global.rank() == 0)
    check.fail(ErrorCode::InvalidArgument, "global is not given",
               "give the number of work-items along 1 to 3 axes");
  const Dims local = localOf(config, kernel, check);

  Geometry result;
  bool empty = false;
  std::int64_t groupSize = 1;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::int64_t items = axis < config.global.rank() ? config.global[axis] : 1;
    std::int64_t size = axis < local.rank() ? local[axis] : 1;
    if (items < 0)
      check.fail(ErrorCode::InvalidArgument,
                 "global " + axisName(axis) + " is " + std::to_string(items),
                 "give a number of work-items, 0 or more");
    if (size < 1)
      check.fail(ErrorCode::InvalidArgument,
                 "local " + axisName(axis) + " is " + std::to_string(size),
                 "a group has at least 1 work-item along each axis");
    check.atMost(
        size, limits.localSize[axis], [&] { return "local " + axisName(axis); },
        "use smaller groups");
    groupSize *= size; // at most 2^30 by the limits of each axis
    result.localSize[axis] = size;
    result.workItems[axis] = items;
    result.numGroups[axis] = items / size + (items % size != 0);
    empty |= items == 0;
  }
  check.atMost(
      groupSize, limits.groupSize, [&] { return "the size of a group (" + local.str() + ")"; },
      "use smaller groups");
  for (std::size_t axis = 0; axis < 3; ++axis)
    check.atMost(
        result.numGroups[axis], limits.numGroups[axis],
        [&] { return "the number of groups along " + axisName(axis); },
        "use larger groups or several launches");
  if (config.shared < 0)
    check.fail(ErrorCode::InvalidArgument, "shared is " + std::to_string(config.shared),
               "give a number of bytes, 0 or more");
  check.atMost(
      config.shared, limits.sharedBytes, [] { return std::string("shared"); }, "ask for less");
  result.sharedBytes = config.shared;
  if (config.timeLimit.count() < 0)
    check.fail(ErrorCode::InvalidArgument,
               "timeLimit is " + std::to_string(config.timeLimit.count()) + " ms",
               "give milliseconds, or 0 for no limit");
  result.timeLimit = config.timeLimit;
  return empty ? std::nullopt : std::optional(result);
}

} // namespace spl::detail
