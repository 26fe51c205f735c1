// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/fission/SideBySide.h"
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/GroupSize.h"
#include "mir/transforms/Forwarding.h"
#include "mir/transforms/Uniformity.h"
#include "mir/transforms/fission/BarrierFission.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "spl/abi/Limits.h"
#include "spl/abi/SideBySide.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Sync;

//===-- What runs side by side --===//

/// The bytes of an array in shared memory, or nothing for one whose elements are not numbers.
/// Arrays begin at multiples of 16 bytes.
static std::optional<int64_t> bytesOf(SharedOp array) {
  const Type element = array.getType().getElement();
  if (!isPlain(element) || isa<VectorType>(element))
    return std::nullopt;
  int64_t bytes = std::max(1u, element.getIntOrFloatBitWidth() / 8);
  for (int64_t extent : array.getExtents())
    if (llvm::MulOverflow(bytes, extent, bytes))
      return std::nullopt;
  return llvm::alignTo(bytes, 16);
}

/// Whether an index can be added to each access to the slice of shared memory, or to a row of it.
static bool canHaveAxis(Value slice) {
  return cast<SliceType>(slice.getType()).getRank() < 4 &&
         llvm::all_of(
             slice.getUsers(),
             [](Operation *user) {
               return isa<LoadOp, StoreOp, AtomicOp, ExtentOp>(user) ||
                      (isa<RowOp, ReadOnlyOp>(user) && canHaveAxis(user->getResult(0)));
             });
}

/// Whether a loop with the atomic may wait for another group. That one would wait at the barrier
/// behind the loop. A loop over a range can wait too, for a number of iterations.
static bool mayWait(AtomicOp atomic) {
  if (atomic->getParentOfType<scf::WhileOp>())
    return true;
  return atomic->getParentOfType<LoopLikeOpInterface>() && atomic.getResult() &&
         !atomic.getResult().use_empty() &&
         !isa_and_present<SharedOp>(rootOf(atomic.getSlice()).getDefiningOp());
}

/// Whether the operation does the same for each of several groups side by side as for one.
static bool fits(Operation *op) {
  if (isa<CallOp, TraceOp, PrintOp, SharedDynOp>(op))
    return false;
  if (auto atomic = dyn_cast<AtomicOp>(op))
    return !mayWait(atomic);
  if (auto array = dyn_cast<SharedOp>(op))
    return bytesOf(array) && canHaveAxis(array.getResult());
  auto intrinsic = dyn_cast<IntrinsicOp>(op);
  if (!intrinsic)
    return true;
  switch (intrinsic.getRow().id) {
  case Id::Uniform: // in each group, but not in several
  case Id::LaneId:
  case Id::WarpId:
  case Id::WarpLanes:
  case Id::GridBarrier:
    return false;
  default:
    return intrinsic.getRow().sync != Sync::Warp;
  }
}

/// The most work-items of a group that is faster beside other groups than alone, or 0. In a kernel
/// that meets few barriers, it is better that the elements of one group are adjacent than those of
/// several groups. A second body for groups of any size is then not worth its compile time.
static int64_t smallGroup(KernelOp kernel, bool isFixed) {
  constexpr int64_t ifInLoop = spl::abi::maxSmallGroup, otherwise = 8;
  int64_t items = 0;
  kernel.walk([&](IntrinsicOp op) {
    if (op.getRow().sync != Sync::Group)
      return;
    if (op->getParentOfType<LoopLikeOpInterface>())
      items = ifInLoop;
    else if (isFixed && op.getRow().id != Id::Barrier)
      items = std::max(items, otherwise);
  });
  return items;
}

/// What can run side by side; no groups if none can.
static SideBySide limitsOf(KernelOp kernel) {
  constexpr int64_t least = 4;
  constexpr int64_t maxBytes = 32 << 10; // of the first cache
  // The kernel also has the arrays of the body for one group.
  static_assert(maxBytes + maxBytes / least <= int64_t(spl::abi::maxSharedBytes));
  const auto size = fixedGroupSize(kernel.getSignature());
  const int64_t items = smallGroup(kernel, size.has_value());
  if (size && ((*size)[0] * (*size)[1] > items || (*size)[2] != 1))
    return {};
  llvm::StringMap<int64_t> arrays;
  const bool all = !kernel
                        ->walk([&](Operation *op) {
                          if (!fits(op))
                            return WalkResult::interrupt();
                          if (auto array = dyn_cast<SharedOp>(op))
                            arrays[array.getName()] = *bytesOf(array);
                          return WalkResult::advance();
                        })
                        .wasInterrupted();
  int64_t bytes = 0;
  for (const auto &array : arrays)
    bytes = llvm::SaturatingAdd<uint64_t>(bytes, array.second);
  int64_t groups = spl::abi::maxSideBySide;
  while (groups >= least && bytes > maxBytes / groups)
    groups /= 2;
  return all && items != 0 && groups >= least ? SideBySide{groups, items} : SideBySide();
}

std::optional<SideBySide> spl::mir::sideBySide(KernelOp kernel) {
  auto limits = kernel->getAttrOfType<DenseI64ArrayAttr>(SplDialect::sideBySideAttr);
  return limits ? std::optional(SideBySide{limits[0], limits[1]}) : std::nullopt;
}

//===-- The copy --===//

static IntrinsicOp localId(OpBuilder &builder, Location loc, int64_t axis) {
  return IntrinsicOp::create(builder, loc, builder.getI64Type(),
                             spl::intrinsics::row(Id::LocalId).name, ValueRange(),
                             builder.getI64IntegerAttr(axis), false);
}

