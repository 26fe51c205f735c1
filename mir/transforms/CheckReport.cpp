// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/CheckReport.h"
#include "intrinsics/Intrinsics.h"
#include "mir/bounds/Loads.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Matchers.h"
#include "spl/abi/CheckSubject.h"
#include "spl/abi/SignatureText.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace spl::mir {

namespace {

/// What a value depends on that a launch does not determine. A later enumerator is a better
/// explanation.
enum class Cause { Nothing, Loop, Float, Address, Intrinsic, Call, LaunchMemory, Memory };

struct Dependency {
  Cause cause = Cause::Nothing;
  std::string name;

  void add(Cause other, StringRef otherName = "") {
    if (other > cause || (other == cause && name.empty()))
      *this = {other, otherName.str()};
  }
};

/// The name in the source of the array that an operation accesses.
StringRef arrayName(Operation *op) {
  auto name = op->getAttrOfType<StringAttr>(SplDialect::nameAttr);
  return name ? name.getValue() : "";
}

bool isOfParameter(Value slice) {
  while (auto part = slice.getDefiningOp<PartOp>())
    slice = part.getSlice();
  auto parameter = dyn_cast<BlockArgument>(slice);
  auto kernel = parameter ? dyn_cast<KernelOp>(parameter.getOwner()->getParentOp()) : KernelOp();
  return kernel && kernel.getArgAttr(parameter.getArgNumber(), SplDialect::byValueAttr);
}

/// What a value depends on: the values that it is computed from.
class Dependencies {
public:
  explicit Dependencies(Value value) {
    values.insert(value);
    for (size_t i = 0; i < values.size(); ++i)
      if (auto argument = dyn_cast<BlockArgument>(values[i]))
        ofArgument(argument);
      else
        ofResult(cast<OpResult>(values[i]));
  }

  const Dependency &found() const { return result; }
  bool shareValue(const Dependencies &other) const {
    return llvm::any_of(values, [&](Value value) {
      return !matchPattern(value, m_Constant()) && other.values.contains(value);
    });
  }

private:
  void visit(ValueRange more) { values.insert(more.begin(), more.end()); }

  void ofArgument(BlockArgument argument) {
    Operation *parent = argument.getOwner()->getParentOp();
    const unsigned index = argument.getArgNumber();
    if (isa<KernelOp>(parent))
      return;
    result.add(Cause::Loop);
    if (auto loop = dyn_cast<scf::ForOp>(parent)) {
      visit({loop.getLowerBound(), loop.getUpperBound(), loop.getStep()});
      if (index >= loop.getNumInductionVars())
        visit(
            {loop.getTiedLoopInit(argument)->get(), loop.getTiedLoopYieldedValue(argument)->get()});
    } else if (auto loop = dyn_cast<scf::WhileOp>(parent)) {
      if (argument.getOwner() == loop.getBeforeBody())
        visit({loop.getInits()[index], loop.getYieldOp().getOperand(index)});
      else
        visit({loop.getConditionOp().getCondition(), loop.getConditionOp().getArgs()[index]});
    } else {
      visit(parent->getOperands());
      visit(argument.getOwner()->getTerminator()->getOperands());
    }
  }

  void ofResult(OpResult value) {
    Operation *op = value.getOwner();
    const unsigned index = value.getResultNumber();
    llvm::TypeSwitch<Operation *>(op)
        .Case([&](LoadOp load) {
          if (bounds::rangeOfConstants(load))
            visit(load.getIndices());
          else if (!isOfParameter(load.getSlice()))
            result.add(Cause::Memory, arrayName(load));
        })
        .Case([&](AtomicOp atomic) { result.add(Cause::Memory, arrayName(atomic)); })
        .Case([&](CallOp call) { result.add(Cause::Call, writtenCallee(call)); })
        .Case([&](IntrinsicOp intrinsic) {
          const auto &row = intrinsic.getRow();
          if (intrinsic->getNumOperands() == 0)
            return; // ids and sizes
          if (row.name.starts_with("gpu."))
            result.add(Cause::Intrinsic, row.name);
          visit(op->getOperands());
        })
        .Case([&](IsAlignedOp) { result.add(Cause::Address); })
        .Case<FloatToIntOp, arith::FPToSIOp, arith::FPToUIOp>(
            [&](auto) { result.add(Cause::Float); })
        .Case([&](ExtentOp extent) {
          if (extent.getSlice().getDefiningOp<SharedDynOp>())
            result.add(Cause::LaunchMemory);
          else if (!mir::fixedExtent(extent.getSlice(), extent.getAxis()))
            visit(extent.getSlice());
        })
        .Case([&](RowOp row) { visit(row.getSlice()); }) // only extents get here
        .Case([&](scf::IfOp choice) {
          visit({choice.getCondition(), choice.thenYield().getOperand(index),
                 choice.elseYield().getOperand(index)});
        })
        .Case([&](scf::ForOp loop) { visit(loop.getRegionIterArg(index)); })
        .Case([&](scf::WhileOp loop) {
          visit({loop.getConditionOp().getCondition(), loop.getConditionOp().getArgs()[index]});
        })
        .Default([&](Operation *) {
          visit(op->getOperands());
          for (Region &region : op->getRegions())
            if (!region.empty())
              visit(region.front().getTerminator()->getOperands());
        });
  }

