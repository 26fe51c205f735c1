// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/NaturalLaunches.h"
#include "mir/dialect/GroupSize.h"
#include "mir/dialect/SmallSizes.h"
#include "spl/abi/ContractEvaluation.h"
#include "spl/abi/Limits.h"
#include "llvm/Support/MathExtras.h"
#include <limits>

namespace spl::mir::bounds {

namespace {

constexpr uint32_t launchCount = 2048;

/// A launch, whose sizes and arguments follow from its number.
class Launch {
public:
  Launch(const abi::Signature &signature, uint32_t number) : signature(signature), number(number) {
    static constexpr int64_t counts[] = {2,    3,    5,     8,       16,     31,  32,
                                         64,   100,  128,   250,     255,    256, 1000,
                                         1024, 4096, 10000, 1 << 16, 1 << 20};
    sizes[0] = counts[below(Sizes, 0, std::size(counts))];
    for (unsigned i : {1u, 2u})
      sizes[i] =
          below(Sizes, 2 * i, 2) ? sizes[0] : counts[below(Sizes, 2 * i + 1, std::size(counts))];
    static constexpr int64_t groups[][3] = {{256, 1, 1}, {32, 1, 1},   {64, 1, 1},  {128, 1, 1},
                                            {512, 1, 1}, {1024, 1, 1}, {16, 16, 1}, {32, 8, 1},
                                            {64, 4, 1},  {8, 8, 1},    {32, 32, 1}, {8, 8, 8}};
    const unsigned group = below(Groups, 0, std::size(groups));
    // One, two or three axes have work-items for each element; the others have one group.
    const unsigned axes = 1 + below(Groups, 1, 3), rounding = below(Groups, 2, 4);
    const std::optional fixed = fixedGroupSize(signature);
    for (unsigned axis : {0u, 1u, 2u}) {
      local[axis] = groups[group][axis];
      if (fixed)
        local[axis] = (*fixed)[axis];
      const int64_t extent = sizes[below(Groups, 3 + axis, 3)];
      int64_t count = llvm::divideCeil(extent, local[axis]);
      if (rounding == 0)
        count = extent; // a group for each element
      else if (rounding == 1 && extent < local[axis] && !fixed)
        local[axis] = extent; // as many work-items as elements
      numbers[axis] = axis < axes ? std::min(count, abi::maxGroups[axis]) : 1;
    }
  }

  int64_t numGroups(unsigned axis) const { return numbers[axis]; }
  int64_t localSize(unsigned axis) const { return local[axis]; }

  bool scalar(const abi::Step &step, int64_t &value) const {
    const ElementType &type = signature.parameters[step.operand].type.element;
    if (type.kind() == ElementType::Kind::Enum && !type.members().empty()) {
      value = type.members()[below(Scalars, step.operand, type.members().size())].value;
      return true;
    }
    const uint64_t key = uint64_t(step.operand) << 32 | step.offset;
    const int64_t size = sizes[below(Scalars, key, 3)];
    const int64_t values[] = {size,     size,
                              size,     size,
                              size - 1, size + 1,
                              2 * size, size / 2,
                              local[0], sizes[0] * sizes[1],
                              1,        2,
                              3,        int64_t(1) << below(Exponents, key, 12)};
    value = values[below(Choices, key, std::size(values))];
    const std::optional<ScalarPart> part = scalarAt(type, step.offset);
    const int64_t largest =
        std::numeric_limits<int64_t>::max() >> (64 - 8 * sizeOf(part ? part->type : type.scalar()));
    value = std::min(value, largest);
    return true;
  }

  int64_t extent(const abi::Step &step) const {
    constexpr int64_t large = maxSmallSize;
    const int rank = signature.parameters[step.operand].type.rank;
    const uint64_t key = uint64_t(step.operand) << 8 | step.axis;
    switch (number % 4) {
    case 0: // all slices have the same extents
      return sizes[rank - 1 - step.axis < 3 ? rank - 1 - step.axis : 0];
    case 1: // slices are as large as anybody needs
      return large;
    case 2: { // slices hold a vector, a matrix or a stack of matrices
      const int64_t products[] = {
          sizes[0],     sizes[1],    sizes[0] * sizes[1], sizes[1] * sizes[2], sizes[0] * sizes[2],
          2 * sizes[0], sizes[0] + 1};
      return rank == 1 ? std::min(large, products[below(Extents, key, std::size(products))])
                       : sizes[below(Extents, key, 3)];
    }
    default:
      return below(Extents, key, 2) ? large : sizes[0];
    }
  }

private:
  enum Purpose : uint64_t { Sizes, Groups, Scalars, Choices, Exponents, Extents };

  /// A number from 0 to \p end - 1, by SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
  unsigned below(Purpose purpose, uint64_t key, uint64_t end) const {
    uint64_t mixed = (uint64_t(number) << 32 ^ purpose << 56 ^ key) + 0x9e3779b97f4a7c15;
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111eb;
    return unsigned((mixed ^ mixed >> 31) % end);
  }

  const abi::Signature &signature;
  uint32_t number;
  int64_t sizes[3], local[3], numbers[3];
};

} // namespace

bool NaturalLaunches::canMeet(const abi::Contract &contract) {
  const auto meets = [&](uint32_t number) {
    return !abi::firstUnmet(contract.steps, Launch(signature, number));
  };
  if (meets(last))
    return true;
  for (uint32_t number = 0; number < launchCount; ++number)
    if (meets(number)) {
      last = number;
      return true;
    }
  return false;
}

} // namespace spl::mir::bounds
