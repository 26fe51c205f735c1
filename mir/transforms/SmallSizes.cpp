// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-small-sizes: see GpuPasses.td.
#include "mir/dialect/SmallSizes.h"
#include "mir/bounds/Symbols.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/Versions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "spl/abi/Limits.h"

namespace spl::mir {
#define GEN_PASS_DEF_SMALLSIZES
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using spl::abi::Contract;
using spl::abi::Expression;

namespace {

// Therefore a contract only has a condition for the work-items along x.
static_assert(spl::abi::maxGroups[1] * spl::abi::maxLocalSize[1] <= maxSmallSize &&
              spl::abi::maxGroups[2] * spl::abi::maxLocalSize[2] <= maxSmallSize);

/// Adds the extents of a slice and, if there are several, their product. It may be 0 where one
/// extent is large. Returns whether a launch knows them.
bool addExtents(std::vector<Expression> &sizes, BlockArgument slice, bounds::Symbols &symbols) {
  std::optional<Expression> product;
  const unsigned rank = cast<SliceType>(slice.getType()).getRank();
  for (unsigned axis = 0; axis != rank; ++axis) {
    const bounds::Polynomial extent = symbols.extent(slice, axis);
    if (!symbols.isKnownAtLaunch(extent))
      return false;
    sizes.push_back(symbols.expression(extent));
    product = product ? Expression::combine(spl::abi::Operation::Multiply, *product, sizes.back())
                      : sizes.back();
  }
  if (rank > 1)
    sizes.push_back(*product);
  return true;
}

/// The sizes that must be small. Nothing if the kernel has no slices, or a launch does not know all
/// sizes.
std::optional<std::vector<Expression>> sizesOf(KernelOp kernel) {
  bounds::Symbols symbols(kernel);
  std::vector<Expression> sizes;
  for (BlockArgument argument : kernel.getBody().getArguments())
    if (isa<SliceType>(argument.getType()) && !argument.use_empty() &&
        !kernel.getArgAttr(argument.getArgNumber(), SplDialect::byValueAttr) &&
        !addExtents(sizes, argument, symbols))
      return std::nullopt;
  if (sizes.empty())
    return std::nullopt;
  sizes.push_back(Expression::globalSize(0));
  return sizes;
}

/// The contract with the condition that the sizes are small, in its last group.
Contract limited(Contract contract, std::vector<Expression> sizes) {
  const size_t group = contract.groupCount() - 1;
  contract.add(Expression::maxOf(std::move(sizes)), Expression::constant(maxSmallSize), group);
  return contract;
}

struct SmallSizesPass : spl::mir::impl::SmallSizesBase<SmallSizesPass> {
  using SmallSizesBase::SmallSizesBase;

  void runOnOperation() override {
    SymbolTable symbols(getOperation());
    for (KernelOp kernel : llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      if (!kernel->hasAttr(SplDialect::versionAttr) &&
          (kernel.getSignature().contract || addContracts))
        runOn(kernel, symbols);
  }

  static void runOn(KernelOp kernel, SymbolTable &symbols) {
    std::optional<std::vector<Expression>> sizes = sizesOf(kernel);
    if (!sizes)
      return;
    spl::abi::Signature signature = kernel.getSignature();
    Contract contract = limited(signature.contract.value_or(Contract()), *std::move(sizes));
    if (contract.steps.size() > Contract::maxSteps)
      return;
    IRMapping copies;
    if (!signature.contract)
      symbols.insert(addVersion(kernel, Contract::Unchecked, copies));
    const size_t last = contract.groupCount() - 1;
    for (size_t version = Contract::Unchecked; version != contract.versionCount(); ++version)
      if (version != Contract::FirstUnmet + last) // its launches may not meet the condition
        if (auto other = symbols.lookup<KernelOp>(versionName(kernel, version)))
          other->setAttr(SplDialect::smallSizesAttr, UnitAttr::get(kernel.getContext()));
    signature.contract = std::move(contract);
    kernel.setSignatureAttr(SignatureAttr::get(kernel.getContext(), std::move(signature)));
  }
};

} // namespace
