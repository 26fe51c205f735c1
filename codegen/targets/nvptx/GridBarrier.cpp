// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/GridBarrier.h"
#include "spl/grid_counter.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace spl::codegen {

static constexpr llvm::StringLiteral barrierName = "spl.grid_barrier";

static std::string hex(uint32_t number) { return "0x" + llvm::utohexstr(number); }

/// The whole barrier, as one statement: LLVM must not move anything into it. The address of the
/// counter is $0. The algorithm is that of CUDA's cooperative groups. In addition, groups end after
/// a failure.
///
/// - The first barrier orders what the group has done before what its first work-item does. The
///   acq_rel of the addition makes that visible to the device, and the acquire of the last load
///   makes what the other groups have done visible. The last barrier makes both hold for the group.
/// - The last barrier is not `.aligned`: the first work-item reaches it on another path than the
///   others of its warp.
/// - A work-item continues if `go` is true: the first work-item of the group has seen the flip, and
///   no failure. If the first work-item has failed, `go` stays false, and the group ends.
static std::string barrierText() {
  const std::string flip = hex(SPL_GRID_FLIP), arrival = hex(SPL_GRID_ARRIVAL),
                    stop = hex(SPL_GRID_STOP);
  return "{ // gpu.grid_barrier\n"
         "\t.reg .pred grid_is_first, grid_go, grid_wait, grid_is_zero;\n"
         "\t.reg .b32 grid_x, grid_y, grid_z, grid_add, grid_old, grid_now;\n"
         "\tbarrier.sync 0;\n"
         "\tmov.u32 grid_x, %tid.x;\n"
         "\tmov.u32 grid_y, %tid.y;\n"
         "\tmov.u32 grid_z, %tid.z;\n"
         "\tor.b32 grid_x, grid_x, grid_y;\n"
         "\tor.b32 grid_x, grid_x, grid_z;\n"
         "\tsetp.eq.u32 grid_is_first, grid_x, 0;\n"
         "\tsetp.ne.u32 grid_go, grid_x, grid_x;\n"
         "\t@!grid_is_first bra grid_meet;\n"
         // The first group adds FLIP - ARRIVAL * (groups - 1), each other one ARRIVAL.
         "\tmov.u32 grid_x, %nctaid.x;\n"
         "\tmov.u32 grid_y, %nctaid.y;\n"
         "\tmov.u32 grid_z, %nctaid.z;\n"
         "\tmul.lo.u32 grid_add, grid_x, grid_y;\n"
         "\tmul.lo.u32 grid_add, grid_add, grid_z;\n"
         "\tsub.u32 grid_add, grid_add, 1;\n"
         "\tmul.lo.u32 grid_add, grid_add, " +
         arrival +
         ";\n"
         "\tsub.u32 grid_add, " +
         flip +
         ", grid_add;\n"
         "\tmov.u32 grid_x, %ctaid.x;\n"
         "\tmov.u32 grid_y, %ctaid.y;\n"
         "\tmov.u32 grid_z, %ctaid.z;\n"
         "\tor.b32 grid_x, grid_x, grid_y;\n"
         "\tor.b32 grid_x, grid_x, grid_z;\n"
         "\tsetp.eq.u32 grid_is_zero, grid_x, 0;\n"
         "\tselp.b32 grid_add, grid_add, " +
         arrival +
         ", grid_is_zero;\n"
         "\tatom.global.acq_rel.gpu.add.u32 grid_old, [$0], grid_add;\n"
         "grid_spin:\n"
         "\tld.global.acquire.gpu.u32 grid_now, [$0];\n"
         "\tand.b32 grid_x, grid_now, " +
         stop +
         ";\n"
         "\tsetp.eq.u32 grid_go, grid_x, 0;\n"
         "\txor.b32 grid_y, grid_now, grid_old;\n"
         "\tsetp.lt.u32 grid_wait, grid_y, " +
         flip +
         ";\n"
         "\tand.pred grid_wait, grid_wait, grid_go;\n"
         "\t@grid_wait bra grid_spin;\n"
         "grid_meet:\n"
         "\tbarrier.red.or.pred grid_go, 0, grid_go;\n"
         "\t@!grid_go exit;\n"
         "}";
}

void emitGridBarrier(mir::IntrinsicOp op, OpBuilder &builder, Lowering &lowering) {
  auto kernel = op->getParentOfType<LLVM::LLVMFuncOp>();
  Value counter = kernel.getArguments().take_back(2).front();
  LLVM::LLVMFuncOp barrier = lowering.declare(
      builder, barrierName, LLVM::LLVMVoidType::get(builder.getContext()), {counter.getType()});
  LLVM::CallOp::create(builder, op.getLoc(), barrier, counter);
}

void expandGridBarriers(llvm::Module &module) {
  llvm::Function *barrier = module.getFunction(barrierName);
  if (!barrier)
    return;
  auto *text = llvm::InlineAsm::get(barrier->getFunctionType(), barrierText(), "l,~{memory}",
                                    /*hasSideEffects=*/true);
  for (llvm::User *user : llvm::make_early_inc_range(barrier->users())) {
    auto *call = llvm::cast<llvm::CallInst>(user);
    call->setCalledOperand(text);
    call->setConvergent();
    call->setDoesNotThrow();
  }
  barrier->eraseFromParent();
}

} // namespace spl::codegen
