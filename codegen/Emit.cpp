// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ColdFunctions.h"
#include "codegen/Diagnostics.h"
#include "codegen/LargeFunctions.h"
#include "codegen/LlvmBackend.h"
#include "codegen/Parallel.h"
#include "codegen/Pipeline.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"

namespace spl::codegen {

LlvmBackend::~LlvmBackend() = default;

llvm::Expected<llvm::SmallVector<char, 0>>
writeMachineCode(LlvmModule &module, const LlvmBackend &backend, CodeForm form) {
  llvm::Expected<MachineKey> key = backend.machineToWrite(*module.module);
  if (!key)
    return key.takeError();
  if (hasOnlyColdFunctions(*module.module))
    key->optLevel = 0; // LLVM then does not set up the passes that would skip these functions
  llvm::Expected<llvm::TargetMachine *> machine = machineFor(*key);
  if (!machine)
    return machine.takeError();
  markLargeFunctions(*module.module, backend.maxBlock());
  markColdFunctions(*module.module);
  LlvmErrors errors(*module.context);
  llvm::SmallVector<char, 0> code;
  llvm::raw_svector_ostream stream(code);
  llvm::legacy::PassManager passes;
  const llvm::CodeGenFileType type = form == CodeForm::Assembly
                                         ? llvm::CodeGenFileType::AssemblyFile
                                         : llvm::CodeGenFileType::ObjectFile;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    return llvm::createStringError("no such output for target " + key->triple);
  passes.run(*module.module);
  if (llvm::Error error = errors.result())
    return std::move(error);
  if (form == CodeForm::Assembly) {
    const std::string text = backend.finishAssembly({code.data(), code.size()});
    code.assign(text.begin(), text.end());
  }
  return code;
}

llvm::Expected<llvm::SmallVector<char, 0>> writeMachineCode(LlvmModule &module,
                                                            const Options &options, CodeForm form) {
  std::unique_ptr<LlvmBackend> backend = options.target->llvmBackend(options);
  llvm::SmallVector<char, 0> code;
  llvm::Error error = forEachInParallel(
      1, [&](size_t) { return writeMachineCode(module, *backend, form).moveInto(code); });
  if (error)
    return std::move(error);
  return code;
}

llvm::SmallVector<char, 0> printLlvm(const LlvmModule &module) {
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  module.module->print(stream, nullptr);
  return text;
}

} // namespace spl::codegen
