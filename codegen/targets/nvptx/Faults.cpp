// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Faults.h"
#include "codegen/Parts.h"
#include "codegen/lower/Printing.h"
#include "codegen/targets/nvptx/AddressSpaces.h"
#include "spl/fault_record.h"
#include "spl/grid_counter.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include <cstddef>
#include <iterator>
#include <vector>

namespace spl::codegen {

static constexpr llvm::StringLiteral faultName = "spl.fault";
static constexpr llvm::StringLiteral messagePrefix = "spl.message.";

/// Of a check: the number of its site. Of a message: the number of its text, plus one.
static constexpr llvm::StringLiteral siteAttr = "spl.site";

//===-- From MIR to calls --===//

mlir::Value NvptxFaults::recordOf(mlir::Operation *op) {
  return op->getParentOfType<mlir::LLVM::LLVMFuncOp>().getArguments().back();
}

static mlir::Value constant(mlir::OpBuilder &builder, mlir::Location loc, mlir::IntegerAttr value) {
  return mlir::LLVM::ConstantOp::create(builder, loc, value);
}

static FaultSite siteOf(mir::CheckOp op) {
  FaultSite site;
  site.kind = uint32_t(op.getKind());
  site.isValueUnsigned = op.getIsUnsigned();
  site.subject = op.getSubject().value_or("");
  if (mlir::FileLineColLoc line = sourceLine(op.getLoc())) {
    site.line = line.getLine();
    site.column = line.getColumn();
    site.file = line.getFilename().getValue();
  }
  return site;
}

/// The text of a message in the table.
static std::string textOf(mir::PrintOp message) {
  return formatForHost(message, std::size(spl_fault_record{}.values));
}

void numberFaults(mlir::ModuleOp module, FaultSites &sites) {
  llvm::SmallVector<mlir::Operation *> definitions;
  for (mlir::Operation &op : *module.getBody())
    definitions.push_back(&op);
  std::vector<std::vector<mlir::Operation *>> found(definitions.size());
  walkInParallel(definitions, [&](size_t number, mlir::Operation *op) {
    auto print = llvm::dyn_cast<mir::PrintOp>(op);
    if (llvm::isa<mir::CheckOp>(op) || (print && print.getIsMessage()))
      found[number].push_back(op);
  });
  mlir::Builder builder(module.getContext());
  for (const std::vector<mlir::Operation *> &ops : found)
    for (mlir::Operation *op : ops) {
      auto check = llvm::dyn_cast<mir::CheckOp>(op);
      const uint32_t site = check ? sites.add(siteOf(check))
                                  : sites.addText(textOf(llvm::cast<mir::PrintOp>(op))) + 1;
      op->setAttr(siteAttr, builder.getI32IntegerAttr(int32_t(site)));
    }
}

// spl.fault(record, site, value, bound, claimed)
void NvptxFaults::emit(mir::CheckOp op, mlir::ValueRange details, mlir::OpBuilder &builder) {
  mlir::Location loc = op.getLoc();
  mlir::Value isClaimed;
  if (op.getKind() == mir::FaultKind::AssertionFailed && op.getSubject().value_or("").empty())
    isClaimed = claimed.lookup(op->getBlock()->getSinglePredecessor());
  llvm::SmallVector<mlir::Value> arguments{
      recordOf(op), constant(builder, loc, op->getAttrOfType<mlir::IntegerAttr>(siteAttr))};
  llvm::append_range(arguments, details);
  while (arguments.size() < 4) // details that this kind of fault does not have
    arguments.push_back(i64Constant(builder, loc, 0));
  arguments.push_back(isClaimed ? isClaimed : constant(builder, loc, builder.getBoolAttr(false)));
  mlir::Type i64 = lowering.i64();
  mlir::LLVM::LLVMFuncOp report = lowering.declare(
      builder, faultName, mlir::LLVM::LLVMVoidType::get(builder.getContext()),
      {lowering.pointer(globalMemory), builder.getI32Type(), i64, i64, builder.getI1Type()});
  mlir::LLVM::CallOp::create(builder, loc, report, arguments);
}

// claimed = spl.message.N(record, message, N values)
void NvptxFaults::emitMessage(mir::PrintOp op, mlir::ValueRange values, mlir::OpBuilder &builder) {
  mlir::Location loc = op.getLoc();
  llvm::SmallVector<mlir::Value> arguments{
      recordOf(op), constant(builder, loc, op->getAttrOfType<mlir::IntegerAttr>(siteAttr))};
  for (mlir::Value value : values.take_front(std::size(spl_fault_record{}.values)))
    arguments.push_back(printedBits(value, loc, builder));
  std::string name = (messagePrefix + llvm::Twine(arguments.size() - 2)).str();
  llvm::SmallVector<mlir::Type> types =
      llvm::map_to_vector(arguments, [](mlir::Value value) { return value.getType(); });
  mlir::LLVM::LLVMFuncOp message = lowering.declare(builder, name, builder.getI1Type(), types);
  claimed[builder.getInsertionBlock()] =
      mlir::LLVM::CallOp::create(builder, loc, message, arguments).getResult();
}

//===-- From calls to code --===//

using namespace llvm;

static SmallVector<Function *> messagesOf(Module &module) {
  SmallVector<Function *> messages;
  for (Function &function : module)
    if (function.isDeclaration() && function.getName().starts_with(messagePrefix))
      messages.push_back(&function);
  return messages;
}

void describeFaults(Module &module) {
  auto describe = [](Function &function) {
    function.setDoesNotThrow();
    function.addFnAttr(Attribute::Cold);
    function.setMemoryEffects(MemoryEffects::inaccessibleMemOnly());
  };
  if (Function *report = module.getFunction(faultName)) {
    describe(*report);
    report->setDoesNotReturn();
  }
  for (Function *message : messagesOf(module))
    describe(*message);
}

namespace {

/// Writes the fields of a record, by their names in FaultRecord.def.
class RecordWriter {
public:
  RecordWriter(Value *record, IRBuilder<> &builder) : record(record), builder(builder) {}

