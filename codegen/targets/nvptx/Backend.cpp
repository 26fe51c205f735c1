// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Backend.h"
#include "codegen/OwnMath.h"
#include "codegen/Parts.h"
#include "codegen/targets/nvptx/Archs.h"
#include "codegen/targets/nvptx/DeviceMath.h"
#include "codegen/targets/nvptx/Faults.h"
#include "codegen/targets/nvptx/GridBarrier.h"
#include "codegen/targets/nvptx/Hooks.h"
#include "codegen/targets/nvptx/IndexExtensions.h"
#include "codegen/targets/nvptx/Kernels.h"
#include "codegen/targets/nvptx/LaunchIds.h"
#include "codegen/targets/nvptx/LlvmWorkarounds.h"
#include "codegen/targets/nvptx/LoopCounters.h"
#include "codegen/targets/nvptx/Optimizations.h"
#include "codegen/targets/nvptx/Print.h"
#include "codegen/targets/nvptx/PtxFeatures.h"
#include "codegen/targets/nvptx/PtxasWorkarounds.h"
#include "codegen/targets/nvptx/SaturatingCasts.h"
#include "codegen/targets/nvptx/Sincos.h"
#include "codegen/targets/nvptx/UnneededPasses.h"
#include "mir/transforms/Versions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
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

/// Whether the module calls functions of the device math library.
bool callsLibrary(const llvm::Module &module) {
  return llvm::any_of(module, [](const llvm::Function &function) {
    return function.isDeclaration() && DeviceMath::isSymbol(function.getName());
  });
}

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

/// The PTX without the comments that number calls. A target machine numbers the calls of all that
/// it compiles, and the parts of a thread vary.
std::string withoutCallNumbers(llvm::StringRef ptx) {
  std::string text;
  while (true) {
    const size_t comment = ptx.find(" // callseq ");
    text += ptx.take_front(comment);
    if (comment == llvm::StringRef::npos)
      return text;
    ptx = ptx.drop_front(comment);
    if (text.ends_with('{') || text.ends_with('}')) {
      ptx = ptx.drop_while([](char c) { return c != '\n'; });
    } else { // no comment: the name of a file, for example
      text += ptx.front();
      ptx = ptx.drop_front();
    }
  }
}

class NvptxBackend : public LlvmBackend {
public:
  explicit NvptxBackend(const Options &options) : options(options), math(mathLibraryOf(options)) {}

  void prepare(ModuleOp module) override {
    numberFaults(module, faultSites);
    int64_t number = 0;
    for (auto kernel : module.getOps<mir::KernelOp>()) {
      hasGridBarriers |= kernel.getSignature().isCooperative;
      kernel->setAttr(kernelNumberAttr, Builder(kernel).getI64IntegerAttr(number++));
      // The limit on the groups of a grid barrier depends on all versions.
      if (mir::isSeldomRun(kernel) && !kernel.getSignature().isCooperative)
        kernel->setAttr(laterAttr, kernel.getSymNameAttr());
    }
  }
  void populatePatterns(Lowering &lowering) const override {
    lowering.hooks = createNvptxHooks(lowering, arch(), math);
    addKernelPattern(lowering, arch(), options.own.number(maxRegistersOption));
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
    skipUnneededNvptxPasses(*builder.getPassInstrumentationCallbacks());
    addNvptxOptimizations(builder);
  }
  // Loads of what nobody writes then go through the read-only cache.
  void addColdPasses(llvm::PassBuilder &builder, llvm::FunctionPassManager &passes) const override {
    llvm::cantFail(builder.parsePassPipeline(passes, "nvptx-tag-invariant-loads"));
  }
  void finishOptimized(llvm::Module &module) const override {
    expandSaturatingCasts(module);
    expandFaults(module, hasGridBarriers);
  }
  void finishFirst(llvm::Module &first) const override {
    if (!faultSites.isEmpty() || hasGridBarriers) // their kernels take a record
      addFaultTable(first, faultSites);
  }

  std::string finishAssembly(llvm::StringRef text) const override {
    const std::string ptx = workAroundPtxas(withoutCallNumbers(text));
    return options.fastMath ? withoutFlushedComparisons(ptx) : ptx;
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
