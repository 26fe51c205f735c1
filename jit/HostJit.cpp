// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/HostJit.h"
#include "codegen/Pipeline.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include <spl/cpu_abi.h>

namespace spl::jit {

using namespace llvm::orc;

llvm::Expected<HostCode> linkIntoProcess(llvm::ArrayRef<char> object,
                                         llvm::ArrayRef<KernelInfo> kernels) {
  // Kernels have no static constructors, so the code needs no platform of its own.
  llvm::Expected<std::unique_ptr<LLJIT>> created =
      LLJITBuilder().setPlatformSetUp(setUpInactivePlatform).create();
  if (!created)
    return created.takeError();
  std::shared_ptr<LLJIT> jit = std::move(*created);

  // Opened only for code that calls it, since that takes milliseconds.
  if (llvm::StringRef(object.data(), object.size()).contains("Sleef_")) {
    auto library = DynamicLibrarySearchGenerator::Load(codegen::hostMathLibrary.data(),
                                                       /*GlobalPrefix=*/'\0');
    if (!library)
      return library.takeError();
    jit->getMainJITDylib().addGenerator(std::move(*library));
  }
  // libm's functions come from the process; what compiled code calls of the runtime is this program's.
  const auto entry = [](auto *function) {
    return ExecutorSymbolDef(ExecutorAddr::fromPtr(function),
                             llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable);
  };
  const SymbolMap runtime{{jit->mangleAndIntern("spl_cpu_fault"), entry(&spl_cpu_fault)},
                          {jit->mangleAndIntern("spl_cpu_print"), entry(&spl_cpu_print)},
                          {jit->mangleAndIntern("spl_cpu_scratch"), entry(&spl_cpu_scratch)}};
  if (llvm::Error error = jit->getMainJITDylib().define(absoluteSymbols(runtime)))
    return error;
  if (llvm::Error error = jit->addObjectFile(llvm::MemoryBuffer::getMemBufferCopy(
          llvm::StringRef(object.data(), object.size()), "kernels")))
    return error;

  HostCode code;
  for (const KernelInfo &kernel : kernels) {
    llvm::Expected<ExecutorAddr> entry = jit->lookup(kernel.entrySymbol);
    if (!entry)
      return entry.takeError();
    code.kernels.push_back({kernel.signature, entry->toPtr<spl_cpu_entry>()});
  }
  code.owner = std::move(jit);
  return code;
}

} // namespace spl::jit
