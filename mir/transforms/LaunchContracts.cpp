// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-launch-contracts: see Passes.td.
#include "mir/bounds/Enumeration.h"
#include "mir/bounds/NaturalLaunches.h"
#include "mir/bounds/Walk.h"
#include "mir/transforms/CheckReport.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"
#include "spl/abi/Names.h"
#include "llvm/ADT/DenseSet.h"

namespace spl::mir {
#define GEN_PASS_DEF_LAUNCHCONTRACTS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using bounds::Analysis;
using bounds::Needs;

namespace {

/// Conditions are compared with each other so often in a kernel. Beyond that no check is lifted:
/// compiling stays quick whatever the kernel.
constexpr size_t maxCompared = 100000;

/// Looks at the checks of one kernel, in the order in which they run.
class CheckLifting {
public:
  CheckLifting(KernelOp kernel, unsigned maxConditions)
      : analysis(kernel), enumeration(kernel), launches(kernel.getSignature()),
        limit(maxConditions) {
    bounds::walk(analysis, kernel.getBody().front(), [&](Operation *op) {
      if (auto check = dyn_cast<CheckOp>(op))
        judge(check, check.getCondition(), true);
      else if (auto choice = dyn_cast<scf::IfOp>(op); choice && bounds::isFault(choice))
        judge(choice, choice.getCondition(), false);
    });
  }

  /// Checks, and branches that do nothing but fault, that no launch comes to fail by.
  SmallVector<Operation *> proved;
  /// Those that no launch does for which the conditions hold.
  SmallVector<Operation *> lifted;
  SmallVector<LeftCheck> left;

  spl::abi::Contract contract() const { return analysis.contract(conditions); }

private:
  void judge(Operation *op, Value condition, bool truth) {
    std::optional<Needs> needs = analysis.prove(condition, truth);
    if (needs && needs->empty())
      return proved.push_back(op);
    // Bounds find conditions that are not needed, no conditions, or some that no natural launch
    // meets.
    std::optional<Needs> others = truth ? analysis.proveByElimination(condition) : std::nullopt;
    if (others && others->empty())
      return proved.push_back(op);
    LeftCheck check{op, condition};
    if (needs && lift(check, *needs))
      return;
    LeftCheck again{op, condition};
    if (others && !check.isTooLong && lift(again, *others))
      return;
    if (enumeration.proves(op, condition, truth))
      return proved.push_back(op);
    left.push_back(std::move(check));
  }

  /// Adds the conditions to the contract, unless it would be too long or no natural launch would
  /// meet it. Then it sets the reason in \p check and returns false.
  bool lift(LeftCheck &check, const Needs &needs) {
    check.isTooLong = limit == 0 || compared > maxCompared;
    if (check.isTooLong)
      return false;
    Needs all = conditions;
    bool isMore = false;
    for (unsigned condition : needs)
      if (!seen.contains(condition)) {
        compared += all.size();
        isMore |= analysis.extend(all, condition);
      }
    check.isTooLong =
        isMore && (all.size() > limit || analysis.stepCount(all) > spl::abi::Contract::maxSteps);
    if (check.isTooLong)
      return false;
    if (isMore && !launches.canMeet(analysis.contract(all))) {
      check.needs = analysis.contract(needs);
      return false;
    }
    conditions = std::move(all);
    seen.insert(needs.begin(), needs.end());
    lifted.push_back(check.op);
    return true;
  }

  Analysis analysis;
  bounds::Enumeration enumeration;
  bounds::NaturalLaunches launches;
  Needs conditions;              ///< none of which others imply
  llvm::DenseSet<unsigned> seen; ///< conditions that these imply
  const unsigned limit;
  size_t compared = 0;
};

struct LaunchContractsPass : spl::mir::impl::LaunchContractsBase<LaunchContractsPass> {
  using LaunchContractsBase::LaunchContractsBase;

  void runOnOperation() override {
    const SymbolTable symbols(getOperation());
    for (KernelOp kernel : llvm::make_early_inc_range(getOperation().getOps<KernelOp>()))
      if (!kernel->hasAttr(SplDialect::uncheckedAttr) && !symbols.lookup(uncheckedName(kernel)))
        runOn(kernel);
  }

  static std::string uncheckedName(KernelOp kernel) {
    return kernel.getSymName().str() + std::string(spl::abi::uncheckedSuffix);
  }

  /// Removes what only erased checks used. It would keep values alive, which barrier fission would
  /// then save.
  void removeDeadOps(KernelOp kernel) const {
    if (keepUnused)
      return;
    IRRewriter rewriter(kernel.getContext());
    (void)runRegionDCE(rewriter, kernel->getRegions()); // fails if nothing changes
  }

  void runOn(KernelOp kernel) {
    CheckLifting checks(kernel, maxConditions);
    for (Operation *check : checks.proved)
      check->erase();
    if (!checks.lifted.empty())
      addUnchecked(kernel, checks);
    removeDeadOps(kernel);
    if (report)
      reportChecks(kernel, checks.proved.size(), checks.lifted.size(), checks.left);
  }

  /// Adds the kernel without the checks that are lifted, and the contract under which it runs.
  void addUnchecked(KernelOp kernel, const CheckLifting &checks) const {
    OpBuilder builder(kernel);
    builder.setInsertionPointAfter(kernel);
    IRMapping mapping;
    auto unchecked = cast<KernelOp>(builder.clone(*kernel, mapping));
    for (Operation *check : checks.lifted)
      mapping.lookup(check)->erase();
    removeDeadOps(unchecked);
    unchecked.setSymName(uncheckedName(kernel));
    unchecked->setAttr(SplDialect::uncheckedAttr, builder.getUnitAttr());
    spl::abi::Signature signature = kernel.getSignature();
    signature.contract = checks.contract();
    kernel.setSignatureAttr(SignatureAttr::get(kernel.getContext(), std::move(signature)));
  }
};

} // namespace
