// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering for the host's CPU. A kernel becomes two functions. The entry
// (abi/include/spl/cpu_abi.h) loads the parameters and calls the body for each group. The body runs
// the work-items of one group, in the loops of spl-work-item-loops. The body is not inlined into
// the entry, because its parameters have attributes that LLVM needs (noalias, ranges of extents and
// sizes), and values of loads have not.
#include "codegen/targets/cpu/Backend.h"
#include "codegen/Machine.h"
#include "codegen/Parts.h"
#include "codegen/lower/Lowering.h"
#include "codegen/lower/Printing.h"
#include "codegen/targets/cpu/Entry.h"
#include "codegen/targets/cpu/Faults.h"
#include "codegen/targets/cpu/GatherIndices.h"
#include "codegen/targets/cpu/Intrinsics.h"
#include "codegen/targets/cpu/LlvmWorkarounds.h"
#include "codegen/targets/cpu/Math.h"
#include "codegen/targets/cpu/OneThreadAtomics.h"
#include "codegen/targets/cpu/PoisonLanes.h"
#include "codegen/targets/cpu/Scratch.h"
#include "codegen/targets/cpu/StridedStores.h"
#include "mir/transforms/Versions.h"
#include "spl/abi/Names.h"
#include "spl/cpu_abi.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Transforms/IPO/AlwaysInliner.h"
#include "llvm/Transforms/InstCombine/InstCombine.h"
#include "llvm/Transforms/Scalar/InductiveRangeCheckElimination.h"
#include "llvm/Transforms/Scalar/SimplifyCFG.h"
#include "llvm/Transforms/Utils/LCSSA.h"
#include "llvm/Transforms/Utils/LoopSimplify.h"

using namespace mlir;

namespace spl::codegen {
namespace {

/// The parameters that only the body of a kernel has: how much one call runs, the scratch memory of
/// the group, and a bit for each slice whether it is a private copy. A call runs a number of
/// work-items along x, those of the groups that run as one, or a number of groups side by side.
SmallVector<Type> ownTypes(Lowering &lowering) {
  return {lowering.i64(), lowering.pointer(), lowering.i64()};
}

class CpuHooks : public TargetHooks {
public:
  CpuHooks(Lowering &lowering, const Options &options)
      : scratch(lowering), lowering(lowering), faults(lowering, /*hasCalls=*/options.instrument),
        math(cpuMachine(options)) {}

  const CpuScratch scratch;

  SmallVector<Type> hiddenTypes(mir::FuncOp) override { return GroupContext::types(lowering); }
  SmallVector<Value> hiddenValues(mir::CallOp op) override { return contextOf(op).values(); }

  FailureOr<Value> emitOwn(mir::IntrinsicOp op, ValueRange, const IntrinsicLowering &how,
                           ConversionPatternRewriter &rewriter) override {
    GroupContext context = contextOf(op);
    unsigned axis = op.getAxis().value_or(0);
    switch (cpu::OwnLowering(how.own)) {
    case cpu::OwnLowering::GroupIndex:
      return context.group[axis];
    case cpu::OwnLowering::LocalSize:
      return op->hasAttr(mir::SplDialect::ungroupedAttr) ? sizeOfCall(op) : context.localSize[axis];
    case cpu::OwnLowering::NumGroups:
      return context.numGroups[axis];
    case cpu::OwnLowering::LaunchBarrier:
      return emitGridBarrier(op, context.launch, rewriter), Value();
    case cpu::OwnLowering::WorkItemLoop:
      return op.emitOpError("has no lowering for the CPU; was spl-work-item-loops run?"), failure();
    }
    llvm_unreachable("every way is above");
  }

  void emitGridBarrier(mir::IntrinsicOp op, Value launch, ConversionPatternRewriter &rewriter) {
    Location loc = op.getLoc();
    LLVM::LLVMFuncOp barrier = lowering.declare(rewriter, "spl_cpu_grid_barrier",
                                                LLVM::LLVMVoidType::get(rewriter.getContext()),
                                                {lowering.pointer(), lowering.pointer()});
    Value site = faults.site(loc, int32_t(mir::FaultKind::GridBarrierMissed), "", rewriter);
    LLVM::CallOp::create(rewriter, loc, barrier, ValueRange{launch, site});
  }

  void emitFault(mir::CheckOp op, ValueRange details,
                 ConversionPatternRewriter &rewriter) override {
    GroupContext context = contextOf(op);
    Location loc = op.getLoc();
    SmallVector<Value> ids;
    for (auto [axis, local] : llvm::enumerate(op.getWorkItem())) {
      Value first =
          LLVM::MulOp::create(rewriter, loc, context.group[axis], context.localSize[axis]);
      ids.push_back(LLVM::AddOp::create(rewriter, loc, first, rewriter.getRemappedValue(local)));
    }
    while (ids.size() < 3) // outside the work-item loops: the first work-item of the group
      ids.push_back(LLVM::MulOp::create(rewriter, loc, context.group[ids.size()],
                                        context.localSize[ids.size()]));
    faults.emit(op, details, context.launch, ids, rewriter);
  }

