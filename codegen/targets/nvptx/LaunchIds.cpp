// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/LaunchIds.h"
#include "mir/dialect/SmallSizes.h"
#include "spl/abi/Limits.h"
#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/ConstantRange.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"
#include <array>
#include <optional>

using namespace llvm;
using namespace llvm::PatternMatch;

namespace spl::codegen {
namespace {

/// The special registers of x, y and z.
using Registers = std::array<Intrinsic::ID, 3>;
constexpr Registers localIds{Intrinsic::nvvm_read_ptx_sreg_tid_x,
                             Intrinsic::nvvm_read_ptx_sreg_tid_y,
                             Intrinsic::nvvm_read_ptx_sreg_tid_z};
constexpr Registers localSizes{Intrinsic::nvvm_read_ptx_sreg_ntid_x,
                               Intrinsic::nvvm_read_ptx_sreg_ntid_y,
                               Intrinsic::nvvm_read_ptx_sreg_ntid_z};
constexpr Registers groupIds{Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
                             Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                             Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
constexpr Registers groupCounts{Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
                                Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
                                Intrinsic::nvvm_read_ptx_sreg_nctaid_z};

/// The axis of the register that the value is, or nothing if it is none of these registers.
std::optional<size_t> axisOf(const Value *value, const Registers &registers) {
  const auto *read = dyn_cast<IntrinsicInst>(value);
  const auto *found = read ? find(registers, read->getIntrinsicID()) : registers.end();
  return found != registers.end() ? std::optional(found - registers.begin()) : std::nullopt;
}

/// The fixed group size of a kernel, or nothing.
std::optional<std::array<int64_t, 3>> groupSizeOf(const Function &kernel) {
  SmallVector<StringRef> extents;
  kernel.getFnAttribute("nvvm.reqntid").getValueAsString().split(extents, ',');
  std::array<int64_t, 3> size;
  if (extents.size() != size.size())
    return std::nullopt;
  for (auto [extent, text] : zip(size, extents))
    if (text.getAsInteger(10, extent))
      return std::nullopt;
  return size;
}

void bound(IntrinsicInst &read, int64_t least, int64_t most) {
  read.addRangeRetAttr(ConstantRange(APInt(32, least), APInt(32, most + 1)));
}

/// Whether the values are the number of groups or a group id, and the group size along the same
/// axis.
bool areGroupsAndSize(const Value *groups, const Value *size) {
  const std::optional<size_t> axis = axisOf(size, localSizes);
  return axis && (axisOf(groups, groupIds) == axis || axisOf(groups, groupCounts) == axis);
}

/// The global size or the first global id of the group, as a product of 32 bits; or null.
Value *productFor(Instruction &instruction, IRBuilder<> &builder) {
  Value *groups, *size;
  if (!match(&instruction, m_c_Mul(m_ZExt(m_Value(groups)), m_ZExt(m_Value(size)))) ||
      (!areGroupsAndSize(groups, size) && !areGroupsAndSize(size, groups)))
    return nullptr;
  // LLVM moves the extension of a product without wrap to its factors. ptxas then does not know
  // that the high half of a global size is 0, which is the step of many loops.
  const bool hasFlags = axisOf(groups, groupIds) || axisOf(size, groupIds);
  return builder.CreateMul(groups, size, "", /*HasNUW=*/hasFlags, /*HasNSW=*/hasFlags);
}

/// The global id as a sum of 32 bits, or null. The first summand was narrowed by productFor.
Value *sumFor(Instruction &instruction, IRBuilder<> &builder) {
  Value *first, *id, *groups, *size;
  if (!match(&instruction,
             m_c_Add(m_ZExt(m_CombineAnd(m_Value(first), m_Mul(m_Value(groups), m_Value(size)))),
                     m_ZExt(m_Value(id)))))
    return nullptr;
  if (!areGroupsAndSize(groups, size))
    std::swap(groups, size);
  const std::optional<size_t> axis = axisOf(groups, groupIds);
  if (!axis || !areGroupsAndSize(groups, size) || axisOf(id, localIds) != axis)
    return nullptr;
  return builder.CreateAdd(first, id, "", /*HasNUW=*/true, /*HasNSW=*/true);
}

} // namespace

void boundIds(Module &module) {
  for (Function &function : module) {
    const std::optional<std::array<int64_t, 3>> size = groupSizeOf(function);
    if (!size)
      continue;
    const bool hasSmallSizes = function.hasFnAttribute(smallSizesAttr);
    for (Instruction &instruction : instructions(function)) {
      auto *read = dyn_cast<IntrinsicInst>(&instruction);
      if (!read)
        continue;
      if (const std::optional axis = axisOf(read, localIds))
        bound(*read, 0, (*size)[*axis] - 1);
      if (!hasSmallSizes)
        continue;
      const auto mostGroups = [&](size_t axis) {
        return std::min(mir::maxSmallSize / (*size)[axis], abi::maxGroups[axis]);
      };
      if (const std::optional axis = axisOf(read, groupIds))
        bound(*read, 0, mostGroups(*axis) - 1);
      else if (const std::optional axis = axisOf(read, groupCounts))
        bound(*read, 1, mostGroups(*axis));
    }
  }
}

void narrowGlobalIds(Function &kernel) {
  for (BasicBlock *block : ReversePostOrderTraversal<Function *>(&kernel))
    for (Instruction &instruction : make_early_inc_range(*block)) {
      IRBuilder<> builder(&instruction);
      Value *narrow = productFor(instruction, builder);
      if (!narrow)
        narrow = sumFor(instruction, builder);
      if (!narrow)
        continue;
      instruction.replaceAllUsesWith(
          builder.CreateZExt(narrow, instruction.getType(), "", /*IsNonNeg=*/true));
      instruction.eraseFromParent();
    }
}

} // namespace spl::codegen
