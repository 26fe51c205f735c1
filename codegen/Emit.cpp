// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Diagnostics.h"
#include "codegen/LargeFunctions.h"
#include "codegen/LlvmBackend.h"
#include "codegen/Parallel.h"
#include "codegen/Pipeline.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"

namespace spl::codegen {

LlvmBackend::~LlvmBackend() = default;

using Bytes = llvm::SmallVector<char, 0>;

static llvm::Error writePart(LlvmModule &part, const LlvmBackend &backend, const MachineKey &key,
                             llvm::CodeGenFileType type, Bytes &output) {
  llvm::Expected<llvm::TargetMachine *> machine = machineFor(key);
  if (!machine)
    return machine.takeError();
  markLargeFunctions(*part.module, backend.maxBlock());
  LlvmErrors errors(*part.context);
  llvm::raw_svector_ostream stream(output);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    return llvm::createStringError("no such output for target " + key.triple);
  passes.run(*part.module);
  return errors.result();
}

llvm::Expected<std::vector<Bytes>> writeMachineCode(llvm::MutableArrayRef<LlvmModule> parts,
                                                    const Options &options, CodeForm form) {
  std::unique_ptr<LlvmBackend> backend = options.target->llvmBackend(options);
  llvm::Expected<MachineKey> machine = backend->machineToWrite(parts);
  if (!machine)
    return machine.takeError();
  const llvm::CodeGenFileType type = form == CodeForm::Assembly
                                         ? llvm::CodeGenFileType::AssemblyFile
                                         : llvm::CodeGenFileType::ObjectFile;
  std::vector<Bytes> outputs(parts.size());
  llvm::Error error = forEachInParallel(parts.size(), [&](size_t number) {
    llvm::Error error = writePart(parts[number], *backend, *machine, type, outputs[number]);
    parts[number].module.reset(); // before its context
    parts[number].context.reset();
    return error;
  });
  if (error)
    return std::move(error);
  return outputs;
}

llvm::SmallVector<char, 0> printLlvm(const LlvmModule &module) {
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream stream(text);
  module.module->print(stream, nullptr);
  return text;
}

} // namespace spl::codegen