  void emitTrace(mir::TraceOp op, Value address, uint64_t bytes, Value value,
                 ConversionPatternRewriter &rewriter) override {
    GroupContext context = contextOf(op);
    Location loc = op.getLoc();
    Value item = i64Constant(rewriter, loc, 0); // outside the loops: the group's first
    for (int axis = 2; axis >= 0 && !op.getWorkItem().empty(); --axis) {
      item = LLVM::MulOp::create(rewriter, loc, item, context.localSize[axis]);
      item = LLVM::AddOp::create(rewriter, loc, item,
                                 rewriter.getRemappedValue(op.getWorkItem()[axis]));
    }
    Type pointer = lowering.pointer(), i64 = lowering.i64();
    LLVM::LLVMFuncOp trace =
        lowering.declare(rewriter, "spl_cpu_trace", LLVM::LLVMVoidType::get(rewriter.getContext()),
                         {pointer, pointer, pointer, i64, i64});
    LLVM::CallOp::create(
        rewriter, loc, trace,
        ValueRange{context.launch, faults.traceSite(op, bytes, rewriter), address, item, value});
  }

  // spl_cpu_print(launch, format, size, values, isMessage): see cpu_abi.h for the format.
  void emitPrint(mir::PrintOp op, ValueRange values, ConversionPatternRewriter &rewriter) override {
    const std::string format = formatForHost(op);
    SmallVector<Value> arguments{contextOf(op).launch};
    llvm::append_range(arguments, values);
    Location loc = op.getLoc();
    callOutlined(op, arguments, lowering, rewriter, [&](ValueRange parameters) {
      Type pointer = lowering.pointer(), i64 = lowering.i64(), i32 = rewriter.getI32Type();
      values = parameters.drop_front();
      Value slots =
          LLVM::AllocaOp::create(rewriter, loc, pointer, i64,
                                 i64Constant(rewriter, loc, std::max<int64_t>(values.size(), 1)));
      for (auto [index, value] : llvm::enumerate(values)) {
        Value bits = printedBits(value, loc, rewriter);
        Value slot = LLVM::GEPOp::create(rewriter, loc, pointer, i64, slots,
                                         ArrayRef<LLVM::GEPArg>{int32_t(index)});
        LLVM::StoreOp::create(rewriter, loc, bits, slot);
      }
      LLVM::LLVMFuncOp print = lowering.declare(rewriter, "spl_cpu_print",
                                                LLVM::LLVMVoidType::get(rewriter.getContext()),
                                                {pointer, pointer, i64, pointer, i32});
      Value size = i64Constant(rewriter, loc, format.size());
      Value isMessage =
          LLVM::ConstantOp::create(rewriter, loc, rewriter.getI32IntegerAttr(op.getIsMessage()));
      LLVM::CallOp::create(rewriter, loc, print,
                           ValueRange{parameters[0], constantText(format, lowering, rewriter), size,
                                      slots, isMessage});
    });
  }

  /// One thread runs all work-items of a group.
  StringRef syncScope(mir::MemoryScope scope) override {
    return scope == mir::MemoryScope::Group ? "singlethread" : "";
  }

  std::optional<Value> emitAtomic(mir::AtomicOp op, mir::AtomicKind, Value address, Value value,
                                  ConversionPatternRewriter &rewriter) override {
    std::optional<CpuScratch::PrivateUpdate> update = scratch.privateUpdate(op);
    if (!update)
      return std::nullopt;
    Location loc = op.getLoc();
    Value zero = i64Constant(rewriter, loc, 0);
    Value bit = LLVM::AndOp::create(rewriter, loc, ownParameter(op, 2),
                                    i64Constant(rewriter, loc, int64_t(1) << update->slice));
    Value isPrivate = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, bit, zero);
    emitPrivateUpdate(op, update->update, isPrivate, address, value,
                      syncScope(mir::MemoryScope::Group), rewriter);
    return LLVM::PoisonOp::create(rewriter, loc, value.getType()); // the result has no use
  }

  Value launchOf(Operation *op) { return contextOf(op).launch; }

