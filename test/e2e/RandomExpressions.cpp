// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/RandomMaker.h"

namespace spl::e2e::random {

Expr Maker::constant(std::int32_t value) {
  const std::string text = std::to_string(value) + "i32";
  return {value < 0 ? "(" + text + ")" : text, [value](State &, Items items) {
            return each(items, [&](std::size_t) { return value; });
          }};
}

Expr Maker::variable(const std::string &name) {
  return {name, [name](State &state, Items) { return state.variables[name]; }};
}

Expr Maker::leaf(const Place &place) {
  return below(5) == 0 ? constant(below(50) - 20) : variable(oneOf(place.names));
}

/// The same for the whole group.
Expr Maker::uniform() {
  switch (below(3)) {
  case 0:
    return constant(below(6));
  case 1:
    return variable("n");
  default:
    return variable("u");
  }
}

Expr Maker::value(const Place &place, int depth) {
  if (depth == 0)
    return leaf(place);
  switch (below(12)) {
  case 0:
  case 1:
    return leaf(place);
  case 2:
  case 3:
  case 4:
    return binary(value(place, depth - 1), value(place, depth - 1));
  case 5:
    return choice(condition(place, depth - 1), value(place, depth - 1), value(place, depth - 1));
  case 6:
  case 7:
    return reduction(value(place, depth - 1));
  case 8:
    return ballot(condition(place, depth - 1));
  case 9:
    return match(value(place, depth - 1));
  case 10:
    return shuffle(value(place, depth - 1));
  default:
    return functions.empty() ? reduction(value(place, depth - 1))
                             : call(value(place, depth - 1), value(place, depth - 1));
  }
}

Expr Maker::binary(Expr a, Expr b) {
  const std::string op = oneOf<std::string>({"+", "-", "*", "^", "&"});
  return {"(" + a.text + " " + op + " " + b.text + ")", [=](State &state, Items items) {
            const Values l = a.values(state, items), r = b.values(state, items);
            return each(items, [&](std::size_t i) -> std::int32_t {
              const std::int64_t x = l[i], y = r[i];
              return wrap(op == "+"   ? x + y
                          : op == "-" ? x - y
                          : op == "*" ? x * y
                          : op == "^" ? x ^ y
                                      : x & y);
            });
          }};
}

Values Maker::parted(State &state, Items items, Items first, const Expr &a, const Expr &b) {
  const Values l = a.values(state, first), r = b.values(state, items & ~first);
  return each(items, [&](std::size_t i) { return first[i] ? l[i] : r[i]; });
}

Expr Maker::choice(Expr c, Expr a, Expr b) {
  return {"(" + a.text + " if " + c.text + " else " + b.text + ")", [=](State &state, Items items) {
            return parted(state, items, where(items, c.values(state, items)), a, b);
          }};
}

Expr Maker::reduction(Expr x) {
  const std::string name = oneOf<std::string>({"sum", "min", "max", "scan", "below"});
  const std::string text = name == "below" ? "gpu.warp_scan(" + x.text + ", exclusive: true)"
                                           : "gpu.warp_" + name + "(" + x.text + ")";
  return {text, [=](State &state, Items items) {
            const Values values = x.values(state, items);
            return each(items, [&](std::size_t item) {
              Items with = warpOf(items, item);
              if (name == "scan" || name == "below")
                forEach(with, [&](std::size_t i) {
                  with[i] = i < item || (i == item && name == "scan");
                });
              return fold(with, values, name == "min" ? '<' : name == "max" ? '>' : '+');
            });
          }};
}

Expr Maker::ballot(Expr c) {
  return {"(gpu.ballot(" + c.text + ") as i32)", [=](State &state, Items items) {
            const Items for_ = where(items, c.values(state, items));
            return each(items, [&](std::size_t i) { return maskOf(warpOf(for_, i)); });
          }};
}

Expr Maker::match(Expr x) {
  return {"(gpu.match_any(" + x.text + " & 3) as i32)", [=](State &state, Items items) {
            const Values values = x.values(state, items);
            return each(items, [&](std::size_t item) {
              Items same;
              forEach(warpOf(items, item),
                      [&](std::size_t i) { same[i] = ((values[i] ^ values[item]) & 3) == 0; });
              return maskOf(same);
            });
          }};
}

Expr Maker::shuffle(Expr x) {
  const std::string how = oneOf<std::string>({"lane", "xor", "below", "above"});
  const std::int32_t by = below(32);
  const std::string text = "from_" + how + "(" + x.text + ", " + std::to_string(by) + ")";
  return {text, [=](State &state, Items items) {
            const Values values = x.values(state, items);
            return each(items, [&](std::size_t i) {
              const std::int32_t lane = static_cast<std::int32_t>(i % 32);
              const std::int32_t from = how == "lane"    ? by
                                        : how == "xor"   ? lane ^ by
                                        : how == "below" ? (lane >= by ? lane - by : lane)
                                                         : (lane + by < 32 ? lane + by : lane);
              const std::size_t source = i / 32 * 32 + static_cast<std::size_t>(from);
              return items[source] ? values[source] : -7;
            });
          }};
}

Expr Maker::condition(const Place &place, int depth) {
  const int kind = depth == 0 ? 0 : below(7);
  if (kind <= 2)
    return compare(value(place, std::max(depth - 1, 0)), leaf(place));
  Expr a = condition(place, depth - 1);
  if (kind == 3)
    return {"(not " + a.text + ")", [=](State &state, Items items) {
              const Values values = a.values(state, items);
              return each(items, [&](std::size_t i) { return values[i] == 0; });
            }};
  if (kind == 4)
    return vote(a);
  const bool isAnd = kind == 5;
  Expr b = condition(place, depth - 1);
  return {"(" + a.text + (isAnd ? " and " : " or ") + b.text + ")", [=](State &state, Items items) {
            const Items first = where(items, a.values(state, items));
            return isAnd ? parted(state, items, first, b, constant(0))
                         : parted(state, items, first, constant(1), b);
          }};
}

Expr Maker::compare(Expr a, Expr b) {
  const bool isLess = below(3) != 0;
  const std::string text =
      isLess ? "(" + a.text + " < " + b.text + ")" : "((" + a.text + " & 3) == 1)";
  return {text, [=](State &state, Items items) {
            const Values l = a.values(state, items), r = b.values(state, items);
            return each(items,
                        [&](std::size_t i) { return isLess ? l[i] < r[i] : (l[i] & 3) == 1; });
          }};
}

Expr Maker::vote(Expr c) {
  const bool isAny = below(2) == 0;
  return {(isAny ? "gpu.any(" : "gpu.all(") + c.text + ")", [=](State &state, Items items) {
            const Items for_ = where(items, c.values(state, items));
            return each(items, [&](std::size_t i) {
              const Items warp = warpOf(items, i), voting = warpOf(for_, i);
              return isAny ? voting.any() : voting == warp;
            });
          }};
}

} // namespace spl::e2e::random
