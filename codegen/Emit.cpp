// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Diagnostics.h"
#include "codegen/LargeFunctions.h"
#include "codegen/LlvmBackend.h"
#include "codegen/Pipeline.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"

namespace spl::codegen {

LlvmBackend::~LlvmBackend() = default;

llvm::Error writeMachineCode(LlvmModule &module, const Options &options, CodeForm form,
                             llvm::SmallVectorImpl<char> &output) {
  std::unique_ptr<LlvmBackend> backend = options.target->llvmBackend(options);
  llvm::Expected<llvm::TargetMachine *> machine = backend->machineToWrite(*module.module);
  if (!machine)
    return machine.takeError();
  markLargeFunctions(*module.module, backend->maxBlock());
  const llvm::CodeGenFileType type = form == CodeForm::Assembly
                                         ? llvm::CodeGenFileType::AssemblyFile
                                         : llvm::CodeGenFileType::ObjectFile;
  LlvmErrors errors(*module.context);
  llvm::raw_svector_ostream stream(output);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    return llvm::createStringError("no such output for target " + options.target.str());
  passes.run(*module.module);
  return errors.result();
}

llvm::SmallVector<char, 0> printLlvm(const LlvmModule &module) {
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  module.module->print(stream, nullptr);
  return text;
}

} // namespace spl::codegen
