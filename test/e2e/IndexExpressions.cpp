// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/IndexMaker.h"

namespace spl::e2e::indices {

Wide Type::wrapped(Wide value) const {
  const Wide count = Wide{1} << bits;
  const Wide rest = ((value % count) + count) % count;
  return isSigned && rest > most() ? rest - count : rest;
}

static std::string decimal(Wide value) {
  if (value < 0)
    return "-" + decimal(-value);
  return (value > 9 ? decimal(value / 10) : "") +
         static_cast<char>('0' + static_cast<int>(value % 10));
}

Type Maker::anyType() {
  if (oneIn(2))
    return home;
  if (oneIn(2))
    return i64;
  return oneIn(2) ? Type{32, true} : allTypes[below(8)];
}

//===-- Leaves --===//

Expr Maker::number(Type type, Wide value) {
  std::string text = decimal(value) + type.name();
  return {type, value < 0 ? "(" + text + ")" : text, [=](Item &) { return value; }};
}

Expr Maker::constant(Type type) {
  if (oneIn(12))
    return number(type, oneOf<Wide>({type.least(), type.most(), type.most() - 1, type.least() + 1,
                                     type.most() / 2 + 1}));
  const Wide value = oneOf<Wide>({0, 1, 1, 2, 3, 4, 5, 7, 8, 16, 31, 100, -1, -2, -3, -8});
  return number(type, std::max(value, type.least()));
}

Expr Maker::variable(const Name &name) {
  return {name.type, name.text, [at = name.at](Item &item) { return item.values[at]; }};
}

Expr Maker::launchSize() {
  const unsigned axis = oneIn(4) ? static_cast<unsigned>(below(3)) : 0;
  const std::string at = axis || oneIn(2) ? "(" + std::to_string(axis) + ")" : "()";
  auto make = [&](const char *text, auto value) {
    return Expr{i64, text + at, [=](Item &item) { return Wide{value(item, axis)}; }};
  };
  switch (below(9)) {
  default:
    return make("gpu.global_id", [](Item &item, unsigned k) { return item.globalId(k); });
  case 5:
    return make("gpu.local_id", [](Item &item, unsigned k) { return item.local[k]; });
  case 6:
    return make("gpu.group_id", [](Item &item, unsigned k) { return item.group[k]; });
  case 7:
    return make("gpu.global_size", [](Item &item, unsigned k) {
      return item.launch.groups[k] * item.launch.local[k];
    });
  case 8:
    if (oneIn(2))
      return make("gpu.num_groups", [](Item &item, unsigned k) { return item.launch.groups[k]; });
    return make("gpu.local_size", [](Item &item, unsigned k) { return item.launch.local[k]; });
  }
}

Expr Maker::extent(const SliceName &slice, unsigned axis) {
  const std::string text =
      slice.rank == 1 && oneIn(2) ? ".len()" : ".dim(" + std::to_string(axis) + ")";
  return {i64, slice.text + text, [at = slice.at, k = axis + 2 - slice.rank](Item &item) {
            return Wide{item.views[at].extents[k]};
          }};
}

Expr Maker::leaf(Type type) {
  std::vector<Name> fitting;
  std::ranges::copy_if(names, std::back_inserter(fitting), [&](const Name &each) {
    return each.type == type && (each.at != 0 || oneIn(8)); // the total may be anything
  });
  if (!fitting.empty() && !oneIn(3)) // rather a new one
    return variable(oneIn(2) ? fitting.back() : oneOf(fitting));
  if (type == i64 && !oneIn(4)) {
    if (oneIn(2))
      return launchSize();
    const SliceName &slice = oneOf(slices);
    return extent(slice, static_cast<unsigned>(below(static_cast<int>(slice.rank))));
  }
  if (!oneIn(3))
    return constant(type);
  return type == i64 ? cast(leaf({32, oneIn(2)}), type) : cast(leaf(i64), type);
}

//===-- Operations --===//

static Wide computed(char op, Wide x, Wide y, Type type) {
  const Wide shift = ((y % type.bits) + type.bits) % type.bits;
  switch (op) {
  case '+':
    return x + y;
  case '-':
    return x - y;
  case '*': {
    Wide product = 0;
    (void)__builtin_mul_overflow(x, y, &product); // its low bits are what counts
    return product;
  }
  case '/':
  case '%':
    if (y == 0)
      throw Faulted();
    return op == '/' ? x / y : x % y;
  case '&':
    return x & y;
  case '|':
    return x | y;
  case '^':
    return x ^ y;
  case '<':
    return type.wrapped(x * (Wide{1} << (shift / 2))) * (Wide{1} << (shift - shift / 2));
  default:
    return x >> shift;
  }
}

Expr Maker::binary(const std::string &op, Expr a, Expr b) {
  const Type type = a.type;
  std::string text = "(" + a.text + " " + op + " " + b.text + ")";
  return {type, text, [=, sign = op[0]](Item &item) {
            const Wide x = a.value(item), y = b.value(item);
            return type.wrapped(computed(sign, x, y, type));
          }};
}

Expr Maker::cast(Expr x, Type type) {
  if (x.type == type)
    return x;
  return {type, "(" + x.text + " as " + type.name() + ")",
          [=](Item &item) { return type.wrapped(x.value(item)); }};
}

Expr Maker::choice(Cond c, Expr a, Expr b) {
  return {a.type, "(" + a.text + " if " + c.text + " else " + b.text + ")",
          [=](Item &item) { return c.value(item) ? a.value(item) : b.value(item); }};
}

/// A number, but another for what a launch seldom is.
Expr Maker::exception(Type type) {
  return choice(comparison("==", leaf(i64), number(i64, below(4))), constant(type), constant(type));
}

Expr Maker::minMaxOf(const std::string &function, Expr a, Expr b) {
  return {a.type, "math." + function + "(" + a.text + ", " + b.text + ")",
          [=, isMax = function == "max"](Item &item) {
            const Wide x = a.value(item), y = b.value(item);
            return isMax ? std::max(x, y) : std::min(x, y);
          }};
}

Expr Maker::minMax(Type type, int depth) {
  Expr a = value(type, depth), b = value(type, depth);
  if (!oneIn(3))
    return minMaxOf(oneIn(3) ? "max" : "min", a, b);
  Expr c = value(type, depth);
  return {type, "math.clamp(" + a.text + ", " + b.text + ", " + c.text + ")", [=](Item &item) {
            const Wide x = a.value(item), low = b.value(item), high = c.value(item);
            return std::min(std::max(x, low), high);
          }};
}

const char *const prelude = R"(
fn wrapped(i: i64, n: i64) -> i64:
    if n <= 0: return 0
    val r = i % n
    if r < 0: return r + n
    return r

fn halved(i: i64, most: i64) -> i64:
    var x = i
    while x > most:
        if x < 5: break
        x = x / 2
    return x

fn nearer[T: Int](i: T, n: T) -> T:
    return i if i < n else n - 1

struct Span:
    first: i64
    count: i64
    fn at(self, k: i64) -> i64:
        if k < 0 or k >= self.count: return self.first
        return self.first + k
)";

