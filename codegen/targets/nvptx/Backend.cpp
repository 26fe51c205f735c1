// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowering for NVIDIA GPUs. Kernels are ptx_kernel functions with the parameters of the ABI, and
// slices in global memory. Ids are special registers. A failed check fills a fault record
// (Faults.h), whose address is the last parameter of kernels and functions with checks. In front of
// it, a kernel with a grid barrier takes the address of a counter (GridBarrier.h).
#include "codegen/targets/nvptx/Backend.h"
#include "codegen/ColdFunctions.h"
#include "codegen/OwnMath.h"
#include "codegen/Parts.h"
#include "codegen/Pipeline.h"
#include "codegen/lower/Lowering.h"
#include "codegen/targets/nvptx/Archs.h"
#include "codegen/targets/nvptx/Atomics.h"
#include "codegen/targets/nvptx/CacheHints.h"
#include "codegen/targets/nvptx/DeviceMath.h"
#include "codegen/targets/nvptx/Faults.h"
#include "codegen/targets/nvptx/GridBarrier.h"
#include "codegen/targets/nvptx/IndexExtensions.h"
#include "codegen/targets/nvptx/Intrinsics.h"
#include "codegen/targets/nvptx/LaunchIds.h"
#include "codegen/targets/nvptx/LlvmWorkarounds.h"
#include "codegen/targets/nvptx/LoopCounters.h"
#include "codegen/targets/nvptx/NarrowIndices.h"
#include "codegen/targets/nvptx/Optimizations.h"
#include "codegen/targets/nvptx/Print.h"
#include "codegen/targets/nvptx/PtxFeatures.h"
#include "codegen/targets/nvptx/SaturatingCasts.h"
#include "codegen/targets/nvptx/Sincos.h"
#include "codegen/targets/nvptx/Warps.h"
#include "mir/dialect/Report.h"
#include "mir/dialect/SmallSizes.h"
#include "mir/transforms/Versions.h"
#include "spl/abi/Limits.h"
#include "spl/abi/SignatureText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"
#include <mutex>

// Declares the functions that register LLVM's NVPTX back end. The header of LLVM would register all
// back ends.
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace mlir;

namespace spl::codegen {
namespace {

// The numbers of the address spaces in NVPTX.
constexpr unsigned globalMemory = 1;
constexpr unsigned sharedMemory = 3;
constexpr unsigned constantMemorySpace = 4;

/// The size of constant memory. Further constant data is in global memory.
constexpr uint64_t maxConstantBytes = 64 << 10;

/// The prefix of kernels until the device math is linked. With it, calls within a library cannot
/// resolve to a kernel of the same name.
constexpr llvm::StringLiteral kernelPrefix = "spl.kernel.";

/// Of a kernel: its number in the order of the module, in which PTX lists the signatures.
constexpr llvm::StringLiteral numberAttr = "spl.number";

/// Removes the prefix from the kernels. If a library has a function with the same name, that
/// internal function is renamed.
void nameKernels(llvm::Module &module) {
  for (llvm::Function &function : module) {
    llvm::StringRef name = function.getName();
    if (!name.consume_front(kernelPrefix))
      continue;
    std::string own = name.str();
    if (llvm::GlobalValue *other = module.getNamedValue(own))
      other->setName("spl.library." + own);
    function.setName(own);
  }
}

/// Whether the module calls functions of the device math library.
bool callsLibrary(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() && DeviceMath::isSymbol(function.getName());
  });
}

