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
  const std::string tile = context.oneIn(3) ? "dynamic" : "tile";
  const std::string from = tile + "[(flat + " + std::to_string(context.below(100)) + ") % size]";
  const std::string store = context.oneIn(6)
                                ? "gpu.atomic_store(&mut " + tile + "[flat], " + x + ")"
                                : tile + "[flat] = " + x;
  return store + "\ngpu.barrier()\n" + target(context) + " = " +
         (context.oneIn(6) ? "gpu.atomic_load(&" + from + ")" : from) + "\ngpu.barrier()\n";
}

/// As histogram, with any type that has atomics.
static std::string sums(Context &context) {
  const Type type = context.counter;
  const std::string at = value(context, i32, 1);
  auto number = [&](const std::string &x) {
    return type.isVector() ? type.name() + "(" + x + ")" : x;
  };
  const bool isCounter =
      !type.isVector() && !type.isFloat() && !type.isSigned() && context.oneIn(3);
  const std::string x = isCounter ? spl::generator::number(type, 1 + context.below(5))
                                  : smallNumber(context, type.lane());
  const std::string operation =
      isCounter ? context.oneOf({"inc", "dec"}) // of one limit, so that the order is no matter
      : type.isVector() ? "add"
      : type.isFloat()  ? context.oneOf({"add", "add", "sub", "min", "max"})
                        : context.oneOf({"add", "sub", "min", "max", "or", "xor", "and"});
  std::string from = "sums[" + value(context, i32, 1) + " & 7]";
  if (context.oneIn(3))
    from = "gpu.atomic_load(&" + from + ")";
  return "for k in flat..8 step size: sums[k] = " +
         number(spl::generator::number(type.lane(), context.below(9))) +
         "\ngpu.barrier()\ngpu.atomic_" + operation + "(&mut sums[" + at + " & 7], " + number(x) +
         context.oneOf({")\n", ", scope: group)\n", ", order: acq_rel)\n"}) + "gpu.barrier()\n" +
         target(context) + " = " +
         cast(context, type.isVector() ? from + ".y" : from, type.lane(), i32) +
         "\ngpu.barrier()\n";
}

static std::string floatReduction(Context &context) {
  const Type type{
      context.oneOf(std::vector<Scalar>{Scalar::F16, Scalar::BF16, Scalar::F32, Scalar::F64})};
  const std::string x = smallNumber(context, type);
  return target(context) + " = " +
         cast(context, "gpu.group_" + context.oneOf({"sum", "min", "max", "scan"}) + "(" + x + ")",
              type, i32) +
         "\n";
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
  switch (context.below(7)) {
  case 5:
    return target(context) + " = gpu.group_broadcast(Tally(3, [4, " + x + "]), " +
           std::to_string(context.below(9)) + " % size).seen[1]\n";
  case 4:
    return target(context) + " = gpu.group_broadcast((" + x + ", [" + x + ", 3i32]), " +
           std::to_string(context.below(9)) + " % size).1[0]\n";
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
           context.oneOf({"sum", "min", "max", "and", "or", "xor"}) + "(" + x + ")\n";
  }
}

/// Barriers under a condition from shared memory, which the compiler must find to be uniform.
static std::string agreed(Context &context) {
  const std::string x = value(context, i32, 2);
  const std::string step = context.oneIn(2) ? exchange(context) : reduction(context);
  if (context.oneIn(5)) // a struct
    return "if flat == 0: tally = Tally(" + x + ", [2, 3])\ngpu.barrier()\nif flat == size - 1: " +
           context.oneOf({"tally.count += tally.seen[1]", "tally.seen[n & 1] = tally.next(3)",
                          "advanced(&mut tally.seen[0], tally.count)"}) +
           "\ngpu.barrier()\nif " +
           context.oneOf({"tally.count", "tally.seen[0]", "gpu.uniform(tally).seen[1]"}) +
           " & 1 == 0:\n" + indented(step) + "gpu.barrier()\n";
  if (context.oneIn(4)) // through the name of a place in shared memory
    return "if flat == size - 1: cell = " + x + "\ngpu.barrier()\nif flat == 0: " +
           context.oneOf({"cell += 1", "advanced(&mut cell, 3)", "swapped(&mut cell, &mut v1)"}) +
           "\ngpu.barrier()\nif cell & 1 == 0:\n" + indented(step) + "gpu.barrier()\n";
  if (context.oneIn(2))
    return "if flat == 0: counters[0] = " + x + "\ngpu.barrier()\nif counters[0] & " +
           number(i32, 1 + context.below(7)) + " == 0:\n" + indented(step) + "gpu.barrier()\n";
  return "if flat == 0: counters[1] = " + x + " & 3\ngpu.barrier()\nwhile counters[1] > 0:\n" +
         indented("gpu.barrier()\nif flat == size - 1: counters[1] -= 1\n" + step +
                  "gpu.barrier()\n") +
         "gpu.barrier()\n";
}

std::string dynamicShared(Context &context) {
  const std::string type = context.oneOf({"u8", "i16", "i32", "f64", "i64"});
  std::string offset = "4 * size", count = "size";
  // The front end refuses wrong constants.
  auto any = [&] { return "(" + value(context, i64, 1) + " + gpu.local_id())"; };
  if (context.program.mayFault && context.oneIn(2))
    offset = any();
  if (context.program.mayFault && context.oneIn(2))
    count = any();
  if (type == "f64" || type == "i64") // the alignment is that of the type
    offset = context.program.mayFault ? offset : "8 * size";
  const std::string slice = "gpu.shared_dyn[" + type + "](" + count + ", offset: " + offset + ")";
  return "v0 += " + slice + ".len() as i32\n";
}

/// Exchanges of the whole launch through global memory, in control flow that is the same for all
/// groups, with steps of the groups between them.
std::string gridSteps(Context &context) {
  const std::string x = value(context, i32, 2), next = value(context, i32, 1);
  const std::string exchange =
      "g[number] = " + x + "\ngpu.grid_barrier()\n" + target(context) + " = g[(number + " +
      std::to_string(context.below(100)) + ") % g.len()]\n" +
      context.oneOf(
          {"gpu.grid_barrier()\n", "if n > 2:\n    gpu.grid_barrier()\ngpu.grid_barrier()\n"});
  switch (context.below(3)) {
  case 0:
    return exchange + groupStep(context) + exchange;
  case 1:
    return "for round in 0..(n & 3):\n" +
           indented(exchange + target(context) + " += round\n" + groupStep(context));
  default: // a condition from memory, which nobody writes until the next barrier
    return "if number == 0: g[0] = " + next + " & 3\ngpu.grid_barrier()\nvar rounds = " +
           "gpu.grid_uniform(g[0])\nwhile rounds > 0:\n" +
           indented("gpu.grid_barrier()\nrounds -= 1\n" + exchange);
  }
}

std::string groupStep(Context &context) {
  switch (context.below(10)) {
  case 0:
  case 1:
  case 2:
    return exchange(context);
  case 7:
  case 8:
    return agreed(context);
  case 3:
    return histogram(context);
  case 4:
    return sums(context);
  case 5:
    return reduction(context);
  case 6:
    return floatReduction(context);
  default:
    return context.oneIn(2) ? "u += " + uniformValue(context) + "\n"
                            : "u += gpu.uniform((7i32, [u, " + uniformValue(context) + "])).1[1]\n";
  }
}

} // namespace spl::generator