Expr Maker::call(int depth) {
  Expr a = value(i64, depth), b = value(i64, depth), c = value(i64, depth);
  const std::string two = "(" + a.text + ", " + b.text + ")";
  switch (below(4)) {
  case 0:
    return {i64, "wrapped" + two, [=](Item &item) {
              const Wide i = a.value(item), n = b.value(item);
              return n <= 0 ? 0 : i % n < 0 ? i % n + n : i % n;
            }};
  case 1:
    return {i64, "halved" + two, [=](Item &item) {
              Wide x = a.value(item);
              const Wide most = b.value(item);
              while (x > most && x >= 5)
                x /= 2;
              return x;
            }};
  case 2:
    return {i64, "nearer" + two, [=](Item &item) {
              const Wide i = a.value(item), n = b.value(item);
              return i < n ? i : i64.wrapped(n - 1);
            }};
  default:
    return {i64, "Span" + two + ".at(" + c.text + ")", [=](Item &item) {
              const Wide first = a.value(item), count = b.value(item), k = c.value(item);
              return k < 0 || k >= count ? first : i64.wrapped(first + k);
            }};
  }
}

Expr Maker::value(Type type, int depth) {
  if (depth <= 0 || oneIn(4))
    return leaf(type);
  auto operand = [&] { return value(type, depth - 1); };
  switch (below(17)) {
  case 0:
  case 1:
  case 2:
    return binary("+", operand(), oneIn(2) ? constant(type) : operand());
  case 3:
  case 4:
    return binary("-", operand(), oneIn(2) ? constant(type) : operand());
  case 5:
  case 6:
    return binary("*", operand(),
                  oneIn(2)   ? constant(type)
                  : oneIn(3) ? exception(type)
                             : operand());
  case 7:
    return binary(oneIn(2) ? "/" : "%", operand(),
                  oneIn(5)   ? operand()
                  : oneIn(2) ? number(type, 1 + below(9))
                             : minMaxOf("max", operand(), number(type, 1)));
  case 8:
    return binary(oneOf<std::string>({"&", "|", "^"}), operand(),
                  oneIn(2) ? constant(type) : operand());
  case 9:
    return binary(oneIn(2) ? "<<" : ">>", operand(), oneIn(3) ? operand() : number(type, below(9)));
  case 10:
  case 11:
    return minMax(type, depth - 1);
  case 12:
    return oneIn(3) ? exception(type) : choice(condition(depth - 1), operand(), operand());
  case 13:
    return cast(value(allTypes[below(8)], depth - 1), type);
  case 14:
    return cast(call(depth - 1), type);
  case 15:
    return cast(load(place(slices[static_cast<std::size_t>(below(3))])), type);
  default:
    if (!type.isSigned)
      return leaf(type);
    Expr x = operand();
    if (oneIn(2))
      return {type, "(-" + x.text + ")", [=](Item &item) { return type.wrapped(-x.value(item)); }};
    return {type, "math.abs(" + x.text + ")", [=](Item &item) {
              const Wide number = x.value(item);
              return type.wrapped(number < 0 ? -number : number);
            }};
  }
}

