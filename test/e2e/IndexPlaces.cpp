// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/e2e/IndexMaker.h"

namespace spl::e2e::indices {

Expr Maker::plainLeaf() {
  switch (below(10)) {
  case 0:
    return number(i64, below(6));
  case 1:
  case 2:
    return cast(variable(names[1 + static_cast<std::size_t>(below(scalarCount))]), i64);
  case 3:
  case 4:
    return names.back().at == 0 ? launchSize() : cast(variable(names.back()), i64);
  case 5: {
    const SliceName &slice = oneOf(slices);
    return extent(slice, static_cast<unsigned>(below(static_cast<int>(slice.rank))));
  }
  default:
    return launchSize();
  }
}

Expr Maker::plain(int depth) {
  if (depth <= 0 || oneIn(4))
    return plainLeaf();
  Expr x = plain(depth - 1), small = number(i64, 1 + below(4));
  switch (below(14)) {
  case 0:
  case 1:
    return binary("+", x, oneIn(2) ? small : plainLeaf());
  case 2:
    return binary("-", x, oneIn(2) ? small : plainLeaf());
  case 3:
    return binary("*", x, oneIn(3) ? exception(i64) : oneIn(3) ? plainLeaf() : small);
  case 4:
    return minMaxOf("min", x, plain(depth - 1));
  case 5:
    return minMaxOf("max", x, plain(depth - 1));
  case 6:
    return binary("%", x, oneIn(2) ? small : minMaxOf("max", plainLeaf(), number(i64, 1)));
  case 7:
    return binary("/", x, oneIn(2) ? small : minMaxOf("max", plainLeaf(), number(i64, 1)));
  case 8:
    return binary(oneIn(2) ? ">>" : "&", x, small);
  case 9:
  case 10:
    return choice(comparison(oneOf<std::string>({"<", "<=", ">", ">=", "!="}), plainLeaf(),
                             oneIn(2) ? small : plainLeaf()),
                  x, plain(depth - 1));
  case 11: {
    Expr y = plainLeaf();
    return {i64, "nearer(" + x.text + ", " + y.text + ")", [=](Item &item) {
              const Wide i = x.value(item), n = y.value(item);
              return i < n ? i : i64.wrapped(n - 1);
            }};
  }
  default: // there and back
    return cast(oneIn(2) ? cast(x, home) : binary("+", cast(x, home), number(home, below(3))), i64);
  }
}

Expr Maker::index(const SliceName &slice, unsigned axis) {
  Expr length = extent(slice, axis), one = number(i64, 1);
  switch (below(16)) {
  case 0:
  case 1:
    return launchSize();
  case 2:
    return minMaxOf("min", launchSize(), binary("-", length, one));
  case 3:
    return binary("-", binary("-", length, one), plainLeaf());
  case 4: {
    Expr at = value(i64, 1);
    return {i64, "wrapped(" + at.text + ", " + length.text + ")", [=](Item &item) {
              const Wide i = at.value(item), n = length.value(item);
              return n <= 0 ? 0 : i % n < 0 ? i % n + n : i % n;
            }};
  }
  case 5: {
    Expr at = value(i64, 1), last = binary("-", length, one);
    return {i64, "math.clamp(" + at.text + ", 0, " + last.text + ")", [=](Item &item) {
              return std::min(std::max(at.value(item), Wide{0}), last.value(item));
            }};
  }
  case 6:
    return number(i64, below(4));
  case 7:
    return oneIn(3) ? value(home, 2) : variable(names.back());
  case 8:
    return binary("%", launchSize(), length);
  default:
    return plain(1 + below(2));
  }
}

Maker::Place Maker::place(const SliceName &slice, std::vector<Expr> indices) {
  const bool byRow = indices.size() == 2 && oneIn(2);
  std::string text = slice.text + "[" + indices[0].text;
  if (indices.size() == 2)
    text += (byRow ? "][" : ", ") + indices[1].text;
  return {text + "]", sliceParameters[slice.parameter].element,
          [=, at = slice.at](Item &item) -> std::int64_t & {
            const View view = item.views[at];
            std::int64_t offset = 0;
            for (std::size_t k = 0; k != indices.size(); ++k) {
              const std::int64_t length = view.extents[k + 2 - indices.size()];
              const Wide index = indices[k].value(item);
              if (index < 0 || index >= length)
                throw Faulted();
              offset = offset * length + static_cast<std::int64_t>(index);
            }
            return item.launch.slices[view.slice]
                .elements[static_cast<std::size_t>(view.offset + offset)];
          }};
}

Maker::Place Maker::place(const SliceName &slice) {
  std::vector<Expr> indices;
  for (unsigned axis = 0; axis != slice.rank; ++axis)
    indices.push_back(index(slice, axis));
  return place(slice, std::move(indices));
}

Expr Maker::load(const Place &place) {
  return {place.type, place.text,
          [=](Item &item) { return place.type.wrapped(place.element(item)); }};
}

} // namespace spl::e2e::indices