  Value *field(size_t offset) {
    return builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), record, offset);
  }
  void store(Value *value, size_t offset) {
    const Align align(offset % 8 == 0 && value->getType()->isIntegerTy(64) ? 8 : 4);
    builder.CreateAlignedStore(value, field(offset), align);
  }
  /// Three words, of three special registers.
  void storeTriple(Intrinsic::ID x, Intrinsic::ID y, Intrinsic::ID z, size_t offset) {
    for (Intrinsic::ID id : {x, y, z}) {
      store(builder.CreateIntrinsic(builder.getInt32Ty(), id, {}), offset);
      offset += sizeof(uint32_t);
    }
  }
  /// Whether this work-item is the first one to claim the record. The scope of the device is
  /// enough, because the host reads the record after it is sealed. Atomics of the system's scope
  /// are not available on every host.
  Value *claim() {
    LLVMContext &context = builder.getContext();
    Value *pair = builder.CreateAtomicCmpXchg(field(offsetof(spl_fault_record, claimed)),
                                              builder.getInt32(0), builder.getInt32(1), Align(4),
                                              AtomicOrdering::Monotonic, AtomicOrdering::Monotonic,
                                              context.getOrInsertSyncScopeID("device"));
    return builder.CreateExtractValue(pair, 1);
  }
  /// Sets the stop bit of the launch's counter, if it has one, in the block \p stop. Goes on in
  /// \p next.
  void stopGridBarrier(BasicBlock *stop, BasicBlock *next) {
    Value *address = builder.CreateAlignedLoad(
        builder.getInt64Ty(), field(offsetof(spl_fault_record, counter)), Align(8));
    builder.CreateCondBr(builder.CreateIsNull(address), next, stop);
    builder.SetInsertPoint(stop);
    Value *counter = builder.CreateIntToPtr(address, record->getType());
    builder.CreateAtomicRMW(AtomicRMWInst::Or, counter, builder.getInt32(SPL_GRID_STOP), Align(4),
                            AtomicOrdering::Monotonic,
                            builder.getContext().getOrInsertSyncScopeID("device"));
    builder.CreateBr(next);
    builder.SetInsertPoint(next);
  }
  void seal() {
    StoreInst *store = builder.CreateAlignedStore(
        builder.getInt32(SPL_FAULT_SEAL), field(offsetof(spl_fault_record, seal)), Align(4));
    store->setAtomic(AtomicOrdering::Release);
  }

private:
  Value *record;
  IRBuilder<> &builder;
};