  Value scratchPlace(Operation *op, ConversionPatternRewriter &rewriter) {
    // The offset is a value, because a constant index of a GEP has only 32 bits.
    Value offset = i64Constant(rewriter, op->getLoc(), scratch.offset(op));
    return LLVM::GEPOp::create(rewriter, op->getLoc(), lowering.pointer(), rewriter.getI8Type(),
                               ownParameter(op, 1), ArrayRef<LLVM::GEPArg>{offset},
                               LLVM::GEPNoWrapFlags::inbounds | LLVM::GEPNoWrapFlags::nuw);
  }
  FailureOr<Value> sharedArray(mir::SharedOp op, ConversionPatternRewriter &rewriter) override {
    return scratchPlace(op, rewriter);
  }
  FailureOr<Bytes> dynamicShared(mir::SharedDynOp op,
                                 ConversionPatternRewriter &rewriter) override {
    Location loc = op.getLoc();
    Value field = launchField(contextOf(op).launch, offsetof(spl_cpu_launch, sharedBytes), lowering,
                              rewriter, loc);
    return Bytes{scratchPlace(op, rewriter),
                 LLVM::LoadOp::create(rewriter, loc, lowering.i64(), field)};
  }

  FailureOr<LibraryFunction> libraryFunction(mir::IntrinsicOp op, StringRef name,
                                             unsigned lanes) override {
    CpuMath::Function function = math.find(name, getElementTypeOrSelf(op.getType()).isF64(), lanes);
    return LibraryFunction{function.symbol, function.lanes};
  }

private:
  GroupContext contextOf(Operation *op) {
    auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
    return GroupContext::from(
        function.getArguments().take_back(GroupContext::types(lowering).size()));
  }
  /// The parameters of a kernel's body before its GroupContext (ownTypes).
  Value ownParameter(Operation *op, unsigned number) {
    auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
    return function.getArguments().take_back(GroupContext::types(lowering).size() +
                                             ownTypes(lowering).size())[number];
  }
  Value sizeOfCall(Operation *op) { return ownParameter(op, 0); }

  Lowering &lowering;
  CpuFaults faults;
  CpuMath math;
};

struct ScratchPattern : Pattern<mir::ScratchOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::ScratchOp op, OneToNOpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Value address = static_cast<CpuHooks &>(*lowering.hooks).scratchPlace(op, rewriter);
    Value count = i64Constant(rewriter, op.getLoc(), op.getCount());
    rewriter.replaceOpWithMultiple(op, {{address, count}});
    return success();
  }
};

/// Lowers to a relaxed load of spl_cpu_launch.hasStopped. It is volatile, so that LLVM does not
/// move it out of a loop.
struct MayRunPattern : Pattern<mir::MayRunOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::MayRunOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    Location loc = op.getLoc();
    Value field = launchField(static_cast<CpuHooks &>(*lowering.hooks).launchOf(op),
                              offsetof(spl_cpu_launch, hasStopped), lowering, rewriter, loc);
    auto stopped = LLVM::LoadOp::create(rewriter, loc, lowering.i64(), field, /*alignment=*/8);
    stopped.setVolatile_(true);
    stopped.setOrdering(LLVM::AtomicOrdering::monotonic);
    rewriter.replaceOpWithNewOp<LLVM::ICmpOp>(op, LLVM::ICmpPredicate::eq, stopped,
                                              i64Constant(rewriter, loc, 0));
    return success();
  }
};

struct KernelPattern : Pattern<mir::KernelOp> {
  using Pattern::Pattern;

  LogicalResult matchAndRewrite(mir::KernelOp kernel, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    SmallVector<Type> hidden = ownTypes(lowering);
    llvm::append_range(hidden, GroupContext::types(lowering));
    SmallVector<AbiParameter> parameters = abiParameters(kernel, 0, lowering);
    LLVM::LLVMFuncOp body = lowerKernel(kernel, ("spl.body." + kernel.getSymName()).str(), 0,
                                        hidden, lowering, rewriter);
    body.setLinkage(LLVM::Linkage::Internal);
    body.setNoInline(true);
    addRanges(body, parameters.size());
    emitEntry(kernel, body, parameters, static_cast<CpuHooks &>(*lowering.hooks).scratch, lowering,
              rewriter);
    rewriter.eraseOp(kernel);
    return success();
  }

  /// Adds the ranges of sizes, which are 1 to 2^31 - 1 along each axis. With them LLVM knows that
  /// ids do not overflow.
  void addRanges(LLVM::LLVMFuncOp body, unsigned hidden) const {
    auto add = [&](unsigned first, unsigned count, int64_t least, unsigned bits) {
      auto range = LLVM::ConstantRangeAttr::get(getContext(), APInt(64, least),
                                                APInt::getOneBitSet(64, bits));
      for (unsigned index = first; index < first + count; ++index)
        body.setArgAttr(index, LLVM::LLVMDialect::getRangeAttrName(), range);
    };
    add(hidden, 1, 1, 62);     // the row size
    add(hidden + 4, 3, 0, 31); // group, after the other own parameters and launch
    add(hidden + 7, 6, 1, 31); // localSize, numGroups
    body.setArgAttr(hidden + 1, LLVM::LLVMDialect::getNoAliasAttrName(),
                    UnitAttr::get(getContext()));
  }
};

