// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Bounds.h"
#include "llvm/ADT/STLExtras.h"

namespace spl::mir::bounds {

Bounds Bounds::below(const Polynomial &count) {
  Bounds bounds;
  bounds.least = {Polynomial()};
  if (std::optional<Polynomial> last = Polynomial::subtract(count, Polynomial::constant(1)))
    bounds.most = {*last};
  return bounds;
}

/// The exact value is the first one: it is the closest bound, which must not be dropped where there
/// are too many.
static llvm::SmallVector<Polynomial> with(llvm::ArrayRef<Polynomial> sums,
                                          const std::optional<Polynomial> &exact) {
  llvm::SmallVector<Polynomial> result(sums);
  if (exact && !llvm::is_contained(sums, *exact))
    result.insert(result.begin(), *exact);
  return result;
}

llvm::SmallVector<Polynomial> Bounds::lower() const { return with(least, exact); }
llvm::SmallVector<Polynomial> Bounds::upper() const { return with(most, exact); }

llvm::SmallVector<Polynomial, 2> shifted(llvm::ArrayRef<Polynomial> sums, int64_t by) {
  llvm::SmallVector<Polynomial, 2> result;
  for (const Polynomial &sum : sums)
    if (std::optional<Polynomial> next = Polynomial::add(sum, Polynomial::constant(by)))
      result.push_back(*next);
  return result;
}

} // namespace spl::mir::bounds
