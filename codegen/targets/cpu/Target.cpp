// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The target for CPUs of the host's architecture: the CPU of this machine, or one with a name of
// LLVM.
#include "codegen/Target.h"
#include "codegen/Options.h"
#include "codegen/Pipeline.h"
#include "codegen/targets/cpu/Backend.h"
#include "codegen/targets/cpu/Emit.h"
#include "codegen/targets/cpu/Intrinsics.h"
#include "codegen/targets/cpu/Stats.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "spl/abi/Names.h"

namespace spl::codegen {
namespace {

constexpr llvm::StringLiteral assembly = "asm", object = "obj", archive = "archive",
                              sharedObject = "shared-object";

constexpr Output outputTable[] = {
    {"llvm", ".ll", true, Output::Internal},
    {assembly, ".s", true, Output::Default | Output::Counted},
    {object, ".o", false},
    {archive, ".a", false, Output::Loaded | Output::HostArchive | Output::Hidden},
    {sharedObject, ".so", false, Output::Bundled | Output::Hidden},
};

constexpr TargetOption optionTable[] = {
    {interruptibleOption,
     TargetOption::Kind::Flag,
     "",
     "For the CPU: test in each loop whether the launch's time limit is over.",
     0,
     {},
     "a GPU's driver cannot end a kernel that runs"},
};

class CpuTarget : public Target {
public:
  llvm::StringRef name() const override { return "cpu"; }
  llvm::StringRef title() const override { return "CPU"; }
  std::string defaultProcessor() const override { return ""; } // the CPU of this machine
  std::string wordFor(llvm::StringRef processor) const override {
    return processor.empty() ? "cpu" : (llvm::Twine(abi::hostLevelPrefix) + processor).str();
  }
  bool owns(llvm::StringRef word) const override {
    return word == "cpu" || word.starts_with(abi::hostLevelPrefix);
  }
  llvm::Expected<std::string> parse(llvm::StringRef word) const override;
  std::string allWords() const override {
    return "cpu (this machine's) and cpu:NAME with LLVM's name of a CPU";
  }
  std::string wordsInShort() const override {
    return "cpu (this machine's) or cpu:NAME, as cpu:znver4";
  }
  llvm::StringRef backend() const override { return "cpu"; }

  llvm::ArrayRef<Output> outputs() const override { return outputTable; }
  llvm::ArrayRef<TargetOption> options() const override { return optionTable; }
  const IntrinsicLowering &lowering(intrinsics::Id id) const override {
    return cpu::intrinsicTable[size_t(id)];
  }
  bool hasWorkItems() const override { return false; }
  // The prefix is needed because a kernel may be called exp or memset.
  std::string entrySymbol(llvm::StringRef kernel) const override {
    return (llvm::StringRef(abi::hostEntryPrefix) + kernel).str();
  }
  llvm::Error checkBundled(llvm::StringRef processor) const override;
  // The code depends on the machine, and a home folder with the cache may be shared between
  // machines.
  std::string cacheKey(const Options &) const override {
    return (llvm::Twine(hostTriple()) + "/" + hostCpu() + "/" + hostFeatures()).str();
  }