/// Adds the symbol that marks a module with interruptible kernels (spl/cpu_abi.h).
void addInterruptibleMark(llvm::Module &module) {
  llvm::Type *byte = llvm::Type::getInt8Ty(module.getContext());
  new llvm::GlobalVariable(module, byte, /*isConstant=*/true, llvm::GlobalValue::WeakODRLinkage,
                           llvm::ConstantInt::get(byte, 1), abi::interruptibleMark);
}

/// Adds passes that prepare loops for vectorisation. A check is an exit in the middle of a loop,
/// which prevents vectorisation. IRCE splits off the iterations in which a check might fail, so
/// that the main loop has no checks.
void prepareLoops(llvm::FunctionPassManager &passes, llvm::OptimizationLevel level) {
  if (level.getSpeedupLevel() < 2)
    return;
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(llvm::LCSSAPass());
  passes.addPass(llvm::IRCEPass());
  // After IRCE, the vectoriser could not compute the trip counts from the conditions. InstCombine
  // simplifies them.
  passes.addPass(llvm::InstCombinePass());
  passes.addPass(llvm::SimplifyCFGPass());
  passes.addPass(llvm::LoopSimplifyPass());
  passes.addPass(WorkAroundVectorizer());
}

class CpuBackend : public LlvmBackend {
public:
  explicit CpuBackend(const Options &options) : options(options) {}

  void prepare(ModuleOp module) override {
    for (auto kernel : module.getOps<mir::KernelOp>())
      if (mir::isSeldomRun(kernel))
        kernel->setAttr(laterAttr, Builder(kernel).getStringAttr(
                                       options.target->entrySymbol(kernel.getSymName())));
  }
  void populatePatterns(Lowering &lowering) const override {
    lowering.hooks = std::make_unique<CpuHooks>(lowering, options);
    lowering.add<ScratchPattern>();
    lowering.add<MayRunPattern>();
    lowering.add<KernelPattern>();
  }

  llvm::Error finishModule(llvm::Module &module) const override {
    lowerAtomicsOfOneThread(module);
    workAroundOptimizer(module);
    if (options.own.has(interruptibleOption))
      addInterruptibleMark(module);
    MachineKey key = cpuMachine(options);
    if (options.optLevel >= 2) // lower levels do not vectorise
      CpuMath(key).addVectorVariants(module);
    // On machines with 512-bit vectors LLVM uses 256 bits by default, for the sake of code that
    // rarely uses vectors. Kernels use vectors all the time.
    bool isWide = hasFeature(key, "avx512f");
    for (llvm::Function &function : module) {
      if (function.isDeclaration() && !function.getName().starts_with("spl."))
        continue; // defined in another module
      function.addFnAttr("target-cpu", key.cpu);
      function.addFnAttr("target-features", key.features);
      if (!isWide)
        continue;
      function.addFnAttr("prefer-vector-width", "512");
      // The stack is aligned to 16 bytes. A register of 64 bytes that is saved there would cross
      // cache lines in some launches, which makes them slower.
      function.addFnAttr(
          llvm::Attribute::getWithStackAlignment(module.getContext(), llvm::Align(64)));
    }
    return llvm::Error::success();
  }

  MachineKey machine() const override {
    registerHostBackend();
    return cpuMachine(options);
  }

  void addOptimizations(llvm::PassBuilder &builder) const override {
    builder.registerVectorizerStartEPCallback(prepareLoops);
    builder.registerOptimizerLastEPCallback([](llvm::ModulePassManager &passes,
                                               llvm::OptimizationLevel, llvm::ThinOrFullLTOPhase) {
      passes.addPass(llvm::AlwaysInlinerPass()); // inlines the masked variants of math functions
    });
  }

  void finishOptimized(llvm::Module &module) const override {
    CpuMath::complete(module);
    workAroundBackend(module);
    definePoisonLanes(module);
    if (hasFeature(cpuMachine(options), "avx512f"))
      storeStridedScatters(module);
    narrowGatherIndices(module);
  }

private:
  Options options;
};

} // namespace

std::unique_ptr<LlvmBackend> createCpuBackend(const Options &options) {
  return std::make_unique<CpuBackend>(options);
}

MachineKey cpuMachine(const Options &options) {
  const std::string &name = options.target.processor;
  const bool isHost = name.empty();
  return {hostTriple(), isHost ? hostCpu().str() : name, isHost ? hostFeatures().str() : "",
          options.optLevel};
}

} // namespace spl::codegen
