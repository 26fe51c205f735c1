// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/RandomMaker.h"

namespace spl::e2e::random {

Stmt Maker::block(const Place &place, int most) {
  std::vector<Stmt> all;
  Stmt result;
  for (int i = 1 + below(most); i != 0; --i) {
    all.push_back(statement(place));
    result.text += all.back().text;
  }
  if (std::optional<Stmt> last = exit(place)) {
    all.push_back(*last);
    result.text += last->text;
  }
  result.run = [all](State &state, Items items) {
    for (const Stmt &each : all)
      items = each.run(state, items);
    return items;
  };
  return result;
}

/// Sometimes, at the end of a block inside others, what leaves a loop or the function.
std::optional<Stmt> Maker::exit(const Place &place) {
  if (place.depth == 0 || below(3) != 0)
    return std::nullopt;
  if (place.loops != 0 && (place.isUniform || place.mayLeaveLoop) && below(3) != 0) {
    const bool isBreak = below(2) == 0;
    return Stmt{isBreak ? "break\n" : "continue\n", [=](State &state, Items items) {
                  (isBreak ? state.broken : state.continued) |= items;
                  return Items();
                }};
  }
  if (!place.isUniform && !place.mayReturn)
    return std::nullopt;
  if (!place.inFunction)
    return Stmt{"finish(out, v0, v1, v2, v3)\nreturn\n", [](State &state, Items items) {
                  store(state, items);
                  state.returned |= items;
                  return Items();
                }};
  Expr result = value(place, 2);
  return Stmt{"return " + result.text + "\n", [=](State &state, Items items) {
                const Values values = result.values(state, items);
                forEach(items, [&](std::size_t i) { state.result[i] = values[i]; });
                state.returned |= items;
                return Items();
              }};
}

Stmt Maker::statement(const Place &place) {
  const int kind = below(12);
  if (place.isUniform && kind >= 9)
    return meeting(place);
  if (place.depth < 3 && budget-- > 0) {
    if (kind <= 2)
      return branch(place);
    if (kind == 3 && place.loops < 2)
      return forLoop(place);
    if (kind == 4 && place.loops < 2)
      return whileLoop(place);
    if (kind == 5)
      return matching(place);
    if (kind == 6 && !place.inFunction)
      return emptyLoop(place);
  }
  return assign(oneOf(assignable), value(place, 2), below(3) == 0);
}

Stmt Maker::assign(const std::string &target, const Expr &x, bool adds) {
  return {target + (adds ? " += " : " = ") + x.text + "\n", [=](State &state, Items items) {
            const Values values = x.values(state, items);
            Values &own = state.variables[target];
            forEach(items, [&](std::size_t i) {
              own[i] = adds ? wrap(std::int64_t(own[i]) + values[i]) : values[i];
            });
            return items;
          }};
}

Place Maker::inside(Place place, bool isUniform) {
  ++place.depth;
  place.isUniform &= isUniform;
  return place;
}

Stmt Maker::branch(const Place &place) {
  const bool isUniform = place.isUniform && below(2) == 0;
  Expr c = isUniform ? compare(uniform(), constant(below(5))) : condition(place, 2);
  Stmt then = block(inside(place, isUniform), 3);
  std::optional<Stmt> other;
  if (below(3) != 0)
    other = block(inside(place, isUniform), 3);
  return {"if " + c.text + ":\n" + indented(then.text) +
              (other ? "else:\n" + indented(other->text) : ""),
          [=](State &state, Items items) {
            const Items first = where(items, c.values(state, items));
            // An arm that nobody comes to does nothing.
            Items left = first.any() ? then.run(state, first) : Items();
            const Items rest = items & ~first;
            return left | (other && rest.any() ? other->run(state, rest) : rest);
          }};
}

Stmt Maker::matching(const Place &place) {
  Expr x = value(place, 2);
  const Stmt arms[] = {block(inside(place, false), 2), block(inside(place, false), 2),
                       block(inside(place, false), 2)};
  const std::vector<Stmt> all(std::begin(arms), std::end(arms));
  return {"match " + x.text + " & 3:\n" +
              indented("case 0:\n" + indented(all[0].text) + "case 1 | 2:\n" +
                       indented(all[1].text) + "case _:\n" + indented(all[2].text)),
          [=](State &state, Items items) {
            const Values values = x.values(state, items);
            Items left;
            for (int arm = 0; arm != 3; ++arm) {
              Items own;
              forEach(items, [&](std::size_t i) { own[i] = ((values[i] & 3) + 1) / 2 == arm; });
              if (own.any())
                left |= all[static_cast<std::size_t>(arm)].run(state, own);
            }
            return left;
          }};
}

/// Inside a loop: where the group is to stay together, nobody leaves alone.
Place Maker::inLoop(const Place &place, bool isUniform, const std::string &index) {
  Place body = inside(place, isUniform);
  ++body.loops;
  body.mayLeaveLoop = !body.isUniform;
  body.names.push_back(index);
  return body;
}

/// Goes round as long as more says, which also counts.
Items Maker::loop(State &state, Items items, const Stmt &body,
                  const std::function<Items(State &, Items)> &more) {
  const Items broken = state.broken, continued = state.continued;
  for (Items active = more(state, items); active.any();) {
    state.broken = state.continued = {};
    const Items through = body.run(state, active);
    active = more(state, through | state.continued);
  }
  state.broken = broken, state.continued = continued;
  return items & ~state.returned;
}

Stmt Maker::forLoop(const Place &place) {
  const bool isUniform = place.isUniform && below(3) != 0;
  const std::string index = number("loop");
  Expr bound = isUniform ? uniform() : value(place, 2);
  Stmt body = block(inLoop(place, isUniform, index), 3);
  return {"for " + index + " in 0..(" + bound.text + " & 3):\n" + indented(body.text),
          [=](State &state, Items items) {
            const Values bounds = bound.values(state, items);
            std::int32_t round = -1;
            return loop(state, items, body, [&, index](State &state, Items still) {
              ++round;
              forEach(still, [&](std::size_t i) { state.variables[index][i] = round; });
              return where(still,
                           each(still, [&](std::size_t i) { return round < (bounds[i] & 3); }));
            });
          }};
}

Stmt Maker::whileLoop(const Place &place) {
  const bool isUniform = place.isUniform && below(3) != 0;
  const std::string index = number("turn");
  Expr c = isUniform ? compare(uniform(), uniform()) : condition(place, 2);
  Stmt body = block(inLoop(place, isUniform, index), 3);
  return {"var " + index + " = 0i32\nwhile " + index + " < 3 and " + c.text + ":\n" +
              indented(index + " += 1\n" + body.text),
          [=](State &state, Items items) {
            forEach(items, [&](std::size_t i) { state.variables[index][i] = 0; });
            return loop(state, items, body, [&, index](State &state, Items still) {
              Values &count = state.variables[index];
              still = where(still, each(still, [&](std::size_t i) { return count[i] < 3; }));
              still = where(still, c.values(state, still));
              forEach(still, [&](std::size_t i) { ++state.variables[index][i]; });
              return still;
            });
          }};
}

Stmt Maker::emptyLoop(const Place &place) {
  Expr start = value(place, 1);
  const bool isVote = below(3) == 0;
  Expr also = isVote || below(2) ? Expr{"true", constant(1).values} : condition(place, 1);
  const std::string target = oneOf(assignable);
  const std::string counts = "gpu.atomic_sub(&mut tile[flat], 1) > 0";
  const std::string body = oneOf<std::string>({"pass\n", "continue\n", "# nothing\npass\n"});
  return {"tile[flat] = " + start.text + " & 3\nwhile " +
              (isVote ? "gpu.any(" + counts + ")" : counts + " and " + also.text) + ":\n" +
              indented(body) + target + " = tile[flat]\n",
          [=](State &state, Items items) {
            Values left = start.values(state, items);
            forEach(items, [&](std::size_t i) { left[i] &= 3; });
            for (Items active = items; active.any();) {
              Items counting;
              forEach(active, [&](std::size_t i) { counting[i] = left[i]-- > 0; });
              Items still = counting;
              if (isVote)
                forEach(active, [&](std::size_t i) { still[i] = warpOf(counting, i).any(); });
              else
                still = where(counting, also.values(state, counting));
              active = still;
            }
            forEach(items, [&](std::size_t i) { state.variables[target][i] = left[i]; });
            return items;
          }};
}

//===-- What the whole group does --===//

Stmt Maker::meeting(const Place &place) {
  Expr x = value(place, 2);
  switch (below(4)) {
  case 0:
    return exchange(x);
  case 1:
    return groupReduction(below(2) ? "u" : oneOf(assignable), x);
  case 2:
    return groupScan(x);
  default:
    return assign("u", uniform(), true);
  }
}

Stmt Maker::exchange(const Expr &x) {
  const std::string target = oneOf(assignable);
  const int by = below(100);
  return {"tile[flat] = " + x.text + "\ngpu.barrier()\n" + target + " = tile[(flat + " +
              std::to_string(by) + ") % size]\ngpu.barrier()\n",
          [=](State &state, Items items) {
            const Values values = x.values(state, items);
            state.variables[target] = each(items, [&](std::size_t i) {
              return values[(i + static_cast<std::size_t>(by)) % state.size];
            });
            return items;
          }};
}

Stmt Maker::groupReduction(const std::string &target, const Expr &x) {
  const std::string name = oneOf<std::string>({"sum", "min", "max"});
  return {target + " = gpu.group_" + name + "(" + x.text + ")\n", [=](State &state, Items items) {
            const std::int32_t whole = fold(items, x.values(state, items),
                                            name == "min"   ? '<'
                                            : name == "max" ? '>'
                                                            : '+');
            state.variables[target] = each(items, [&](std::size_t) { return whole; });
            return items;
          }};
}

Stmt Maker::groupScan(const Expr &x) {
  const std::string target = oneOf(assignable);
  return {target + " = gpu.group_scan(" + x.text + ")\n", [=](State &state, Items items) {
            const Values values = x.values(state, items);
            std::int64_t sum = 0;
            state.variables[target] = each(items, [&](std::size_t i) {
              return wrap(sum = wrap(sum + values[i])); // in order of the flat ids
            });
            return items;
          }};
}

} // namespace spl::e2e::random
