// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Kernels.h"
#include "codegen/ColdFunctions.h"
#include "codegen/targets/nvptx/AddressSpaces.h"
#include "codegen/targets/nvptx/LaunchIds.h"
#include "codegen/targets/nvptx/NarrowIndices.h"
#include "codegen/targets/nvptx/PtxFeatures.h"
#include "mir/dialect/Report.h"
#include "mir/dialect/SmallSizes.h"
#include "spl/abi/Limits.h"
#include "spl/abi/SignatureText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Module.h"

using namespace mlir;

namespace spl::codegen {

/// The prefix of kernels until the device math is linked. With it, calls within a library cannot
/// resolve to a kernel of the same name.
static constexpr llvm::StringLiteral kernelPrefix = "spl.kernel.";

std::string kernelSymbol(mir::KernelOp kernel) {
  return (kernelPrefix + kernel.getSymName()).str();
}

namespace {

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
    LLVM::LLVMFuncOp function =
        lowerKernel(kernel, kernelSymbol(kernel), globalMemory, hidden, lowering, rewriter);
    function.setCConv(LLVM::CConv::PTX_Kernel);
    for (auto [index, parameter] : llvm::enumerate(parameters))
      if (parameter.inMemory)
        function.setArgAttr(index, LLVM::LLVMDialect::getByValAttrName(),
                            TypeAttr::get(parameter.inMemory));
    SmallVector<Attribute> attributes;
    // The other versions have no signature line. That of the baseline is for all versions.
    if (!kernel->hasAttr(mir::SplDialect::versionAttr)) {
      const int64_t number = kernel->getAttrOfType<IntegerAttr>(kernelNumberAttr).getInt();
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

} // namespace

void addKernelPattern(Lowering &lowering, const NvptxArch &arch, unsigned maxRegisters) {
  lowering.patterns.add<KernelPattern>(lowering, arch, maxRegisters);
}

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

} // namespace spl::codegen
