// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/IndexMaker.h"

namespace spl::e2e::indices {

std::string indented(const std::string &text) {
  std::string result;
  for (std::size_t at = 0; at != text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    result += "    " + text.substr(at, end - at);
    at = end;
  }
  return result;
}

std::string withBody(const std::string &line, const Stmt &body) {
  return line + ":\n" + indented(body.text);
}

Stmt Maker::block(int depth, int max) {
  const std::vector<Name> outerNames = names;
  const std::vector<SliceName> outerSlices = slices;
  std::vector<Stmt> statements;
  for (int count = 1 + below(max); count != 0; --count)
    statements.push_back(statement(depth));
  names = outerNames;
  slices = outerSlices;
  std::string text;
  for (const Stmt &each : statements)
    text += each.text;
  return {text, [=](Item &item) {
            for (const Stmt &each : statements) {
              item.wait();
              if (const Way way = each.run(item); way != Way::Next)
                return way;
            }
            return Way::Next;
          }};
}

Stmt Maker::statement(int depth) {
  const int kind = below(depth > 0 && budget > 0 ? 30 : 15);
  if (kind >= 15)
    --budget;
  switch (kind) {
  case 0:
  case 1:
  case 2:
    return declaration();
  case 3:
  case 4:
    return assignment();
  case 5:
    return oneIn(3) ? leaving() : storeTotal();
  case 6:
    return assertion();
  case 7:
    return ownArray();
  case 8:
    return emptyLoop();
  case 15:
  case 16:
  case 17:
  case 18:
    return guarded(depth);
  case 19:
  case 20:
    return branch(depth);
  case 21:
    return matching(depth);
  case 22:
    return elementLoop(depth);
  case 23:
    return whileLoop(depth);
  case 24:
  case 25:
    return part(depth);
  case 26:
    return forLoop(depth);
  case 27:
  case 28:
  case 29:
    return carryingLoop(depth);
  default:
    return access();
  }
}

//===-- Names --===//

Maker::Name Maker::declare(Type type, bool isMutable) {
  names.push_back({fresh("v"), type, values++, isMutable});
  return names.back();
}

Stmt Maker::declaration() {
  Expr x = value(anyType(), 3);
  const Name made = declare(x.type, oneIn(2));
  return {(made.isMutable ? "var " : "val ") + made.text + " = " + x.text + "\n", [=](Item &item) {
            item.values[made.at] = x.value(item);
            return Way::Next;
          }};
}

Stmt Maker::assignment() {
  std::vector<Name> targets;
  std::ranges::copy_if(names, std::back_inserter(targets), &Name::isMutable);
  const Name target = oneIn(2) ? targets.back() : oneOf(targets);
  const std::string op = oneOf<std::string>({"", "", "+", "-", "*"});
  Expr x = op.empty() || oneIn(2) ? value(target.type, 2) : constant(target.type);
  Expr result = op.empty() ? x : binary(op, variable(target), x);
  return {target.text + " " + op + "= " + x.text + "\n", [=](Item &item) {
            item.values[target.at] = result.value(item);
            return Way::Next;
          }};
}

//===-- Accesses --===//

Stmt Maker::accessAt(const SliceName &slice, const std::vector<Expr> &at) {
  const Place target = place(slice, at);
  const Type type = target.type;
  if (!sliceParameters[slice.parameter].isMutable) { // into the total
    Expr sum = binary("+", variable(names[0]), cast(load(target), i64));
    return {"total = " + sum.text + "\n", [=](Item &item) {
              item.values[0] = sum.value(item);
              return Way::Next;
            }};
  }
  if (sliceParameters[slice.parameter].element.bits == 8)
    return {target.text + " = 1\n", [=](Item &item) {
              target.element(item) = 1;
              return Way::Next;
            }};
  Expr x = cast(value(type, 1), type);
  return {"gpu.atomic_add(&mut " + target.text + ", " + x.text + ")\n", [=](Item &item) {
            const Wide more = x.value(item);
            std::int64_t &element = target.element(item);
            element = static_cast<std::int64_t>(type.wrapped(element + more));
            return Way::Next;
          }};
}

Stmt Maker::access() {
  const SliceName &slice = oneOf(slices);
  std::vector<Expr> at;
  for (unsigned axis = 0; axis != slice.rank; ++axis)
    at.push_back(index(slice, axis));
  return accessAt(slice, at);
}

/// An index by name, a branch that asks about it, and accesses by it.
Stmt Maker::guarded(int depth) {
  const SliceName slice = oneOf(slices), other = oneOf(slices);
  Expr x = index(slice, 0);
  const std::vector<Name> outer = names;
  const Name at = declare(x.type, false);
  Expr i = variable(at);
  Expr asIndex = cast(i, i64), length = extent(oneIn(3) ? other : slice, 0);
  Cond below = comparison(oneIn(4) ? "<=" : "<", asIndex, length);
  if (oneIn(4))
    below = comparison("<", i, cast(length, at.type));
  if (at.type.isSigned && !oneIn(3)) {
    Cond above = comparison(">=", i, number(at.type, oneIn(5) ? -1 : 0)), both;
    const bool first = oneIn(2);
    Cond a = first ? above : below, b = first ? below : above;
    below = {a.text + " and " + b.text, [=](Item &item) { return a.value(item) && b.value(item); }};
  }
  auto indices = [&](const SliceName &of) {
    std::vector<Expr> result = {oneIn(3) ? binary(oneIn(2) ? "+" : "-", i, number(i.type, 1)) : i};
    if (of.rank == 2)
      result.insert(oneIn(2) ? result.begin() : result.end(), index(of, 1));
    return result;
  };
  Stmt first = accessAt(slice, indices(slice));
  Stmt second = oneIn(2) ? accessAt(other, indices(other)) : block(depth - 1, 2);
  names = outer;
  const Stmt body{first.text + second.text, [=](Item &item) {
                    first.run(item);
                    return second.run(item);
                  }};
  return {"val " + at.text + " = " + x.text + "\n" + withBody("if " + below.text, body),
          [=](Item &item) {
            item.values[at.at] = x.value(item);
            return below.value(item) ? body.run(item) : Way::Next;
          }};
}

Stmt Maker::ownArray() {
  // No constant: the compiler knows the length.
  Expr at = oneIn(8) ? binary(oneIn(2) ? "+" : "-", launchSize(), leaf(i64))
                     : binary("&", value(i64, 1), number(i64, 7));
  Expr x = value(i64, 1);
  const bool isStore = oneIn(2);
  auto element = [at](Item &item) -> Wide & {
    const Wide index = at.value(item);
    if (index < 0 || index >= 8)
      throw Faulted();
    return item.own[static_cast<std::size_t>(index)];
  };
  if (isStore)
    return {"own[" + at.text + "] = " + x.text + "\n", [=](Item &item) {
              const Wide number = x.value(item);
              element(item) = number;
              return Way::Next;
            }};
  return {"total += own[" + at.text + "]\n", [=](Item &item) {
            Wide &total = item.values[0];
            total = i64.wrapped(total + element(item));
            return Way::Next;
          }};
}

Stmt Maker::assertion() {
  Cond c = oneIn(4) ? compare(1) : comparison(">=", launchSize(), number(i64, oneIn(4)));
  return {"assert " + c.text + (oneIn(2) ? ", \"total is {total}\"\n" : "\n"), [=](Item &item) {
            if (!c.value(item))
              throw Faulted();
            return Way::Next;
          }};
}

Stmt Maker::storeTotal() {
  Expr at = launchSize();
  return {"if " + at.text + " < out.len(): gpu.atomic_add(&mut out[" + at.text + "], total)\n",
          [=](Item &item) {
            const Wide index = at.value(item);
            if (index < item.views[sliceCount - 1].extents[1]) {
              std::int64_t &element =
                  item.launch.slices[sliceCount - 1].elements[static_cast<std::size_t>(index)];
              element = static_cast<std::int64_t>(i64.wrapped(element + item.values[0]));
            }
            return Way::Next;
          }};
}

/// A row or a sub-slice by name, and what is done with it.
Stmt Maker::part(int depth) {
  const std::vector<SliceName> outer = slices;
  const SliceName of = oneOf(slices);
  SliceName made{fresh("w"), of.parameter, views++, 1};
  if (of.rank == 2) {
    Expr row = index(of, 0);
    slices.push_back(made);
    Stmt body = block(depth - 1, 3);
    slices = outer;
    return {"val " + made.text + " = " + of.text + "[" + row.text + "]\n" + body.text,
            [=](Item &item) {
              const View view = item.views[of.at];
              const Wide at = row.value(item);
              if (at < 0 || at >= view.extents[0])
                throw Faulted();
              item.views[made.at] = {view.slice,
                                     view.offset + static_cast<std::int64_t>(at) * view.extents[1],
                                     {1, view.extents[1]}};
              return body.run(item);
            }};
  }
  const bool fromStart = oneIn(4), toEnd = !fromStart && oneIn(4);
  Expr from = fromStart ? number(i64, 0) : index(of, 0);
  Expr to = toEnd ? extent(of, 0) : index(of, 0);
  if (from.type != to.type) {
    from = cast(from, i64);
    to = cast(to, i64);
  }
  slices.push_back(made);
  Stmt body = block(depth - 1, 3);
  slices = outer;
  return {"val " + made.text + " = " + of.text + "[" + (fromStart ? "" : from.text) + ".." +
              (toEnd ? "" : to.text) + "]\n" + body.text,
          [=](Item &item) {
            const View view = item.views[of.at];
            const Wide first = from.value(item), last = to.value(item);
            if (first < 0 || first > last || last > view.extents[1])
              throw Faulted();
            item.views[made.at] = {view.slice,
                                   view.offset + static_cast<std::int64_t>(first),
                                   {1, static_cast<std::int64_t>(last - first)}};
            return body.run(item);
          }};
}

//===-- Ways to go --===//

Stmt Maker::leaving() {
  Cond c = condition(1);
  const int kind = loops != 0 ? below(3) : 0;
  const Way way = kind == 0 ? Way::Return : kind == 1 ? Way::Break : Way::Continue;
  const char *const texts[] = {"return", "break", "continue"};
  return {"if " + c.text + ": " + texts[kind] + "\n",
          [=](Item &item) { return c.value(item) ? way : Way::Next; }};
}

Stmt Maker::branch(int depth) {
  Cond c = condition(2);
  Stmt yes = block(depth - 1, 3);
  if (oneIn(2))
    return {withBody("if " + c.text, yes),
            [=](Item &item) { return c.value(item) ? yes.run(item) : Way::Next; }};
  Stmt no = block(depth - 1, 2);
  return {withBody("if " + c.text, yes) + withBody("else", no),
          [=](Item &item) { return c.value(item) ? yes.run(item) : no.run(item); }};
}

Stmt Maker::matching(int depth) {
  Expr x = value(i64, 1);
  Stmt one = block(depth - 1, 2), some = block(depth - 1, 2), rest = block(depth - 1, 2);
  return {"match " + x.text + ":\n" +
              indented(withBody("case 1", one) + withBody("case -2 | 3..=9", some) +
                       withBody("case _", rest)),
          [=](Item &item) {
            const Wide is = x.value(item);
            return (is == 1 ? one : is == -2 || (is >= 3 && is <= 9) ? some : rest).run(item);
          }};
}

} // namespace spl::e2e::indices
