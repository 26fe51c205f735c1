// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// spl-launch-contracts: see Passes.td.
#include "mir/bounds/Enumeration.h"
#include "mir/bounds/NaturalLaunches.h"
#include "mir/bounds/Walk.h"
#include "mir/transforms/CheckReport.h"
#include "mir/transforms/Passes.h"
#include "mir/transforms/Versions.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Transforms/RegionUtils.h"
#include "spl/abi/CheckSubject.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SmallVectorExtras.h"

namespace spl::mir {
#define GEN_PASS_DEF_LAUNCHCONTRACTS
#include "mir/transforms/Passes.h.inc"
} // namespace spl::mir

using namespace mlir;
using namespace spl::mir;
using bounds::Analysis;
using bounds::Needs;
using spl::abi::Contract;

namespace {

/// The maximum number of comparisons of two conditions in a kernel. After that no check is lifted,
/// so that no kernel takes long to compile.
constexpr size_t maxCompared = 100000;

/// Conditions of a contract, and the lifted checks that need these conditions only.
struct Group {
  Needs conditions;
  SmallVector<Operation *> checks;
};

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

  /// Checks, and branches that do nothing but fault, that fail in no launch.
  SmallVector<Operation *> proved;
  /// Those that fail in no launch that meets these conditions.
  SmallVector<std::pair<Operation *, Needs>> lifted;
  SmallVector<LeftCheck> left;

  /// The conditions and the lifted checks in at most \p maxGroups groups. Checks of one slice are
  /// in the same group.
  SmallVector<Group> groups(size_t maxGroups) const {
    llvm::EquivalenceClasses<unsigned> connected; // conditions that checks of one slice need
    for (unsigned condition : conditions) {
      connected.insert(condition);
      if (maxGroups == 1) // the conditions keep their order
        connected.unionSets(conditions.front(), condition);
    }
    llvm::DenseMap<StringRef, unsigned> firsts; // a condition of each slice
    for (const auto &[op, needs] : lifted) {
      auto check = dyn_cast<CheckOp>(op);
      const StringRef slice =
          check ? StringRef(spl::abi::sliceOf(check.getSubject().value_or(""))) : "";
      const unsigned first =
          slice.empty() ? needs.front() : firsts.try_emplace(slice, needs.front()).first->second;
      for (unsigned need : needs)
        connect(connected, first, need);
    }
    SmallVector<Group> groups;
    llvm::SmallDenseMap<unsigned, size_t> numbers; // of the groups, by their leaders
    for (unsigned condition : conditions) {
      auto [place, isNew] = numbers.try_emplace(connected.getLeaderValue(condition), groups.size());
      if (isNew)
        groups.emplace_back();
      groups[place->second].conditions.push_back(condition);
    }
    for (const auto &[check, needs] : lifted)
      groups[numbers.at(
                 connected.getLeaderValue(coverOf(needs.front()).value_or(conditions.front())))]
          .checks.push_back(check);
    while (groups.size() > maxGroups)
      joinSmallest(groups);
    return groups;
  }
  Contract contract(ArrayRef<Group> groups) const {
    return analysis.launchConditions().contract(
        llvm::map_to_vector(groups, [](const Group &group) { return group.conditions; }));
  }

private:
  /// A condition of the contract that implies \p need.
  std::optional<unsigned> coverOf(unsigned need) const {
    const auto *found = llvm::find_if(conditions, [&](unsigned condition) {
      return analysis.launchConditions().implies(condition, need);
    });
    return found == conditions.end() ? std::nullopt : std::optional(*found);
  }

  /// Puts the conditions that cover the two needs into one group. If a need has no cover, all
  /// conditions go into one group, because all of them together imply each need.
  void connect(llvm::EquivalenceClasses<unsigned> &connected, unsigned one, unsigned other) const {
    const std::optional<unsigned> first = coverOf(one), second = coverOf(other);
    if (first && second)
      connected.unionSets(*first, *second);
    else
      for (unsigned condition : conditions)
        connected.unionSets(conditions.front(), condition);
  }

  /// Joins the two groups with the fewest checks.
  static void joinSmallest(SmallVector<Group> &groups) {
    const auto hasFewer = [](const Group &a, const Group &b) {
      return a.checks.size() < b.checks.size();
    };
    auto *smallest = std::min_element(groups.begin(), groups.end(), hasFewer);
    const Group moved = std::move(*smallest);
    groups.erase(smallest);
    Group &next = *std::min_element(groups.begin(), groups.end(), hasFewer);
    next.conditions.append(moved.conditions);
    next.checks.append(moved.checks);
  }

  void judge(Operation *op, Value condition, bool truth) {
    if (analysis.holdsAnywhere(condition, truth))
      return proved.push_back(op);
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
    check.isOff = limit == 0;
    check.isTooLong = compared > maxCompared;
    if (check.isOff || check.isTooLong)
      return false;
    Needs all = conditions;
    bool isMore = false;
    for (unsigned condition : needs)
      if (!seen.contains(condition)) {
        compared += all.size();
        isMore |= analysis.launchConditions().extend(all, condition);
      }
    check.isTooLong = isMore && (all.size() > limit ||
                                 analysis.launchConditions().stepCount(all) > Contract::maxSteps);
    if (check.isTooLong)
      return false;
    if (isMore && !launches.canMeet(analysis.launchConditions().contract(all))) {
      check.needs = analysis.launchConditions().contract(needs);
      return false;
    }
    conditions = std::move(all);
    seen.insert(needs.begin(), needs.end());
    lifted.emplace_back(check.op, needs);
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
      if (!kernel->hasAttr(SplDialect::versionAttr) &&
          !symbols.lookup(versionName(kernel, Contract::Unchecked)))
        runOn(kernel);
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
      addVersions(kernel, checks);
    removeDeadOps(kernel);
    if (report)
      reportChecks(kernel, checks.proved.size(), checks.lifted.size(), checks.left);
  }

  /// Sets the contract, and adds the versions of the kernel that it selects.
  void addVersions(KernelOp kernel, const CheckLifting &checks) const {
    const SmallVector<Group> groups = checks.groups(maxGroups);
    spl::abi::Signature signature = kernel.getSignature();
    signature.contract = checks.contract(groups);
    // Each is inserted after the baseline and before the others, so the first is added last.
    for (size_t version = signature.contract->versionCount() - 1; version != Contract::Checked;
         --version)
      addVersion(kernel, version, groups);
    kernel.setSignatureAttr(SignatureAttr::get(kernel.getContext(), std::move(signature)));
  }

  void addVersion(KernelOp kernel, size_t version, ArrayRef<Group> groups) const {
    IRMapping copies;
    const KernelOp added = spl::mir::addVersion(kernel, version, copies);
    for (auto [number, group] : llvm::enumerate(groups))
      if (version != Contract::FirstUnmet + number)
        for (Operation *check : group.checks)
          copies.lookup(check)->erase();
    removeDeadOps(added);
  }
};

} // namespace
