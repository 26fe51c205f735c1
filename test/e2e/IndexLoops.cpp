// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/IndexMaker.h"

namespace spl::e2e::indices {

/// Whether it continues after the round.
static bool isOver(Way &way) {
  if (way == Way::Break || way == Way::Return) {
    way = way == Way::Break ? Way::Next : way;
    return true;
  }
  way = Way::Next;
  return false;
}

Stmt Maker::forLoop(int depth) {
  const std::vector<Name> outer = names;
  const Type type = anyType();
  auto bound = [&] { return oneIn(3) ? value(type, 1) : cast(plain(1), type); };
  const bool isGrid = type == i64 && oneIn(4), isInclusive = !isGrid && oneIn(4);
  Expr from = oneIn(2) ? number(type, 0) : bound(), to = bound(), step = number(type, 1);
  std::string range = from.text + (isInclusive ? "..=" : "..") + to.text;
  if (isGrid)
    range = "gpu.grid_stride(" + to.text + ")";
  else if (oneIn(2)) {
    step = oneIn(2) ? leaf(type) : constant(type);
    if (type.isSigned && oneIn(3)) // down
      range = (std::swap(from, to), from.text + (isInclusive ? "..=" : "..") + to.text);
    range += " step " + step.text;
  }
  const Name at = declare(type, false);
  Stmt body = loopBody(depth);
  names = outer;
  return {withBody("for " + at.text + " in " + range, body), [=](Item &item) {
            const Wide first = isGrid ? Wide{item.globalId(0)} : from.value(item);
            const Wide last = to.value(item);
            const Wide by =
                isGrid ? Wide{item.launch.groups[0] * item.launch.local[0]} : step.value(item);
            if (by == 0)
              throw Faulted();
            Way way = Way::Next;
            for (Wide i = first; i == type.wrapped(i); i += by) {
              if (by > 0 ? (isInclusive ? i > last : i >= last)
                         : (isInclusive ? i < last : i <= last))
                break;
              item.wait();
              item.values[at.at] = i;
              way = body.run(item);
              if (isOver(way))
                break;
            }
            return way;
          }};
}

Stmt Maker::carryingLoop(int depth) {
  const std::vector<Name> outer = names;
  Expr start = plain(1);
  const Name at = declare(i64, true);
  Expr i = variable(at), c = number(i64, 1 + below(3));
  Expr next = binary(oneOf<std::string>({"+", "-", "*", "/", ">>", "%"}), i, c);
  if (oneIn(3))
    next = minMaxOf(oneIn(2) ? "min" : "max", next, plain(1));
  if (oneIn(4))
    next = choice(compare(1), next, i);
  const SliceName slice = oneOf(slices);
  std::vector<Expr> indices;
  for (unsigned axis = 0; axis != slice.rank; ++axis)
    indices.push_back(axis != 0 && oneIn(2) ? index(slice, axis) : i);
  Stmt access = accessAt(slice, indices);
  inLoop = {access.text + at.text + " = " + next.text + "\n", [=](Item &item) {
              access.run(item);
              item.values[at.at] = next.value(item);
              return Way::Next;
            }};
  Stmt loop = oneIn(4) ? whileLoop(depth) : forLoop(depth);
  Stmt behind = oneIn(2) ? accessAt(slice, indices) : Stmt{"", [](Item &) { return Way::Next; }};
  names = outer;
  return {"var " + at.text + " = " + start.text + "\n" + loop.text + behind.text, [=](Item &item) {
            item.values[at.at] = start.value(item);
            const Way way = loop.run(item);
            return way == Way::Next ? behind.run(item) : way;
          }};
}

Stmt Maker::loopBody(int depth) {
  std::optional<Stmt> first;
  std::swap(first, inLoop);
  ++loops;
  Stmt body = block(depth - 1, first ? 2 : 3);
  --loops;
  if (!first)
    return body;
  return {first->text + body.text, [=](Item &item) {
            first->run(item);
            return body.run(item);
          }};
}

Stmt Maker::elementLoop(int depth) {
  std::vector<SliceName> fitting;
  std::ranges::copy_if(slices, std::back_inserter(fitting), [](const SliceName &each) {
    return each.rank == 1 && !sliceParameters[each.parameter].isMutable;
  });
  const SliceName slice = oneOf(fitting);
  const std::vector<Name> outer = names;
  const Type type = sliceParameters[slice.parameter].element;
  const Name at = declare(type, false);
  ++loops;
  Stmt body = block(depth - 1, 2);
  --loops;
  names = outer;
  return {
      withBody("for " + at.text + " in " + slice.text, body), [=](Item &item) {
        const View view = item.views[slice.at];
        Way way = Way::Next;
        for (std::int64_t i = 0; i != view.extents[1]; ++i) {
          item.wait();
          item.values[at.at] = type.wrapped(
              item.launch.slices[view.slice].elements[static_cast<std::size_t>(view.offset + i)]);
          way = body.run(item);
          if (isOver(way))
            break;
        }
        return way;
      }};
}

Stmt Maker::whileLoop(int depth) {
  const std::vector<Name> outer = names;
  const Type type = anyType();
  Expr start = oneIn(2) ? value(type, 1) : cast(leaf(i64), type), end = value(type, 1);
  const bool isUp = oneIn(2);
  if (oneIn(2))
    end = number(type, oneIn(2) ? 0 : 8);
  const Name at = declare(type, false); // but by the loop itself
  Cond goesOn = comparison(oneOf<std::string>(isUp ? std::vector<std::string>{"<", "<=", "!="}
                                                   : std::vector<std::string>{">", ">=", "!="}),
                           variable(at), end);
  Cond also = goesOn;
  if (oneIn(3)) {
    Cond more = condition(1);
    also = {goesOn.text + " and " + more.text,
            [=](Item &item) { return goesOn.value(item) && more.value(item); }};
  }
  const std::string op = isUp ? "+" : oneIn(3) ? "/" : oneIn(3) ? ">>" : "-";
  Expr by = number(type, 1 + below(3));
  Expr next = binary(op, variable(at), by);
  Stmt body = loopBody(depth);
  names = outer;
  const bool isFirst = oneIn(2) || body.text.find("continue") != std::string::npos;
  const std::string step = at.text + " = " + next.text + "\n";
  const Stmt all{isFirst ? step + body.text : body.text + step, {}};
  return {"var " + at.text + " = " + start.text + "\n" + withBody("while " + also.text, all),
          [=](Item &item) {
            Way way = Way::Next;
            item.values[at.at] = start.value(item);
            while (also.value(item)) {
              item.wait();
              if (isFirst)
                item.values[at.at] = next.value(item);
              way = body.run(item);
              if (isOver(way))
                break;
              if (!isFirst)
                item.values[at.at] = next.value(item);
            }
            return way;
          }};
}

/// With an empty body, a condition that is false, which the compiler cannot know, ends the loop.
Stmt Maker::emptyLoop() {
  Cond c = condition(2);
  auto loop = [&](const std::string &more, const std::string &body, Way way) {
    return Stmt{"while " + c.text + more + body, [=](Item &item) {
                  return c.value(item) ? way : Way::Next; // it makes its checks in any case
                }};
  };
  const std::string never = " and " + launchSize().text + " < 0:";
  switch (below(5)) {
  case 0:
    return loop(":", " break\n", Way::Next);
  case 1:
    return loop(":", " return\n", Way::Return);
  case 2:
    return loop(never, " continue\n", Way::Next);
  case 3:
    return loop(never, "\n    # nothing\n    pass\n", Way::Next);
  default:
    return loop(never, " pass\n", Way::Next);
  }
}

} // namespace spl::e2e::indices