//===-- Conditions --===//

Cond Maker::comparison(const std::string &op, const Expr &a, const Expr &b) {
  return {"(" + a.text + " " + op + " " + b.text + ")", [=](Item &item) {
            const Wide x = a.value(item), y = b.value(item);
            return op == "<"    ? x < y
                   : op == "<=" ? x <= y
                   : op == ">"  ? x > y
                   : op == ">=" ? x >= y
                   : op == "==" ? x == y
                                : x != y;
          }};
}

Cond Maker::compare(int depth) {
  const Type type = anyType();
  Expr a = value(type, depth), b = value(type, depth);
  if (oneIn(4)) {
    const bool withEnd = oneIn(3);
    Expr c = value(type, depth - 1);
    return {"(" + c.text + " <= " + a.text + (withEnd ? " <= " : " < ") + b.text + ")",
            [=](Item &item) {
              const Wide least = c.value(item), x = a.value(item);
              if (least > x)
                return false;
              const Wide most = b.value(item);
              return withEnd ? x <= most : x < most;
            }};
  }
  return comparison(oneOf<std::string>({"<", "<", "<", "<=", "<=", ">", ">=", ">", "==", "!="}), a,
                    b);
}

Cond Maker::condition(int depth) {
  if (depth <= 0 || oneIn(2))
    return compare(std::min(depth, 1));
  Cond a = condition(depth - 1);
  if (oneIn(5))
    return {"(not " + a.text + ")", [=](Item &item) { return !a.value(item); }};
  Cond b = condition(depth - 1);
  if (oneIn(3))
    return {"(" + a.text + " or " + b.text + ")",
            [=](Item &item) { return a.value(item) || b.value(item); }};
  return {"(" + a.text + " and " + b.text + ")",
          [=](Item &item) { return a.value(item) && b.value(item); }};
}

} // namespace spl::e2e::indices
