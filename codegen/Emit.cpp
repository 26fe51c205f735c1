// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// LLVM IR to text or bytes by LLVM's code generators.
#include "codegen/Diagnostics.h"
#include "codegen/LargeFunctions.h"
#include "codegen/Pipeline.h"
#include "spl/abi/Names.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/Target/TargetMachine.h"

namespace spl::codegen {
namespace {

llvm::Error emit(LlvmModule &module, const Options &options, llvm::CodeGenFileType type,
                 llvm::SmallVectorImpl<char> &output) {
  llvm::Expected<llvm::TargetMachine *> machine =
      Target::create(options)->machineToWrite(*module.module);
  if (!machine)
    return machine.takeError();
  markLargeFunctions(*module.module, options.target.isNvptx());
  LlvmErrors errors(*module.context);
  llvm::raw_svector_ostream stream(output);
  llvm::legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, type, /*DisableVerify=*/true))
    return llvm::createStringError("no such output for target " + options.target.str());
  passes.run(*module.module);
  return errors.result();
}

} // namespace

llvm::Expected<std::string> emitPtx(LlvmModule &module, const Options &options) {
  if (!options.target.isNvptx())
    return llvm::createStringError("target " + options.target.str() + " has no PTX");
  // What the runtime checks arguments against, one line a kernel.
  llvm::SmallString<0> text;
  for (const llvm::Function &function : *module.module)
    if (llvm::Attribute signature = function.getFnAttribute("spl-signature"); signature.isValid())
      (llvm::Twine(abi::signatureLine) + signature.getValueAsString() + "\n").toVector(text);
  if (llvm::Error error = emit(module, options, llvm::CodeGenFileType::AssemblyFile, text))
    return std::move(error);
  return text.str().str();
}

llvm::Expected<std::string> emitAssembly(LlvmModule &module, const Options &options) {
  if (!options.target.isCpu())
    return llvm::createStringError("target " + options.target.str() + " has no assembly but PTX");
  llvm::SmallString<0> text;
  if (llvm::Error error = emit(module, options, llvm::CodeGenFileType::AssemblyFile, text))
    return std::move(error);
  return text.str().str();
}

llvm::Expected<llvm::SmallVector<char, 0>> emitObject(LlvmModule &module, const Options &options) {
  if (!options.target.isCpu())
    return llvm::createStringError("target " + options.target.str() + " has no object files");
  llvm::SmallVector<char, 0> bytes;
  if (llvm::Error error = emit(module, options, llvm::CodeGenFileType::ObjectFile, bytes))
    return std::move(error);
  return bytes;
}

} // namespace spl::codegen
