// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Print.h"
#include "cli/Elements.h"

namespace spl::cli {
namespace {

// For an axis that is longer than this, only the first and last elements are printed.
constexpr std::int64_t maxShown = 32;
constexpr std::int64_t edge = 8;

struct Printer {
  std::ostream &os;
  const HostArray &array;
  bool full;

  // Prints one row along 'axis', which begins at element 'first' and has 'stride' elements in
  // total.
  void print(std::size_t axis, std::int64_t first, std::int64_t stride) const {
    const std::int64_t extent = array.shape[axis];
    const std::int64_t inner = extent == 0 ? 0 : stride / extent;
    os << '[';
    for (std::int64_t i = 0; i < extent; ++i) {
      if (i != 0)
        os << ", ";
      if (!full && extent > maxShown && i == edge) {
        os << "...";
        i = extent - edge - 1;
      } else if (axis + 1 == array.shape.size()) {
        os << formatElement(array.element, array.at(first + i));
      } else {
        print(axis + 1, first + i * inner, inner);
      }
    }
    os << ']';
  }
};

} // namespace

void printArray(std::ostream &os, const std::string &name, const HostArray &array, bool full) {
  os << name << " = ";
  Printer{os, array, full}.print(0, 0, array.size());
  os << '\n';
}

} // namespace spl::cli
