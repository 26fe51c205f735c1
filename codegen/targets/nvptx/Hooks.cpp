// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Hooks.h"
#include "codegen/OwnMath.h"
#include "codegen/targets/nvptx/AddressSpaces.h"
#include "codegen/targets/nvptx/Atomics.h"
#include "codegen/targets/nvptx/CacheHints.h"
#include "codegen/targets/nvptx/Faults.h"
#include "codegen/targets/nvptx/GridBarrier.h"
#include "codegen/targets/nvptx/Intrinsics.h"
#include "codegen/targets/nvptx/Kernels.h"
#include "codegen/targets/nvptx/Print.h"
#include "codegen/targets/nvptx/Warps.h"
#include "mir/dialect/Report.h"
#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace spl::codegen {
namespace {

/// The size of constant memory. Further constant data is in global memory.
constexpr uint64_t maxConstantBytes = 64 << 10;

class NvptxHooks : public TargetHooks {
public:
  NvptxHooks(Lowering &lowering, const NvptxArch &arch, LazyDeviceMath &math)
      : lowering(lowering), arch(arch), math(math), faults(lowering) {
    for (auto function : lowering.module.getOps<mir::FuncOp>())
      if (function->hasAttr(mir::SplDialect::faultRecordAttr))
        faulting.insert(function.getSymName());
    for (auto kernel : lowering.module.getOps<mir::KernelOp>())
      if (kernel.getSignature().isCooperative)
        cooperative.insert(kernelSymbol(kernel));
  }

  SmallVector<Type> hiddenTypes(mir::FuncOp function) override {
    if (!function->hasAttr(mir::SplDialect::faultRecordAttr))
      return {};
    return {lowering.pointer(globalMemory)};
  }
  SmallVector<Value> hiddenValues(mir::CallOp call) override {
    if (!faulting.contains(call.getCallee()))
      return {};
    return {NvptxFaults::recordOf(call)};
  }

  FailureOr<Value> emitOwn(mir::IntrinsicOp op, ValueRange operands, const IntrinsicLowering &how,
                           ConversionPatternRewriter &rewriter) override {
    switch (nvptx::OwnLowering(how.own)) {
    case nvptx::OwnLowering::Sreg:
      return emitSreg(op, how.name, rewriter);
    case nvptx::OwnLowering::Warp:
      return emitWarpIntrinsic(op, operands, rewriter, /*hasRedux=*/arch.number() >= 80);
    case nvptx::OwnLowering::GridBarrier:
      if (!cooperative.contains(op->getParentOfType<LLVM::LLVMFuncOp>().getSymName()))
        return op.emitOpError("is in no cooperative kernel; was spl-check-barriers run?"),
               failure();
      return emitGridBarrier(op, rewriter, lowering), Value();
    }
    llvm_unreachable("every way is above");
  }

  Value emitSreg(mir::IntrinsicOp op, StringRef sreg, ConversionPatternRewriter &rewriter) {
    std::string name = ("llvm.nvvm.read.ptx.sreg." + sreg).str();
    if (std::optional<uint64_t> axis = op.getAxis())
      name += {'.', "xyz"[*axis]};
    Location loc = op.getLoc();
    auto read = LLVM::CallIntrinsicOp::create(rewriter, loc, rewriter.getI32Type(),
                                              rewriter.getStringAttr(name), ValueRange());
    // LLVM knows the ranges of the registers. All are below 2^31.
    auto wide = LLVM::ZExtOp::create(rewriter, loc, rewriter.getI64Type(), read.getResult(0));
    wide.setNonNeg(true);
    return wide;
  }

  void emitFault(mir::CheckOp op, ValueRange details,
                 ConversionPatternRewriter &rewriter) override {
    faults.emit(op, details, rewriter);
  }

  void emitPrint(mir::PrintOp op, ValueRange values, ConversionPatternRewriter &rewriter) override {
    if (op.getIsMessage())
      faults.emitMessage(op, values, rewriter);
    else
      emitNvptxPrint(op, values, lowering, rewriter);
  }

  FailureOr<LibraryFunction> libraryFunction(mir::IntrinsicOp op, StringRef name,
                                             unsigned) override {
    const bool isDouble = getElementTypeOrSelf(op.getType()).isF64();
    if (isOwnMath(name))
      return LibraryFunction{ownMathSymbol(name, isDouble, 1), 1};
    llvm::Expected<const DeviceMath *> library = math.get();
    if (!library)
      return mir::emitPassDiagnostic(op.getLoc(), mir::PassDiagnostic::MathLibrary)
                 << "'" << op.getName()
                 << "' cannot be compiled: " << llvm::toString(library.takeError()),
             failure();
    return LibraryFunction{(*library)->symbol(name, isDouble, op.getOperands().size()), 1};
  }