class NvptxHooks : public TargetHooks {
public:
  NvptxHooks(Lowering &lowering, const NvptxArch &arch, LazyDeviceMath &math)
      : lowering(lowering), arch(arch), math(math), faults(lowering) {
    for (auto function : lowering.module.getOps<mir::FuncOp>())
      if (function->hasAttr(mir::SplDialect::faultRecordAttr))
        faulting.insert(function.getSymName());
    for (auto kernel : lowering.module.getOps<mir::KernelOp>())
      if (kernel.getSignature().isCooperative)
        cooperative.insert((kernelPrefix + kernel.getSymName()).str());
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

struct KernelPattern : Pattern<mir::KernelOp> {
  KernelPattern(Lowering &lowering, const NvptxArch &arch, unsigned maxRegisters)
      : Pattern(lowering), arch(arch), maxRegisters(maxRegisters) {}

  LogicalResult matchAndRewrite(mir::KernelOp kernel, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    // All other identifiers of the language are valid and unused names in PTX.
    if (llvm::is_contained({"_", "WARP_SZ", "vprintf"}, kernel.getSymName()))
      return mir::emitPassDiagnostic(kernel.getLoc(), mir::PassDiagnostic::KernelName)
                 << "'" << kernel.getSymName()
                 << "' cannot be the name of a kernel in PTX; rename it",
             failure();
    if (failed(checkMinBlocks(kernel)))
      return failure();
    SmallVector<AbiParameter> parameters = abiParameters(kernel, globalMemory, lowering);
    // The counter of grid barriers, and the fault record.
    const unsigned hiddenCount =
        kernel.getSignature().isCooperative + kernel->hasAttr(mir::SplDialect::faultRecordAttr);
    if (uint64_t bytes = parameterBytes(parameters, hiddenCount); bytes > maxParameterBytes)
      return mir::emitPassDiagnostic(kernel.getLoc(), mir::PassDiagnostic::ParameterSize)
                 << "the parameters of '" << mir::writtenName(kernel) << "' take " << bytes
                 << " bytes; the maximum in PTX is " << maxParameterBytes,
             failure();
    SmallVector<Type> hidden(hiddenCount, lowering.pointer(globalMemory));
    LLVM::LLVMFuncOp function = lowerKernel(kernel, (kernelPrefix + kernel.getSymName()).str(),
                                            globalMemory, hidden, lowering, rewriter);
    function.setCConv(LLVM::CConv::PTX_Kernel);
    for (auto [index, parameter] : llvm::enumerate(parameters))
      if (parameter.inMemory)
        function.setArgAttr(index, LLVM::LLVMDialect::getByValAttrName(),
                            TypeAttr::get(parameter.inMemory));
    SmallVector<Attribute> attributes;
    // The other versions have no signature line. That of the baseline is for all versions.
    if (!kernel->hasAttr(mir::SplDialect::versionAttr)) {
      const int64_t number = kernel->getAttrOfType<IntegerAttr>(numberAttr).getInt();
      attributes.push_back(pair("spl-number", std::to_string(number), rewriter));
      attributes.push_back(pair("spl-signature", writeSignature(kernel.getSignature()), rewriter));
    }
    if (kernel->hasAttr(mir::SplDialect::coldAttr))
      attributes.push_back(rewriter.getStringAttr(coldFunctionAttr));
    if (mir::hasSmallSizes(kernel)) {
      attributes.push_back(rewriter.getStringAttr(smallSizesAttr));
      attributes.push_back(pair(elementSizesAttr, elementSizes(parameters), rewriter));
    }
    if (maxRegisters != 0)
      attributes.push_back(pair("nvvm.maxnreg", std::to_string(maxRegisters), rewriter));
    if (const std::vector<int64_t> &block = kernel.getSignature().block; !block.empty()) {
      SmallVector<int64_t, 3> extents(block.begin(), block.end());
      extents.resize(3, 1);
      attributes.push_back(pair(
          "nvvm.reqntid",
          llvm::join(llvm::map_range(extents, [](int64_t e) { return std::to_string(e); }), ","),
          rewriter));
    }
    if (auto blocks = kernel->getAttrOfType<IntegerAttr>(mir::SplDialect::minBlocksAttr)) {
      attributes.push_back(pair("nvvm.minctasm", std::to_string(blocks.getInt()), rewriter));
      if (kernel.getSignature().block.empty()) // PTX requires a maximum number of threads as well
        attributes.push_back(
            pair("nvvm.maxntid", std::to_string(abi::maxGroupSize) + ",1,1", rewriter));
    }
    function.setPassthroughAttr(rewriter.getArrayAttr(attributes));
    rewriter.eraseOp(kernel);
    return success();
  }

  static uint64_t parameterBytes(ArrayRef<AbiParameter> parameters, unsigned hiddenCount) {
    abi::Layout whole;
    for (const AbiParameter &parameter : parameters)
      whole.append(parameter.layout);
    for (unsigned i = 0; i != hiddenCount; ++i)
      whole.append(abi::Layout::ofLanes(64)); // an address
    return whole.size;
  }

  /// The text of elementSizesAttr.
  static std::string elementSizes(ArrayRef<AbiParameter> parameters) {
    SmallVector<std::string> sizes;
    for (auto [number, parameter] : llvm::enumerate(parameters))
      if (parameter.elementBytes != 0)
        sizes.push_back(std::to_string(number) + ":" + std::to_string(parameter.elementBytes));
    return llvm::join(sizes, ",");
  }

  static Attribute pair(StringRef name, StringRef value, Builder &builder) {
    return builder.getStrArrayAttr({name, value});
  }

  /// Reports an error if a multiprocessor cannot hold as many groups as min_blocks requires. If the
  /// kernel has no fixed group size, the maximum group size is assumed.
  LogicalResult checkMinBlocks(mir::KernelOp kernel) const {
    auto blocks = kernel->getAttrOfType<IntegerAttr>(mir::SplDialect::minBlocksAttr);
    if (!blocks)
      return success();
    const std::vector<int64_t> &block = kernel.getSignature().block;
    int64_t items = block.empty() ? abi::maxGroupSize : llvm::product_of(block);
    int64_t maxBlocks = std::min<int64_t>(arch.threads / items, arch.groups);
    if (blocks.getInt() <= maxBlocks)
      return success();
    return mir::emitPassDiagnostic(kernel.getLoc(), mir::PassDiagnostic::BlocksResident)
           << "'" << mir::writtenName(kernel) << "' requires room for " << blocks.getInt()
           << " groups of " << items << " work-items on a multiprocessor, but " << arch.name
           << " has room for " << arch.threads << " work-items in " << arch.groups
           << " groups; the maximum of 'min_blocks' is " << maxBlocks
           << (!block.empty() ? "" : "; fix the group size, as in 'block: [256]'");
  }

  const NvptxArch &arch;
  unsigned maxRegisters;
};

void registerNvptxBackend() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    removeLoopCounters();
    extendIndicesAtAddresses();
  });
}