/// Replaces all calls of spl.fault in one function by branches to one block, which fills the
/// record.
class FaultBlock {
public:
  FaultBlock(ArrayRef<CallInst *> calls, bool stopsGridBarriers)
      : calls(calls), stopsGridBarriers(stopsGridBarriers), function(*calls.front()->getFunction()),
        start(BasicBlock::Create(function.getContext(), "fault", &function)), builder(start) {}

  void build() {
    keepBlocks();
    Value *record = argument(0), *site = argument(1), *value = argument(2), *bound = argument(3),
          *claimed = argument(4);
    branchHere();

    BasicBlock *test = block("fault.test"), *claim = block("fault.claim"),
               *write = block("fault.write"), *end = block("fault.end"),
               *trap = block("fault.trap");
    RecordWriter writer(record, builder);
    builder.CreateCondBr(builder.CreateIsNull(record), trap, test);

    builder.SetInsertPoint(test);
    if (isa<Constant>(claimed)) // false: no assertion has a message with values
      builder.CreateBr(claim);
    else
      builder.CreateCondBr(claimed, write, claim);

    builder.SetInsertPoint(claim);
    builder.CreateCondBr(writer.claim(), write, end);

    builder.SetInsertPoint(write);
    writer.store(site, offsetof(spl_fault_record, site));
    writer.store(value, offsetof(spl_fault_record, value));
    writer.store(bound, offsetof(spl_fault_record, bound));
    writer.storeTriple(Intrinsic::nvvm_read_ptx_sreg_tid_x, Intrinsic::nvvm_read_ptx_sreg_tid_y,
                       Intrinsic::nvvm_read_ptx_sreg_tid_z, offsetof(spl_fault_record, localId));
    writer.storeTriple(Intrinsic::nvvm_read_ptx_sreg_ctaid_x, Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
                       Intrinsic::nvvm_read_ptx_sreg_ctaid_z, offsetof(spl_fault_record, groupId));
    writer.seal();
    builder.CreateBr(end);

    builder.SetInsertPoint(end);
    if (stopsGridBarriers)
      writer.stopGridBarrier(block("fault.stop"), block("fault.exit"));
    exit();

    builder.SetInsertPoint(trap);
    builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::debugtrap, {}); // `brkpt`
    exit();
  }