  StringRef syncScope(mir::MemoryScope scope) override {
    switch (scope) {
    case mir::MemoryScope::Group:
      return "block";
    case mir::MemoryScope::Device:
      return "device";
    case mir::MemoryScope::System:
      return "";
    }
    llvm_unreachable("every scope is above");
  }

  std::optional<Value> emitAtomic(mir::AtomicOp op, mir::AtomicKind kind, Value address,
                                  Value value, ConversionPatternRewriter &rewriter) override {
    return emitNvptxAtomic(op, kind, address, value, rewriter);
  }

  Value emitHintedLoad(mir::LoadOp op, Type memory, Value address, OpBuilder &builder) override {
    StringRef hint = op->getAttrOfType<StringAttr>(mir::SplDialect::cacheAttr).getValue();
    return codegen::emitHintedLoad(op.getLoc(), memory, address, hint, builder);
  }
  bool emitHintedStore(mir::StoreOp op, Value value, Value address, OpBuilder &builder) override {
    StringRef hint = op->getAttrOfType<StringAttr>(mir::SplDialect::cacheAttr).getValue();
    codegen::emitHintedStore(op.getLoc(), value, address, hint, builder);
    return true;
  }

  FailureOr<Value> sharedArray(mir::SharedOp op, ConversionPatternRewriter &rewriter) override {
    LLVM::GlobalOp &global = sharedArrays[op.getName()];
    if (!global)
      global = makeShared(lowering.sharedBytes(op), "spl.shared." + op.getName(), rewriter);
    return generic(global, op.getLoc(), rewriter);
  }

  FailureOr<Bytes> dynamicShared(mir::SharedDynOp op,
                                 ConversionPatternRewriter &rewriter) override {
    Location loc = op.getLoc();
    if (!dynamic)
      dynamic = makeShared(0, "spl$shared", rewriter);
    auto count = LLVM::CallIntrinsicOp::create(
        rewriter, loc, rewriter.getI32Type(),
        rewriter.getStringAttr("llvm.nvvm.read.ptx.sreg.dynamic_smem_size"), ValueRange());
    return Bytes{generic(dynamic, loc, rewriter),
                 LLVM::ZExtOp::create(rewriter, loc, rewriter.getI64Type(), count.getResult(0))};
  }

  unsigned constantMemory(uint64_t end) override {
    return end <= maxConstantBytes ? constantMemorySpace : globalMemory;
  }

private:
  /// Creates shared memory with this number of bytes. 0 is the dynamic shared memory of the launch,
  /// which is an external symbol.
  LLVM::GlobalOp makeShared(uint64_t bytes, const Twine &name, OpBuilder &builder) {
    OpBuilder::InsertionGuard guard(builder);
    builder.setInsertionPointToStart(lowering.module.getBody());
    auto type = LLVM::LLVMArrayType::get(builder.getI8Type(), bytes);
    bool isDynamic = bytes == 0;
    return LLVM::GlobalOp::create(
        builder, lowering.module.getLoc(), type, /*isConstant=*/false,
        isDynamic ? LLVM::Linkage::External : LLVM::Linkage::Internal, name.str(),
        isDynamic ? Attribute() : LLVM::UndefAttr::get(builder.getContext()), sharedAlignment,
        sharedMemory);
  }

  Value generic(LLVM::GlobalOp global, Location loc, OpBuilder &builder) {
    Value address = LLVM::AddressOfOp::create(builder, loc, global);
    return LLVM::AddrSpaceCastOp::create(builder, loc, lowering.pointer(), address);
  }

  Lowering &lowering;
  const NvptxArch &arch;
  LazyDeviceMath &math;
  NvptxFaults faults;
  llvm::StringSet<> faulting;                   ///< names of the functions that take a fault record
  llvm::StringSet<> cooperative;                ///< names of the kernels with grid barriers
  llvm::StringMap<LLVM::GlobalOp> sharedArrays; ///< by name, created at the first use
  LLVM::GlobalOp dynamic;                       ///< created at the first use
};

} // namespace

std::unique_ptr<TargetHooks> createNvptxHooks(Lowering &lowering, const NvptxArch &arch,
                                              LazyDeviceMath &math) {
  return std::make_unique<NvptxHooks>(lowering, arch, math);
}

} // namespace spl::codegen
