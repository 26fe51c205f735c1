// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/cache/Key.h"
#include "codegen/Machine.h"
#include "codegen/targets/nvptx/DeviceMath.h"
#include "frontend/syntax/Search.h"
#include "jit/cache/Bytes.h"
#include "jit/cache/CompilerId.h"
#include "jit/cache/Entry.h"
#include "llvm/Support/MemoryBuffer.h"

namespace spl::jit {

/// "cpu" represents whatever machine this is, which a home folder may be shared with others.
static void addHost(Writer &key) {
  key.text(codegen::hostTriple());
  key.text(codegen::hostCpu());
  key.text(codegen::hostFeatures());
}

/// Which library it is, and what is in it: a toolkit may be replaced by another one.
static void addDeviceMath(Writer &key, codegen::MathLibrary wanted) {
  llvm::Expected<codegen::DeviceMath> math = codegen::DeviceMath::find(wanted);
  if (!math) { // an error only for kernels that need one
    llvm::consumeError(math.takeError());
    return key.text("no device math");
  }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(math->path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  key.text(math->path);
  key.text(file ? digestOf((*file)->getBuffer()) : "");
}

// The lists name every field, so that a new option does not compile until it has its place here.
static void addOptions(Writer &key, const driver::CompileOptions &options) {
  const auto &[codegen, strictFp, kernels, includes, instances, stats] = options;
  const auto &[target, optLevel, checks, contracts, fastMath, mathLibrary, maxRegisters,
               interruptible, lineInfo, timePasses, printAfter] = codegen;
  key.text(target.str());
  if (target.isCpu())
    addHost(key);
  else
    addDeviceMath(key, mathLibrary);
  key.text(checks.str());
  for (unsigned number :
       {optLevel, maxRegisters, unsigned(contracts), unsigned(fastMath), unsigned(mathLibrary),
        unsigned(interruptible), unsigned(lineInfo), unsigned(strictFp)})
    key.number(number);
  key.texts(kernels);
  key.texts(includes);
  key.texts(instances);
  (void)stats, (void)timePasses, (void)printAfter; // what is told beside the code
}

llvm::Expected<std::string> keyOf(const driver::Compilation &compilation, driver::Stage stage) {
  llvm::Expected<std::string> compiler = compilerId();
  if (!compiler)
    return compiler.takeError();
  Writer key;
  key.text(*compiler);
  key.text(info(stage).name);
  addOptions(key, compilation.options());
  const driver::Source &source = compilation.source();
  key.text(source.name);                                        // faults name it
  key.text(source.isFile ? syntax::realPath(source.name) : ""); // what it uses is beside it
  key.number(source.isFile);
  key.text(source.text);
  return key.take();
}

} // namespace spl::jit
