// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target for NVIDIA GPUs. Its outputs are PTX, which the driver loads, and cubins, which ptxas
// makes.
#include "codegen/Target.h"
#include "codegen/Options.h"
#include "codegen/Pipeline.h"
#include "codegen/targets/nvptx/Archs.h"
#include "codegen/targets/nvptx/Backend.h"
#include "codegen/targets/nvptx/Cubin.h"
#include "codegen/targets/nvptx/DeviceMath.h"
#include "codegen/targets/nvptx/Intrinsics.h"
#include "codegen/targets/nvptx/Ptx.h"
#include "codegen/targets/nvptx/Stats.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/xxhash.h"

namespace spl::codegen {
namespace {

constexpr llvm::StringLiteral ptx = "ptx", cubin = "cubin", archive = "ptx-archive";

constexpr Output outputTable[] = {
    {"llvm", ".ll", true, Output::Internal},
    {ptx, ".ptx", true, Output::Default | Output::Bundled | Output::Counted},
    {cubin, ".cubin", false, Output::Counted},
    {archive, ".a", false, Output::Loaded | Output::Hidden},
};

constexpr TargetOption optionTable[] = {
    {mathLibraryOption, TargetOption::Kind::Word, "L",
     "Device math for PTX: auto, libdevice or libclc; auto takes libdevice where a CUDA "
     "toolkit is found.",
     0, mathLibraryNames},
    {maxRegistersOption, TargetOption::Kind::Number, "N",
     "At most N registers a work-item (PTX), 1 to 255; 0, the default, sets no limit.", 255},
};

/// Whether versions of kernels that launches seldom run are compiled quickly rather than optimised.
/// In a file they take time of the compiler and of the driver. In a program they are compiled if a
/// launch needs them. Without checks, launches run them because of their size only.
bool hasCold(const Output &output, const Options &options) {
  return !output.is(Output::Loaded) && options.checks != mir::CheckKinds::none();
}

class NvptxTarget : public Target {
public:
  llvm::StringRef name() const override { return "nvptx"; }
  llvm::StringRef title() const override { return "PTX"; }
  std::string defaultProcessor() const override { return nvptxArchs().front().name.str(); }
  std::string wordFor(llvm::StringRef processor) const override { return processor.str(); }
  bool owns(llvm::StringRef word) const override {
    return llvm::any_of(nvptxArchs(), [&](const NvptxArch &arch) { return arch.name == word; });
  }
  llvm::Expected<std::string> parse(llvm::StringRef word) const override { return word.str(); }
  std::string similarWord(llvm::StringRef unknown) const override { return similarArch(unknown); }
  std::string allWords() const override {
    return llvm::join(llvm::map_range(nvptxArchs(), [](auto &arch) { return arch.name; }), ", ");
  }
  std::string wordsInShort() const override {
    auto forAll = llvm::make_filter_range(
        nvptxArchs(), [](const NvptxArch &arch) { return !arch.name.ends_with("a"); });
    llvm::StringRef last;
    for (const NvptxArch &arch : forAll)
      last = arch.name;
    return (nvptxArchs().front().name + " to " + last).str();
  }
  llvm::StringRef backend() const override { return "cuda"; }
  llvm::Expected<std::string> processorFor(unsigned computeCapability) const override {
    return archForCapability(computeCapability);
  }

  llvm::ArrayRef<Output> outputs() const override { return outputTable; }
  llvm::ArrayRef<TargetOption> options() const override { return optionTable; }
  const IntrinsicLowering &lowering(intrinsics::Id id) const override {
    return nvptx::intrinsicTable[size_t(id)];
  }
  // In a file, each version takes time of the compiler and of the driver, and those for unmet
  // groups save few instructions (docs/performance.md).
  unsigned contractGroups(const Output &output) const override {
    return output.is(Output::Loaded) ? Target::contractGroups(output) : 1;
  }
  std::string cacheKey(const Options &options) const override;