private:
  /// Ends the work-item. LLVM emits `exit` for `unreachable` only in old versions of PTX.
  void exit() {
    builder.CreateIntrinsic(builder.getVoidTy(), Intrinsic::nvvm_exit, {});
    builder.CreateUnreachable();
  }
  BasicBlock *block(const char *name) {
    return BasicBlock::Create(function.getContext(), name, &function);
  }

  /// Keeps the moves that set up the arguments of the shared block out of the hot path. The number
  /// of the site is opaque to LLVM, so the block of the call does not become empty.
  void keepBlocks() {
    if (calls.size() == 1)
      return;
    auto *move =
        InlineAsm::get(FunctionType::get(builder.getInt32Ty(), {builder.getInt32Ty()}, false),
                       "mov.b32 $0, $1;", "=r,n", /*hasSideEffects=*/true);
    for (CallInst *call : calls)
      if (isa<ConstantInt>(call->getArgOperand(1)))
        call->setArgOperand(1, IRBuilder<>(call).CreateCall(move, call->getArgOperand(1)));
  }

  /// The argument of the call from which control comes.
  Value *argument(unsigned number) {
    Value *first = calls.front()->getArgOperand(number);
    if (all_of(calls, [&](CallInst *call) { return call->getArgOperand(number) == first; }) &&
        !isa<Instruction>(first))
      return first;
    PHINode *phi = builder.CreatePHI(first->getType(), calls.size());
    for (CallInst *call : calls)
      phi->addIncoming(call->getArgOperand(number), call->getParent());
    return phi;
  }

  /// Replaces each call, and the unreachable code after it, by a branch to the block.
  void branchHere() {
    for (CallInst *call : calls) {
      BasicBlock *block = call->getParent();
      while (&block->back() != call) {
        Instruction &last = block->back();
        if (!last.use_empty())
          last.replaceAllUsesWith(PoisonValue::get(last.getType()));
        if (last.isTerminator())
          for (BasicBlock *successor : successors(block))
            successor->removePredecessor(block);
        last.eraseFromParent();
      }
      IRBuilder<>(call).CreateBr(start);
      call->eraseFromParent();
    }
  }

  SmallVector<CallInst *> calls;
  const bool stopsGridBarriers;
  Function &function;
  BasicBlock *start;
  IRBuilder<> builder;
};

} // namespace

/// Claims the record, if it is not null, and writes the message into it.
static void expandMessage(CallInst *call) {
  BasicBlock *before = call->getParent();
  BasicBlock *after = before->splitBasicBlock(call, "message.end");
  auto block = [&](const char *name) {
    return BasicBlock::Create(call->getContext(), name, before->getParent(), after);
  };
  BasicBlock *claim = block("message.claim"), *write = block("message");
  before->getTerminator()->eraseFromParent();
  IRBuilder<> builder(before);
  Value *record = call->getArgOperand(0);
  RecordWriter writer(record, builder);
  builder.CreateCondBr(builder.CreateIsNull(record), after, claim);

  builder.SetInsertPoint(claim);
  builder.CreateCondBr(writer.claim(), write, after);

  builder.SetInsertPoint(write);
  writer.store(call->getArgOperand(1), offsetof(spl_fault_record, message));
  for (unsigned number = 2; number != call->arg_size(); ++number)
    writer.store(call->getArgOperand(number),
                 offsetof(spl_fault_record, values) + (number - 2) * sizeof(uint64_t));
  builder.CreateBr(after);

  builder.SetInsertPoint(call);
  PHINode *claimed = builder.CreatePHI(builder.getInt1Ty(), 3);
  claimed->addIncoming(builder.getFalse(), before);
  claimed->addIncoming(builder.getFalse(), claim);
  claimed->addIncoming(builder.getTrue(), write);
  call->replaceAllUsesWith(claimed);
  call->eraseFromParent();
}

static SmallVector<CallInst *> callsOf(Function &function) {
  SmallVector<CallInst *> calls;
  for (User *user : function.users())
    calls.push_back(cast<CallInst>(user));
  return calls;
}

void expandFaults(Module &module, bool hasGridBarriers) {
  for (Function *message : messagesOf(module)) {
    for (CallInst *call : callsOf(*message))
      expandMessage(call);
    message->eraseFromParent();
  }
  if (Function *report = module.getFunction(faultName)) {
    MapVector<Function *, SmallVector<CallInst *>> byFunction;
    for (CallInst *call : callsOf(*report))
      byFunction[call->getFunction()].push_back(call);
    for (auto &[function, calls] : byFunction)
      FaultBlock(calls, hasGridBarriers).build();
    report->eraseFromParent();
  }
}

void addFaultTable(Module &module, const FaultSites &sites) {
  Constant *data =
      ConstantDataArray::getString(module.getContext(), sites.table(), /*AddNull=*/false);
  auto *table = new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                                   GlobalValue::ExternalLinkage, data, SPL_FAULT_TABLE_NAME,
                                   nullptr, GlobalValue::NotThreadLocal, globalMemory);
  table->setAlignment(Align(4));
}

} // namespace spl::codegen
