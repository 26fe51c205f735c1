// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates group collectives in uniform control flow: exchanges through shared memory between
// barriers, reductions and scans.
#include "test/generator/Context.h"

namespace spl::generator {

static std::string target(Context &context) {
  return "v" + std::to_string(context.below(4)); // these are i32 in every kernel with barriers
}

static std::string exchange(Context &context) {
  const std::string x = value(context, i32, 2);
  return "tile[flat] = " + x + "\ngpu.barrier()\n" + target(context) + " = tile[(flat + " +
         std::to_string(context.below(100)) + ") % size]\ngpu.barrier()\n";
}

/// Counters in shared memory, to which all work-items add.
static std::string histogram(Context &context) {
  const std::string at = value(context, i32, 1), x = value(context, i32, 1);
  const std::string operation = context.oneOf({"add", "min", "max", "or", "xor", "and"});
  return "for k in flat..8 step size: counters[k] = " + number(i32, context.below(9) - 3) +
         "\ngpu.barrier()\ngpu.atomic_" + operation + "(&mut counters[" + at + " & 7], " + x +
         ")\ngpu.barrier()\n" + target(context) + " = counters[" + value(context, i32, 1) +
         " & 7]\ngpu.barrier()\n";
}

static std::string reduction(Context &context) {
  const std::string x = value(context, i32, 2);
  switch (context.below(4)) {
  case 0:
    return target(context) + " = gpu.group_scan(" + x +
           context.oneOf({")\n", ", exclusive: true)\n"});
  case 1:
    return "u += (1 if gpu.group_" + context.oneOf({"any", "all"}) + "(" + condition(context, 1) +
           ") else 0)\n";
  case 2:
    return target(context) + " = gpu.group_broadcast(" + x + ", " +
           std::to_string(context.below(9)) + " % size)\n";
  default:
    return (context.oneIn(2) ? std::string("u") : target(context)) + " = gpu.group_" +
           context.oneOf({"sum", "min", "max"}) + "(" + x + ")\n";
  }
}

std::string groupStep(Context &context) {
  switch (context.below(5)) {
  case 0:
  case 1:
    return exchange(context);
  case 2:
    return histogram(context);
  case 3:
    return reduction(context);
  default:
    return "u += " + uniformValue(context) + "\n";
  }
}

} // namespace spl::generator