  void addSourcePasses(mlir::OpPassManager &passes, const Options &options,
                       const Output &output) const override {
    // NarrowIndices uses the sizes. A kernel without checks has no other contract.
    if (options.optLevel >= 2 && options.contracts)
      passes.addPass(
          mir::createSmallSizes({.addContracts = options.checks == mir::CheckKinds::none()}));
    if (options.optLevel >= 1) {
      if (hasCold(output, options))
        passes.addPass(mir::createMarkCold());
      passes.addPass(mir::createNarrowDivisions());
    }
    if (options.optLevel >= 2) {
      passes.addPass(mir::createSplitChecks());
      passes.addPass(mir::createNarrowDistances());
    }
  }
  void addFinalPasses(mlir::OpPassManager &passes, const Options &options,
                      const Output &output) const override;
  llvm::Expected<llvm::SmallVector<char, 0>> emit(mlir::ModuleOp module, const Output &output,
                                                  const Options &options,
                                                  std::string *stats) const override;
  llvm::Expected<llvm::SmallVector<char, 0>> emitLater(llvm::StringRef mir, int64_t groupSize,
                                                       const Options &options) const override;
  std::unique_ptr<LlvmBackend> llvmBackend(const Options &options) const override {
    return createNvptxBackend(options);
  }
};

// The path and the digest of the math library, because a toolkit may be replaced by another one.
std::string NvptxTarget::cacheKey(const Options &options) const {
  llvm::Expected<DeviceMath> math = DeviceMath::find(mathLibraryOf(options));
  if (!math) { // an error is reported only for kernels that need the library
    llvm::consumeError(math.takeError());
    return "no device math";
  }
  std::string key = math->path;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(math->path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (file) {
    const llvm::StringRef bytes = (*file)->getBuffer();
    const llvm::XXH128_hash_t digest = llvm::xxh3_128bits(llvm::arrayRefFromStringRef(bytes));
    key += '\0' + llvm::utohexstr(digest.high64) + '-' + llvm::utohexstr(digest.low64);
  }
  return key;
}

void NvptxTarget::addFinalPasses(mlir::OpPassManager &passes, const Options &options,
                                 const Output &output) const {
  if (options.optLevel >= 2) {
    passes.addPass(mir::createUnrollLocalArrays());
    passes.addPass(mir::createNarrowChecks());
    passes.addPass(mir::createBatchLoops());
    passes.addPass(mir::createCompareVariables());
    passes.addPass(mir::createJoinChecks());
  }
  passes.addPass(mir::createWarpMasks());
  passes.addPass(mir::createFixedSizes());
  passes.addPass(mir::createFaultRecords());
  using Support = mir::Float16Support;
  const unsigned sm = nvptxArch(options.target.processor).number();
  passes.addPass(mir::createEmulateFloat16(
      {.f16 = Support::Atomics,
       .bf16 = sm >= 90   ? Support::Atomics
               : sm >= 80 ? Support::Arithmetic // has fma, which computes the other operations
                          : Support::None}));
}

llvm::SmallVector<char, 0> bytesOf(llvm::StringRef text) {
  return llvm::SmallVector<char, 0>(text.begin(), text.end());
}

llvm::Expected<llvm::SmallVector<char, 0>> NvptxTarget::emit(mlir::ModuleOp module,
                                                             const Output &output,
                                                             const Options &options,
                                                             std::string *stats) const {
  const std::vector<KernelEntry> entries = kernelEntries(module, *this);
  if (output.name == "llvm") {
    llvm::Expected<LlvmModule> code = lowerToLlvm(module, options);
    if (!code)
      return code.takeError();
    return printLlvm(*code);
  }
  const bool isLoaded = output.name == archive;
  std::vector<PartCode> later;
  llvm::Expected<std::string> text = emitPtx(module, options, isLoaded ? &later : nullptr);
  if (!text)
    return text.takeError();
  if (isLoaded) {
    std::vector<PartCode> members = std::move(later);
    members.push_back({bytesOf(*text), ""});
    return writeArchive(members);
  }
  if (output.name == ptx) {
    if (stats)
      *stats += describePtx(*text, entries, assembleCubin(*text, options));
    return bytesOf(*text);
  }
  llvm::Expected<Cubin> assembled = assembleCubin(*text, options);
  if (!assembled)
    return assembled.takeError();
  llvm::SmallVector<char, 0> image = assembled->image;
  if (stats)
    *stats += describePtx(*text, entries, std::move(assembled));
  return image;
}

/// Lets groups of this size run the kernels that have no fixed group size: ptxas then limits their
/// registers.
void allowGroups(llvm::Module &module, int64_t groupSize) {
  for (llvm::Function &function : module)
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel &&
        !function.hasFnAttribute("nvvm.reqntid") && !function.hasFnAttribute("nvvm.maxntid"))
      function.addFnAttr("nvvm.maxntid", llvm::utostr(uint64_t(groupSize)));
}

llvm::Expected<llvm::SmallVector<char, 0>>
NvptxTarget::emitLater(llvm::StringRef mir, int64_t groupSize, const Options &options) const {
  llvm::Expected<std::string> text = emitPtxLater(mir, options, [&](llvm::Module &part) {
    if (groupSize != 0)
      allowGroups(part, groupSize);
  });
  if (!text)
    return text.takeError();
  return bytesOf(*text);
}

} // namespace

namespace nvptx {
const Target &target() {
  static const NvptxTarget target;
  return target;
}
} // namespace nvptx

} // namespace spl::codegen
