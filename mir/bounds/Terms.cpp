// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Terms.h"
#include "intrinsics/Limits.h"
#include "llvm/ADT/STLExtras.h"
#include <limits>

using namespace mlir;

namespace spl::mir::bounds {

//===-- Sums --===//

/// More than any index has; what grows beyond is dropped.
static constexpr size_t mostProducts = 12, mostFactors = 4;

bool Sum::addProduct(const Factors &factors, Wide count) {
  auto [place, isNew] = counts.try_emplace(factors, 0);
  count += place->second;
  if (count < std::numeric_limits<int64_t>::min() || count > std::numeric_limits<int64_t>::max())
    return false;
  place->second = static_cast<int64_t>(count);
  if (count == 0)
    counts.erase(place);
  return counts.size() <= mostProducts && factors.size() <= mostFactors;
}

Sum Sum::number(int64_t value) {
  Sum sum;
  if (value != 0)
    sum.counts[{}] = value;
  return sum;
}

Sum Sum::symbol(SymbolId id) {
  Sum sum;
  sum.counts[{id}] = 1;
  return sum;
}

std::optional<int64_t> Sum::asNumber() const {
  if (counts.empty())
    return 0;
  if (counts.size() == 1 && counts.begin()->first.empty())
    return counts.begin()->second;
  return std::nullopt;
}

std::optional<Sum> Sum::addScaled(const Sum &a, const Sum &b, int64_t scale) {
  Sum result = a;
  for (const auto &[factors, count] : b.counts)
    if (!result.addProduct(factors, Wide{count} * scale))
      return std::nullopt;
  return result;
}

std::optional<Sum> Sum::add(const Sum &a, const Sum &b) { return addScaled(a, b, 1); }
std::optional<Sum> Sum::subtract(const Sum &a, const Sum &b) { return addScaled(a, b, -1); }

std::optional<Sum> Sum::multiply(const Sum &a, const Sum &b) {
  Sum result;
  for (const auto &[left, leftCount] : a.counts)
    for (const auto &[right, rightCount] : b.counts) {
      Factors factors = left;
      factors.append(right);
      llvm::sort(factors);
      if (!result.addProduct(factors, Wide{leftCount} * rightCount))
        return std::nullopt;
    }
  return result;
}

//===-- Ranges --===//

/// No sum that is of use is beyond, and sums of such never wrap.
static constexpr Wide farthest = Wide{1} << 120;

static std::optional<Range> within(Wide least, Wide most) {
  if (least < -farthest || most > farthest)
    return std::nullopt;
  return Range{least, most};
}

static std::optional<Range> multiply(Range a, Range b) {
  Wide corners[4];
  if (__builtin_mul_overflow(a.least, b.least, &corners[0]) ||
      __builtin_mul_overflow(a.least, b.most, &corners[1]) ||
      __builtin_mul_overflow(a.most, b.least, &corners[2]) ||
      __builtin_mul_overflow(a.most, b.most, &corners[3]))
    return std::nullopt;
  return within(*std::min_element(corners, corners + 4), *std::max_element(corners, corners + 4));
}

std::optional<Range> Symbols::range(const Sum &sum) const {
  Range total{0, 0};
  for (const auto &[factors, count] : sum.products()) {
    std::optional<Range> product = Range{count, count};
    for (Sum::SymbolId factor : factors)
      if (product)
        product = multiply(*product, symbols[factor].range);
    if (!product)
      return std::nullopt;
    std::optional<Range> next = within(total.least + product->least, total.most + product->most);
    if (!next)
      return std::nullopt;
    total = *next;
  }
  return total;
}

//===-- Symbols --===//

Sum Symbols::named(const std::string &name, Range range) {
  auto [place, isNew] = byName.try_emplace(name, symbols.size());
  if (isNew)
    symbols.push_back({name, range, {}, {}, {}});
  return Sum::symbol(place->second);
}

// What CUDA takes along each axis, which the CPU has too.
static constexpr int64_t mostGroups[] = {2147483647, 65535, 65535};
static constexpr int64_t mostLocal[] = {intrinsics::largestGroup, intrinsics::largestGroup, 64};

Sum Symbols::numGroups(unsigned axis) {
  Sum sum = named("gpu.num_groups(" + std::to_string(axis) + ")", {1, mostGroups[axis]});
  symbols[sum.products().begin()->first.front()].numGroupsAxis = axis;
  return sum;
}

Sum Symbols::localSize(unsigned axis) {
  if (auto block = kernel->getAttrOfType<DenseI64ArrayAttr>(SplDialect::blockAttr))
    return Sum::number(axis < block.size() ? block[axis] : 1);
  Sum sum = named("gpu.local_size(" + std::to_string(axis) + ")", {1, mostLocal[axis]});
  symbols[sum.products().begin()->first.front()].localSizeAxis = axis;
  return sum;
}

static StringRef nameOf(KernelOp kernel, BlockArgument argument) {
  auto name = kernel.getArgAttrOfType<StringAttr>(argument.getArgNumber(), SplDialect::nameAttr);
  return name ? name.getValue() : "";
}

/// No address space holds more elements.
static constexpr Wide mostElements = (Wide{1} << 60) - 1;

Sum Symbols::extent(BlockArgument slice, unsigned axis) {
  if (kernel.getArgAttr(slice.getArgNumber(), SplDialect::byValueAttr))
    return Sum::number(1);
  StringRef name = nameOf(kernel, slice);
  if (name.empty())
    return unknown(slice, axis);
  if (cast<SliceType>(slice.getType()).getRank() == 1)
    return named((name + ".len()").str(), {0, mostElements});
  return named((name + ".dim(" + Twine(axis) + ")").str(), {0, mostElements});
}

static Range rangeOf(Type type) {
  auto integer = dyn_cast<IntegerType>(type);
  unsigned bits = integer ? integer.getWidth() : 64;
  return {-(Wide{1} << (bits - 1)), (Wide{1} << (bits - 1)) - 1};
}

Sum Symbols::argument(BlockArgument scalar) {
  StringRef name = nameOf(kernel, scalar);
  return name.empty() ? unknown(scalar) : named(name.str(), rangeOf(scalar.getType()));
}

Sum Symbols::unknown(Value value, std::optional<unsigned> axis) {
  auto [place, isNew] = byValue.try_emplace({value, axis.value_or(~0u)}, symbols.size());
  if (isNew)
    symbols.push_back({"", axis ? Range{0, mostElements} : rangeOf(value.getType()), {}, {}, {}});
  return Sum::symbol(place->second);
}

/// In parentheses if it is more than one symbol or number.
std::string Symbols::operandText(const Sum &sum) const {
  const auto &products = sum.products();
  const bool isOne =
      sum.asNumber() >= 0 || (products.size() == 1 && products.begin()->first.size() == 1 &&
                              products.begin()->second == 1);
  return isOne ? text(sum) : "(" + text(sum) + ")";
}

std::optional<Sum> Symbols::quotient(const Sum &of, const Sum &by) {
  if (std::optional<int64_t> divisor = by.asNumber(); divisor && *divisor > 0) {
    // (4 n + 7) / 4 is n + 1, whatever n is.
    Sum result;
    bool isWhole = true;
    for (const auto &[factors, count] : of.products()) {
      const bool isNumber = factors.empty();
      isWhole &= isNumber || count % *divisor == 0;
      int64_t part = count / *divisor - (isNumber && count % *divisor < 0);
      Sum term = Sum::number(part);
      for (Sum::SymbolId factor : factors)
        term = *Sum::multiply(term, Sum::symbol(factor));
      result = *Sum::add(result, term);
    }
    if (isWhole)
      return result;
  }
  std::optional<Range> above = range(of), below = range(by);
  if (!above)
    return std::nullopt;
  Wide least = below ? std::max<Wide>(below->least, 1) : 1;
  const bool isOfLaunch = this->isOfLaunch(of) && this->isOfLaunch(by);
  auto known = llvm::find_if(
      symbols, [&](const Symbol &symbol) { return symbol.quotient == std::pair(of, by); });
  Sum::SymbolId id = known - symbols.begin();
  if (known == symbols.end())
    symbols.push_back({isOfLaunch ? operandText(of) + " / " + operandText(by) : "",
                       {0, std::max<Wide>(above->most, 0) / least},
                       {},
                       {},
                       std::pair(of, by)});
  return Sum::symbol(id);
}

std::optional<Sum> Symbols::withoutQuotients(const Sum &sum, Toward end) const {
  std::optional<Sum> result = sum;
  for (const auto &[factors, count] : sum.products()) {
    if (factors.size() != 1 || !symbols[factors.front()].quotient)
      continue;
    const auto &[of, by] = *symbols[factors.front()].quotient;
    std::optional<int64_t> divisor = by.asNumber();
    if (!divisor || count % *divisor != 0)
      continue;
    // A number is at least what rounding it down to a multiple leaves, and less than one multiple
    // above that.
    const int64_t times = count / *divisor;
    std::optional<Sum> whole = (times > 0) == (end == Toward::Least)
                                   ? Sum::subtract(of, Sum::number(*divisor - 1))
                                   : std::optional(of);
    whole = whole ? Sum::multiply(*whole, Sum::number(times)) : std::nullopt;
    std::optional<Sum> gone = Sum::multiply(Sum::symbol(factors.front()), Sum::number(count));
    result = result ? Sum::subtract(*result, *gone) : std::nullopt;
    result = result && whole ? Sum::add(*result, *whole) : std::nullopt;
  }
  return result;
}

bool Symbols::isOfLaunch(const Sum &sum) const {
  return llvm::all_of(sum.products(), [&](const auto &product) {
    return llvm::all_of(product.first,
                        [&](Sum::SymbolId factor) { return !symbols[factor].name.empty(); });
  });
}

//===-- Text --===//

std::string Symbols::productText(const Sum::Factors &factors, int64_t count) const {
  Sum::Factors rest = factors;
  llvm::SmallVector<std::string> parts;
  if (count != 1 || factors.empty())
    parts.push_back(std::to_string(count));
  // A number of groups times their size is a size that has a name.
  for (unsigned axis : {0u, 1u, 2u}) {
    auto groups = llvm::find_if(rest, [&](auto id) { return symbols[id].numGroupsAxis == axis; });
    auto local = llvm::find_if(rest, [&](auto id) { return symbols[id].localSizeAxis == axis; });
    if (groups == rest.end() || local == rest.end())
      continue;
    const Sum::SymbolId pair[] = {*groups, *local};
    for (Sum::SymbolId id : pair)
      rest.erase(llvm::find(rest, id));
    parts.push_back("gpu.global_size(" + std::to_string(axis) + ")");
  }
  for (Sum::SymbolId id : rest)
    parts.push_back(symbols[id].quotient ? "(" + symbols[id].name + ")" : symbols[id].name);
  return llvm::join(parts, " * ");
}

std::string Symbols::text(const Sum &sum) const {
  std::string result;
  // Products of symbols before the number, sums before differences.
  for (bool isSum : {true, false})
    for (const auto &[factors, count] : llvm::reverse(sum.products())) {
      if (isSum != (count > 0))
        continue;
      if (isSum)
        result += (result.empty() ? "" : " + ") + productText(factors, count);
      else if (count == std::numeric_limits<int64_t>::min()) // its opposite is no number
        result += (result.empty() ? "-" : " - ") + productText(factors, -(count + 1)) + " - " +
                  productText(factors, 1);
      else
        result += (result.empty() ? "-" : " - ") + productText(factors, -count);
    }
  return result.empty() ? "0" : result;
}

} // namespace spl::mir::bounds
