// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Optimize.h"
#include "codegen/Analyses.h"
#include "codegen/ColdFunctions.h"
#include "codegen/LargeFunctions.h"
#include "codegen/LlvmBackend.h"
#include "codegen/LlvmOptions.h"
#include "codegen/OwnMath.h"
#include "codegen/UnneededPasses.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/PassTimingInfo.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Target/TargetMachine.h"

namespace spl::codegen {
namespace {

llvm::OptimizationLevel level(unsigned optLevel) {
  constexpr const llvm::OptimizationLevel *levels[] = {
      &llvm::OptimizationLevel::O0, &llvm::OptimizationLevel::O1, &llvm::OptimizationLevel::O2,
      &llvm::OptimizationLevel::O3};
  return *levels[std::min(optLevel, 3u)];
}

/// Whether the operation is an exact division of integers, as gangs compute it (GangDivisions.h).
bool dividesIntegers(const llvm::Instruction &instruction) {
  auto isInteger = [](const llvm::Value *value) {
    return llvm::isa<llvm::SIToFPInst, llvm::UIToFPInst>(value);
  };
  return instruction.getOpcode() == llvm::Instruction::FDiv &&
         llvm::all_of(instruction.operands(), isInteger) &&
         llvm::all_of(instruction.users(), [](const llvm::User *user) {
           return llvm::isa<llvm::FPToSIInst, llvm::FPToUIInst>(user);
         });
}

/// Sets the flags of --fast-math on each operation of the module's functions. The flags nnan and
/// ninf are not set: with them, LLVM could turn NaN or infinity into an index for which no check
/// fails.
void allowFastMath(llvm::Module &module) {
  llvm::FastMathFlags flags;
  flags.setAllowReassoc();
  flags.setNoSignedZeros();
  flags.setAllowReciprocal();
  flags.setAllowContract(true);
  flags.setApproxFunc();
  for (llvm::Function &function : module) {
    if (function.isDeclaration())
      continue;
    function.addFnAttr("denormal-fp-math-f32", "preserve-sign,preserve-sign");
    if (isLinkedOwnMath(function))
      continue; // their roundings are part of the algorithms
    for (llvm::Instruction &instruction : llvm::instructions(function))
      if (llvm::isa<llvm::FPMathOperator>(instruction) && !dividesIntegers(instruction))
        instruction.setFastMathFlags(flags);
  }
}

/// Runs LLVM's pipeline, with limits for large functions.
void runPipeline(llvm::Module &module, llvm::TargetMachine &machine, const LlvmBackend &backend,
                 unsigned optLevel, llvm::TimePassesHandler &times) {
  llvm::PassInstrumentationCallbacks callbacks;
  times.registerCallbacks(callbacks);
  LargeFunctions large;
  large.registerCallbacks(callbacks);
  skipColdFunctions(callbacks);
  skipUnneededPasses(callbacks);
  llvm::PipelineTuningOptions tuning;
  tuning.LoopVectorization = tuning.SLPVectorization = optLevel >= 2;
  llvm::PassBuilder builder(&machine, tuning, std::nullopt, &callbacks);
  backend.addOptimizations(builder);
  Analyses analyses(builder);
  llvm::ModulePassManager passes = optLevel == 0
                                       ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                                       : builder.buildPerModuleDefaultPipeline(level(optLevel));
  passes.run(module, analyses.modules);
}

/// Runs the passes for cold functions, with the same limits.
void runPassesOfCold(llvm::Module &module, llvm::TargetMachine &machine, const LlvmBackend &backend,
                     llvm::TimePassesHandler &times) {
  llvm::PassInstrumentationCallbacks callbacks;
  times.registerCallbacks(callbacks);
  LargeFunctions large;
  large.registerCallbacks(callbacks);
  llvm::PassBuilder builder(&machine, {}, std::nullopt, &callbacks);
  optimizeColdFunctions(module, builder, backend);
}

} // namespace

void optimize(llvm::Module &module, llvm::TargetMachine &machine, const LlvmBackend &backend,
              const Options &options) {
  setLlvmOptions();
  if (options.fastMath)
    allowFastMath(module);

  llvm::TimePassesHandler times(options.timePasses);
  times.setOutStream(llvm::errs());
  if (!hasOnlyColdFunctions(module)) // the pipeline would do next to nothing
    runPipeline(module, machine, backend, options.optLevel, times);
  runPassesOfCold(module, machine, backend, times);
  times.print();
}

} // namespace spl::codegen