  void addSourcePasses(mlir::OpPassManager &passes, const Options &options,
                       const Output &) const override {
    if (options.instrument)
      passes.addPass(mir::createInstrument());
    if (options.own.has(interruptibleOption))
      passes.addPass(mir::createInterruptibleLoops());
  }
  void addFinalPasses(mlir::OpPassManager &passes, const Options &options,
                      const Output &) const override;
  llvm::Expected<llvm::SmallVector<char, 0>> emit(mlir::ModuleOp module, const Output &output,
                                                  const Options &options,
                                                  std::string *stats) const override;
  llvm::Expected<llvm::SmallVector<char, 0>> emitLater(llvm::StringRef mir, int64_t groupSize,
                                                       const Options &options) const override;
  std::unique_ptr<LlvmBackend> llvmBackend(const Options &options) const override {
    return createCpuBackend(options);
  }
};

llvm::Expected<std::string> CpuTarget::parse(llvm::StringRef word) const {
  llvm::StringRef name = word;
  if (!name.consume_front(abi::hostLevelPrefix))
    return "";
  if (name.empty())
    return llvm::createStringError("a CPU's name must follow 'cpu:', as in cpu:x86-64-v3");
  if (!isHostArchCpu(name))
    return llvm::createStringError("unknown CPU '" + name +
                                   "'; 'clang --print-supported-cpus' lists the names for this "
                                   "machine's architecture; only those with 64 bits are supported");
  return name.str();
}

/// The runtime selects code by level: it can test at load time which levels a machine has, but not
/// whether it is another named CPU.
llvm::Error CpuTarget::checkBundled(llvm::StringRef processor) const {
  std::string known;
#define SPL_CPU_LEVEL(NAME)                                                                        \
  if (processor == NAME)                                                                           \
    return llvm::Error::success();                                                                 \
  known += (known.empty() ? "cpu:" : ", cpu:") + std::string(NAME);
#include "spl/CpuLevels.def"
  return llvm::createStringError("the CPU target of a bundle must be one of " + known);
}

/// The size of the vector registers that the code uses.
static unsigned vectorBits(const MachineKey &machine) {
  if (hasFeature(machine, "avx512f"))
    return 512;
  return hasFeature(machine, "avx2") ? 256 : 128;
}

void CpuTarget::addFinalPasses(mlir::OpPassManager &passes, const Options &options,
                               const Output &) const {
  passes.addPass(mir::createNarrowScopes());
  if (options.optLevel >= 2)
    passes.addPass(mir::createNarrowChecks());
  passes.addPass(mir::createFixedSizes());
  if (options.optLevel >= 2)
    passes.addPass(mir::createUnrollSteps());
  passes.addPass(mir::createWorkItemLoops({.sideBySide = options.optLevel >= 2}));
  passes.addPass(mir::createFixedSizes());
  if (options.optLevel >= 2) { // as LLVM's vectorisers
    passes.addPass(mir::createFlattenStrides());
    passes.addPass(mir::createFixedRounds());
    passes.addPass(mir::createInterchangeRounds());
    passes.addPass(mir::createLimitLoops());
    passes.addPass(mir::createSplitEdges());
    passes.addPass(mir::createInterchangeStrides());
    passes.addPass(mir::createGangLoops({.vectorBits = vectorBits(cpuMachine(options))}));
  }
  // If the CPU has conversions, LLVM computes f16 in f32. Otherwise LLVM would call functions that
  // do not exist. LLVM's code for bf16 may flush subnormals.
  using Support = mir::Float16Support;
  passes.addPass(mir::createEmulateFloat16(
      {.f16 = hasFeature(cpuMachine(options), "f16c") ? Support::Conversions : Support::None,
       .bf16 = Support::None}));
}

llvm::Expected<llvm::SmallVector<char, 0>> CpuTarget::emit(mlir::ModuleOp module,
                                                           const Output &output,
                                                           const Options &options,
                                                           std::string *stats) const {
  const std::vector<KernelEntry> entries = kernelEntries(module, *this);
  if (output.is(Output::Hidden)) {
    return output.name == archive ? emitArchive(module, options)
                                  : emitSharedObject(module, options);
  }
  llvm::Expected<LlvmModule> code = lowerToLlvm(module, options);
  if (!code)
    return code.takeError();
  if (output.name == object)
    return emitObject(*code, options);
  if (output.name != assembly)
    return printLlvm(*code);
  llvm::Expected<std::string> text = emitAssembly(*code, options);
  if (!text)
    return text.takeError();
  if (stats)
    *stats += describeAssembly(*text, entries);
  return llvm::SmallVector<char, 0>(text->begin(), text->end());
}

llvm::Expected<llvm::SmallVector<char, 0>> CpuTarget::emitLater(llvm::StringRef mir, int64_t,
                                                                const Options &options) const {
  return compileLater(mir, options, CodeForm::Object, /*finish=*/nullptr);
}

} // namespace

namespace cpu {
const Target &target() {
  static const CpuTarget target;
  return target;
}
} // namespace cpu

} // namespace spl::codegen