  Dependency result;
  llvm::SetVector<Value> values;
};

/// What memory a guard around the check compares with what the check is about, as `i < a[0]` does
/// for the check of b[i].
Dependency guardOf(const LeftCheck &check, const Dependencies &of) {
  llvm::SetVector<Value> parts;
  for (Operation *op = check.op; !isa<KernelOp>(op); op = op->getParentOp())
    if (auto choice = dyn_cast<scf::IfOp>(op); choice && op != check.op)
      parts.insert(choice.getCondition());
  for (size_t i = 0; i < parts.size(); ++i) {
    Operation *op = parts[i].getDefiningOp();
    auto compare = dyn_cast_or_null<arith::CmpIOp>(op);
    if (isa_and_nonnull<arith::AndIOp, arith::OrIOp, arith::XOrIOp>(op))
      parts.insert(op->operand_begin(), op->operand_end());
    if (!compare)
      continue;
    const Dependencies left(compare.getLhs()), right(compare.getRhs());
    for (auto [own, other] : {std::pair(&left, &right), std::pair(&right, &left)})
      if (other->found().cause == Cause::Memory && own->found().cause != Cause::Memory &&
          own->shareValue(of))
        return other->found();
  }
  return {};
}

std::string reasonOf(KernelOp kernel, const LeftCheck &check) {
  if (check.isTooLong)
    return "the launch contract would be too long";
  if (check.isOff)
    return "launch contracts are off";
  const Dependencies dependencies(check.condition);
  Dependency dependency = dependencies.found();
  if (dependency.cause < Cause::Float && !check.needs)
    if (const Dependency guard = guardOf(check, dependencies); guard.cause != Cause::Nothing)
      dependency = guard;
  const std::string &name = dependency.name;
  if (check.needs && dependency.cause < Cause::LaunchMemory) {
    abi::Signature signature = kernel.getSignature();
    signature.contract = check.needs;
    const std::vector<std::string> conditions = abi::writeConditions(signature);
    return "no natural launch meets '" + llvm::join(conditions, " and ") + "'";
  }
  switch (dependency.cause) {
  case Cause::LaunchMemory:
    return "depends on the shared memory of the launch";
  case Cause::Memory:
    return "depends on memory" + (name.empty() ? "" : ": '" + name + "'");
  case Cause::Call:
    return "depends on the result of '" + name + "', which is not inlined";
  case Cause::Intrinsic:
    return "depends on the result of '" + name + "'";
  case Cause::Address:
    return "depends on the address of the memory";
  case Cause::Float:
    return "depends on a number that is converted from a float";
  case Cause::Loop:
    return "depends on a variable of a loop whose bounds are not found";
  case Cause::Nothing:
    return "its bounds are not found";
  }
  llvm_unreachable("every cause is above");
}

/// "index-out-of-bounds of 'a'".
std::string titleOf(Operation *op) {
  CheckOp check = dyn_cast<CheckOp>(op);
  if (!check)
    op->walk([&](CheckOp inner) { check = inner; });
  std::string title = std::string(toString(check.getKind()));
  if (StringRef subject = check.getSubject().value_or(""); !subject.empty())
    title += " of " + abi::quotedSubject(subject);
  return title;
}

} // namespace

static constexpr StringRef reportAttr = "spl.check_report";

void reportChecks(KernelOp kernel, size_t proved, size_t lifted, ArrayRef<LeftCheck> left) {
  Builder builder(kernel.getContext());
  SmallVector<Attribute> checks;
  for (const LeftCheck &check : left)
    checks.push_back(builder.getArrayAttr({LocationAttr(check.op->getLoc()),
                                           builder.getStringAttr(titleOf(check.op)),
                                           builder.getStringAttr(reasonOf(kernel, check))}));
  kernel->setAttr(reportAttr, builder.getArrayAttr({builder.getIndexAttr(int64_t(proved)),
                                                    builder.getIndexAttr(int64_t(lifted)),
                                                    builder.getArrayAttr(checks)}));
}

static abi::LeftCheck readLeft(Attribute attribute) {
  const auto parts = cast<ArrayAttr>(attribute);
  abi::LeftCheck left;
  if (auto place = Location(cast<LocationAttr>(parts[0]))->findInstanceOf<FileLineColLoc>()) {
    left.file = place.getFilename().str();
    left.line = place.getLine();
    left.column = place.getColumn();
  }
  left.check = cast<StringAttr>(parts[1]).str();
  left.reason = cast<StringAttr>(parts[2]).str();
  return left;
}

std::vector<abi::CheckReport> takeCheckReports(ModuleOp module) {
  std::vector<abi::CheckReport> reports;
  for (KernelOp kernel : module.getOps<KernelOp>())
    if (const auto parts = dyn_cast_or_null<ArrayAttr>(kernel->removeAttr(reportAttr))) {
      abi::CheckReport &report = reports.emplace_back();
      report.kernel = writtenName(kernel).str();
      report.proved = cast<IntegerAttr>(parts[0]).getInt();
      report.lifted = cast<IntegerAttr>(parts[1]).getInt();
      for (Attribute check : cast<ArrayAttr>(parts[2]))
        report.left.push_back(readLeft(check));
    }
  return reports;
}

} // namespace spl::mir