class NvptxBackend : public LlvmBackend {
public:
  explicit NvptxBackend(const Options &options) : options(options), math(mathLibraryOf(options)) {}

  void prepare(ModuleOp module) override {
    numberFaults(module, faultSites);
    int64_t number = 0;
    for (auto kernel : module.getOps<mir::KernelOp>()) {
      hasGridBarriers |= kernel.getSignature().isCooperative;
      kernel->setAttr(numberAttr, Builder(kernel).getI64IntegerAttr(number++));
      // The limit on the groups of a grid barrier depends on all versions.
      if (mir::isSeldomRun(kernel) && !kernel.getSignature().isCooperative)
        kernel->setAttr(laterAttr, kernel.getSymNameAttr());
    }
  }
  void populatePatterns(Lowering &lowering) const override {
    lowering.hooks = std::make_unique<NvptxHooks>(lowering, arch(), math);
    lowering.patterns.add<KernelPattern>(lowering, arch(), options.own.number(maxRegistersOption));
  }

  llvm::Error finishModule(llvm::Module &module) const override {
    if (options.fastMath) // libdevice reads the flag by __nvvm_reflect("__CUDA_FTZ")
      module.addModuleFlag(llvm::Module::Override, "nvvm-reflect-ftz", 1);
    joinSinesAndCosines(module);
    if (llvm::Error error = linkOwnMath(module))
      return error;
    if (callsLibrary(module)) {
      llvm::Expected<const DeviceMath *> library = math.get();
      if (!library)
        return library.takeError();
      if (llvm::Error error = (*library)->link(module))
        return error;
    }
    if (llvm::Error error = linkPrinting(module))
      return error;
    nameKernels(module);
    boundIds(module);
    workAroundNvptx(module);
    describeFaults(module);
    expandGridBarriers(module);
    return llvm::Error::success();
  }
  void addOptimizations(llvm::PassBuilder &builder) const override {
    addNvptxOptimizations(builder);
  }
  void finishOptimized(llvm::Module &module) const override {
    expandSaturatingCasts(module);
    expandFaults(module, hasGridBarriers);
  }
  void finishFirst(llvm::Module &first) const override {
    if (!faultSites.isEmpty() || hasGridBarriers) // their kernels take a record
      addFaultTable(first, faultSites);
  }

  MachineKey machine() const override { return machineOf(arch().ptxVersion); }
  llvm::Expected<MachineKey> machineToWrite(const llvm::Module &part) const override {
    llvm::Expected<unsigned> version = ptxVersionFor(part, arch());
    if (!version)
      return version.takeError();
    return machineOf(*version);
  }

  bool hasLineTables() const override { return false; } // PTX has directives in the code
  // The time of instruction selection and of load vectorisation grows with the square of a block's
  // length.
  size_t maxBlock() const override { return 5000; }

private:
  const NvptxArch &arch() const { return nvptxArch(options.target.processor); }
  MachineKey machineOf(unsigned ptxVersion) const {
    registerNvptxBackend();
    return {"nvptx64-nvidia-cuda", options.target.processor, "+ptx" + std::to_string(ptxVersion),
            options.optLevel};
  }

  Options options;
  mutable LazyDeviceMath math;
  FaultSites faultSites;
  bool hasGridBarriers = false; ///< of the module; a part that is compiled later has none
};

} // namespace

std::unique_ptr<LlvmBackend> createNvptxBackend(const Options &options) {
  return std::make_unique<NvptxBackend>(options);
}

} // namespace spl::codegen
