// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-small-sizes: see GpuPasses.td.
#include "mir/dialect/SmallSizes.h"
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
/// extent is large.
void addExtents(std::vector<Expression> &sizes, size_t position, unsigned rank) {
  if (rank == 1)
    return sizes.push_back(Expression::length(position));
  Expression product = Expression::extent(position, 0);
  sizes.push_back(product);
  for (unsigned axis = 1; axis < rank; ++axis) {
    sizes.push_back(Expression::extent(position, axis));
    product = Expression::combine(spl::abi::Operation::Multiply, std::move(product), sizes.back());
  }
  sizes.push_back(std::move(product));
}

/// The sizes that must be small. Nothing if the kernel has no slices, or a launch does not know all
/// sizes.
std::optional<std::vector<Expression>> sizesOf(KernelOp kernel) {
  const spl::abi::Signature &signature = kernel.getSignature();
  std::vector<Expression> sizes;
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    auto slice = dyn_cast<SliceType>(argument.getType());
    const unsigned number = argument.getArgNumber();
    if (!slice || argument.use_empty() || kernel.getArgAttr(number, SplDialect::byValueAttr))
      continue;
    auto name = kernel.getArgAttrOfType<StringAttr>(number, SplDialect::nameAttr);
    const std::optional<size_t> position = name ? signature.indexOf(name.getValue()) : std::nullopt;
    if (!position || signature.parameters[*position].type.rank != int(slice.getRank()))
      return std::nullopt;
    addExtents(sizes, *position, slice.getRank());
  }
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

/// Adds the version for launches that meet the contract, behind the kernel.
void addVersion(KernelOp kernel, SymbolTable &symbols) {
  OpBuilder builder(kernel);
  builder.setInsertionPointAfter(kernel);
  auto version = cast<KernelOp>(builder.clone(*kernel));
  version.setSymName(versionName(kernel, Contract::Unchecked));
  version->setAttr(SplDialect::versionAttr, builder.getI64IntegerAttr(Contract::Unchecked));
  symbols.insert(version);
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
    if (!signature.contract)
      addVersion(kernel, symbols);
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
