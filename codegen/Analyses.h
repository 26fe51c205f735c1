// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM's managers of analyses, which every run of its passes needs. Creating them does not fail.
#pragma once

#include "llvm/Analysis/CGSCCPassManager.h"
#include "llvm/Analysis/LoopAnalysisManager.h"
#include "llvm/IR/PassManager.h"
#include "llvm/Passes/PassBuilder.h"

namespace spl::codegen {

/// The analyses for one run of passes. It belongs to that run and must not outlive the PassBuilder.
/// The managers refer to each other, so an object does not move.
struct Analyses {
  explicit Analyses(llvm::PassBuilder &builder) {
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(components);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, components, modules);
  }
  Analyses(const Analyses &) = delete;
  Analyses &operator=(const Analyses &) = delete;

  llvm::LoopAnalysisManager loops;
  llvm::FunctionAnalysisManager functions;
  llvm::CGSCCAnalysisManager components;
  llvm::ModuleAnalysisManager modules;
};

} // namespace spl::codegen