/// Adds an axis to the slice, with the number of the group as the index.
static void addAxis(Value slice, Value group) {
  auto type = cast<SliceType>(slice.getType());
  slice.setType(
      SliceType::get(type.getContext(), type.getElement(), type.getIsMut(), type.getRank() + 1));
  for (Operation *user : llvm::make_early_inc_range(slice.getUsers())) {
    if (auto load = dyn_cast<LoadOp>(user))
      load.getIndicesMutable().append(group);
    else if (auto store = dyn_cast<StoreOp>(user))
      store.getIndicesMutable().append(group);
    else if (auto atomic = dyn_cast<AtomicOp>(user))
      atomic.getIndicesMutable().append(group);
    else if (!isa<ExtentOp>(user))
      addAxis(user->getResult(0), group);
  }
}

/// Numbers the work-items of several groups.
static void renumber(KernelOp kernel, int64_t groups) {
  OpBuilder builder = OpBuilder::atBlockBegin(&kernel.getBody().front());
  SmallVector<IntrinsicOp> localIds, groupIds;
  SmallVector<SharedOp> arrays;
  kernel.walk([&](Operation *op) {
    if (auto array = dyn_cast<SharedOp>(op))
      arrays.push_back(array);
    auto intrinsic = dyn_cast<IntrinsicOp>(op);
    if (!intrinsic)
      return;
    const Id id = intrinsic.getRow().id;
    if (id == Id::LocalId)
      localIds.push_back(intrinsic);
    else if (id == Id::GroupId && *intrinsic.getAxis() == 0)
      groupIds.push_back(intrinsic);
  });
  Value number = localId(builder, kernel.getLoc(), 0).getResult();
  for (IntrinsicOp op : localIds) {
    builder.setInsertionPoint(op);
    const int64_t axis = *op.getAxis();
    Value id =
        axis == 2
            ? Value(arith::ConstantOp::create(builder, op.getLoc(), builder.getI64IntegerAttr(0)))
            : localId(builder, op.getLoc(), axis + 1).getResult();
    op.getResult().replaceAllUsesWith(id);
    op.erase();
  }
  for (IntrinsicOp op : groupIds) {
    builder.setInsertionPointAfter(op);
    auto id =
        arith::AddIOp::create(builder, op.getLoc(), op.getResult(), number,
                              arith::IntegerOverflowFlags::nsw | arith::IntegerOverflowFlags::nuw);
    op.getResult().replaceAllUsesExcept(id, id);
  }
  for (SharedOp array : arrays) {
    SmallVector<int64_t> extents(array.getExtents());
    extents.push_back(groups);
    array.setExtents(extents);
    array.setName((array.getName() + ".groups").str());
    addAxis(array.getResult(), number);
  }
}

OwningOpRef<KernelOp> spl::mir::copyForSideBySide(KernelOp kernel) {
  const SideBySide limits = limitsOf(kernel);
  if (limits.groups == 0)
    return nullptr;
  OwningOpRef<KernelOp> copy = cast<KernelOp>(kernel->clone());
  renumber(*copy, limits.groups);
  const Uniformity uniformity(*copy, UniformIn::Grid);
  const bool areTogether =
      !copy->walk([&](IntrinsicOp op) {
             return op.getRow().sync == Sync::Group && uniformity.divergentBranch(op)
                        ? WalkResult::interrupt()
                        : WalkResult::advance();
           })
           .wasInterrupted();
  if (!areTogether)
    return nullptr;
  (*copy)->setAttr(SplDialect::sideBySideAttr,
                   OpBuilder(kernel).getDenseI64ArrayAttr({limits.groups, limits.items}));
  return copy;
}

//===-- Both bodies --===//

void spl::mir::addSideBySide(KernelOp kernel, OwningOpRef<KernelOp> copy) {
  Block &body = kernel.getBody().front(), &other = copy->getBody().front();
  kernel->setAttr(SplDialect::sideBySideAttr, (*copy)->getAttr(SplDialect::sideBySideAttr));
  for (auto [mine, its] : llvm::zip(body.getArguments(), other.getArguments()))
    its.replaceAllUsesWith(mine);
  OpBuilder builder(body.getTerminator());
  Location loc = kernel.getLoc();
  Operation *last = body.getTerminator()->getPrevNode();
  Value groups = sideBySideCount(builder, loc);
  Value one = arith::ConstantOp::create(builder, loc, builder.getI64IntegerAttr(1));
  Value isOne = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, groups, one);
  auto branch = scf::IfOp::create(builder, loc, isOne, /*withElseRegion=*/true);
  Block &then = *branch.thenBlock(), &otherwise = *branch.elseBlock();
  then.getOperations().splice(then.begin(), body.getOperations(), body.begin(),
                              std::next(last->getIterator()));
  otherwise.getOperations().splice(otherwise.begin(), other.getOperations(), other.begin(),
                                   other.getTerminator()->getIterator());
}

Value spl::mir::sideBySideCount(OpBuilder &builder, Location loc) {
  auto size = IntrinsicOp::create(builder, loc, builder.getI64Type(),
                                  spl::intrinsics::row(Id::LocalSize).name, ValueRange(),
                                  builder.getI64IntegerAttr(0));
  size->setAttr(SplDialect::ungroupedAttr, builder.getUnitAttr());
  return size.getResult();
}
