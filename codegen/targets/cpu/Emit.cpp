// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/Emit.h"
#include "codegen/TemporaryFile.h"
#include "mlir/IR/BuiltinOps.h"
#include "spl/abi/Names.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/Support/Program.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/Triple.h"

namespace spl::codegen {
namespace {

/// Adds a body to the declaration of a runtime function. The body calls the address in the variable
/// spl_import_NAME. Each part defines the variable, and the linker keeps one.
void callThroughVariable(llvm::Function &function) {
  llvm::Module &module = *function.getParent();
  llvm::LLVMContext &context = module.getContext();
  auto *pointer = llvm::PointerType::getUnqual(context);
  auto *variable = new llvm::GlobalVariable(
      module, pointer, /*isConstant=*/false, llvm::GlobalValue::WeakAnyLinkage,
      llvm::ConstantPointerNull::get(pointer), llvm::Twine(abi::importPrefix) + function.getName());
  llvm::IRBuilder<> builder(llvm::BasicBlock::Create(context, "", &function));
  llvm::SmallVector<llvm::Value *> arguments;
  for (llvm::Argument &argument : function.args())
    arguments.push_back(&argument);
  llvm::CallInst *call = builder.CreateCall(function.getFunctionType(),
                                            builder.CreateLoad(pointer, variable), arguments);
  call->setTailCall();
  if (call->getType()->isVoidTy())
    builder.CreateRetVoid();
  else
    builder.CreateRet(call);
  function.setLinkage(llvm::GlobalValue::InternalLinkage);
  function.setSubprogram(nullptr); // the body has no line information
  // The body loads the variable, which the attributes of the declaration exclude.
  function.setMemoryEffects(llvm::MemoryEffects::unknown());
  function.removeFnAttr(llvm::Attribute::NoReturn); // LLVM does not know whether the call returns
}

llvm::Expected<std::string> findLinker() {
  for (const char *name : {"ld.lld-22", "ld.lld", "ld"})
    if (llvm::ErrorOr<std::string> path = llvm::sys::findProgramByName(name))
      return *path;
  return userError(mir::PassDiagnostic::ToolMissing,
                   "code of a bundle for the CPU needs a linker, ld.lld or ld, and "
                   "neither is on PATH; install binutils");
}

} // namespace

using Bytes = llvm::SmallVector<char, 0>;

llvm::Expected<std::string> emitAssembly(LlvmModule &module, const Options &options) {
  llvm::Expected<Bytes> text = writeMachineCode(module, options, CodeForm::Assembly);
  if (!text)
    return text.takeError();
  return std::string(text->begin(), text->end());
}

llvm::Expected<Bytes> emitObject(LlvmModule &module, const Options &options) {
  return writeMachineCode(module, options, CodeForm::Object);
}

llvm::Expected<Bytes> emitArchive(mlir::ModuleOp module, const Options &options) {
  llvm::Expected<std::vector<PartCode>> objects =
      compileParts(module, options, CodeForm::Object, /*finish=*/nullptr, SeldomRun::Later);
  if (!objects)
    return objects.takeError();
  return writeArchive(*objects);
}

llvm::Expected<Bytes> emitSharedObject(mlir::ModuleOp module, const Options &options) {
  llvm::Expected<std::string> linker = findLinker();
  if (!linker)
    return linker.takeError();
  const auto callThroughVariables = [](llvm::Module &part, size_t, size_t) {
    for (llvm::Function &function : part) // those of spl/CpuImports.def
      if (function.isDeclaration() && function.getName().starts_with("spl_cpu_"))
        callThroughVariable(function);
  };
  llvm::Expected<std::vector<PartCode>> objects =
      compileParts(module, options, CodeForm::Object, callThroughVariables, SeldomRun::WithOthers);
  if (!objects)
    return objects.takeError();
  llvm::Expected<Bytes> archive = writeArchive(*objects);
  if (!archive)
    return archive.takeError();
  llvm::Expected<TemporaryFile> source =
      TemporaryFile::create("a", {archive->data(), archive->size()});
  if (!source)
    return source.takeError();
  llvm::Expected<TemporaryFile> result = TemporaryFile::create("so");
  if (!result)
    return result.takeError();
  const llvm::Triple triple(llvm::sys::getDefaultTargetTriple());
  const std::string folder = ("-L/usr/lib/" + triple.getArchName() + "-linux-gnu").str();
  const std::string math = "-l:" + std::string(abi::hostMathLibrary);
  llvm::Expected<std::string> report =
      runTool({*linker, "-shared", "--no-undefined", "-z", "now", "--whole-archive", source->path(),
               "--no-whole-archive", "-o", result->path(), folder, "-L/usr/lib64", "-L/usr/lib",
               "--as-needed", math, "-l:libm.so.6", "-l:libc.so.6"},
              *result);
  if (!report)
    return report.takeError();
  return result->read();
}

} // namespace spl::codegen
