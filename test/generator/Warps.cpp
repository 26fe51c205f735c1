// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates warp collectives, also in divergent control flow. A shuffle from an inactive lane has
// an unspecified result, which the prelude replaces.
#include "test/generator/Context.h"

namespace spl::generator {

/// The end of a call, sometimes with segments of a warp.
static std::string close(Context &context) {
  return context.oneIn(3) ? ", width: " + context.oneOf({"2", "4", "8", "16", "32"}) + ")" : ")";
}

static std::string reduction(Context &context, Type type, int depth) {
  if (type.isFloat() && context.oneIn(2)) // the order of a sum of floats is unspecified
    return "gpu.warp_" + context.oneOf({"sum(", "scan("}) + smallNumber(context, type) +
           close(context);
  const std::string x = value(context, type, depth);
  if (type.isFloat())
    return "gpu.warp_" + context.oneOf({"min", "max"}) + "(" + x + close(context);
  switch (context.below(5)) {
  case 0:
    return "gpu.warp_scan(" + x + close(context);
  case 1:
    return "gpu.warp_scan(" + x + ", exclusive: true" + close(context);
  default:
    return "gpu.warp_" + context.oneOf({"sum", "min", "max", "and", "or", "xor"}) + "(" + x +
           close(context);
  }
}

static std::string mask(Context &context, Type type, int depth) {
  const Type u32{Scalar::U32};
  if (context.oneIn(4))
    return cast(context, "gpu.active_mask()", u32, type);
  if (context.oneIn(2))
    return cast(context, "gpu.ballot(" + condition(context, depth) + ")", u32, type);
  const Type of = anyInteger(context);
  return cast(context, "gpu.match_any(" + value(context, of, depth) + " & " + number(of, 3) + ")",
              u32, type);
}

static std::string shuffle(Context &context, Type type, int depth) {
  const std::string how = context.oneOf({"lane", "xor", "below", "above"});
  const std::string by = std::to_string(context.below(32));
  if (type == i32 && context.oneIn(4))
    return "from_tally(" + value(context, type, depth) + ", " + by + ")";
  if (context.oneIn(3))
    return "from_segment[" + type.name() + ", " + context.oneOf({"2", "4", "8", "16"}) + "](" +
           value(context, type, depth) + ", " + by + ")";
  return "from_" + how + "(" + value(context, type, depth) + ", " + by + ")";
}

std::string warpOperation(Context &context, Type type, int depth) {
  switch (context.below(4)) {
  case 0:
    return mask(context, type, depth);
  case 1:
    return shuffle(context, type, depth);
  default:
    return reduction(context, type, depth);
  }
}

std::string vote(Context &context, int depth) {
  return "gpu." + context.oneOf({"any", "all"}) + "(" + condition(context, depth) + ")";
}

} // namespace spl::generator
