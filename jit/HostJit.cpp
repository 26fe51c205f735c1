// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/HostJit.h"
#include "spl/abi/Names.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/TaskDispatch.h"
#include "llvm/Object/Archive.h"
#include "llvm/Support/MemoryBuffer.h"
#include <spl/cpu_abi.h>

namespace spl::jit {

using namespace llvm::orc;

namespace {

/// The part of ORC that links object files. It has no compiler, because code from the cache does
/// not need one, and no platform, because kernels have no static constructors.
class Linker {
public:
  explicit Linker(std::unique_ptr<ExecutorProcessControl> process)
      : session(std::move(process)), objects(session), code(session.createBareJITDylib("kernels")) {
  }
  ~Linker() { llvm::consumeError(session.endSession()); }

  ExecutionSession session;
  ObjectLinkingLayer objects;
  JITDylib &code;
};

} // namespace

// Defines the symbols that compiled code calls: the functions of the CPU backend (CpuImports.def),
// those of this process, such as libm's, and those of the math library.
static llvm::Error defineSymbols(Linker &linker, bool callsMathLibrary) {
  const auto entry = [](auto *function) {
    return ExecutorSymbolDef(ExecutorAddr::fromPtr(function),
                             llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable);
  };
  const SymbolMap runtime{
#define SPL_CPU_IMPORT(NAME) {linker.session.intern(#NAME), entry(&NAME)},
#include "spl/CpuImports.def"
  };
  if (llvm::Error error = linker.code.define(absoluteSymbols(runtime)))
    return error;
  auto process = DynamicLibrarySearchGenerator::GetForCurrentProcess(/*GlobalPrefix=*/'\0');
  if (!process)
    return process.takeError();
  linker.code.addGenerator(std::move(*process));
  if (!callsMathLibrary)
    return llvm::Error::success();
  auto library =
      DynamicLibrarySearchGenerator::Load(abi::hostMathLibrary.data(), /*GlobalPrefix=*/'\0');
  if (!library)
    return library.takeError();
  linker.code.addGenerator(std::move(*library));
  return llvm::Error::success();
}

/// Adds an object file, or those of an archive.
static llvm::Error addObjects(Linker &linker, llvm::StringRef code) {
  if (!code.starts_with(llvm::object::ArchiveMagic))
    return linker.objects.add(linker.code, llvm::MemoryBuffer::getMemBufferCopy(code, "kernels"));
  llvm::Expected<std::unique_ptr<llvm::object::Archive>> archive =
      llvm::object::Archive::create({code, "kernels"});
  if (!archive)
    return archive.takeError();
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child &child : (*archive)->children(error)) {
    llvm::Expected<llvm::StringRef> object = child.getBuffer();
    if (!object)
      return llvm::joinErrors(object.takeError(), std::move(error));
    if (llvm::Error failed = linker.objects.add(
            linker.code, llvm::MemoryBuffer::getMemBufferCopy(*object, "kernels")))
      return llvm::joinErrors(std::move(failed), std::move(error));
  }
  return error;
}

static llvm::Expected<spl_cpu_entry> entryAt(Linker &linker, const std::string &symbol) {
  llvm::Expected<ExecutorSymbolDef> found = linker.session.lookup({&linker.code}, symbol);
  if (!found)
    return found.takeError();
  return found->getAddress().toPtr<spl_cpu_entry>();
}

llvm::Expected<HostCode> linkIntoProcess(llvm::StringRef code,
                                         llvm::ArrayRef<driver::KernelInfo> kernels) {
  auto process =
      SelfExecutorProcessControl::Create(nullptr, std::make_unique<InPlaceTaskDispatcher>());
  if (!process)
    return process.takeError();
  auto linker = std::make_shared<Linker>(std::move(*process));
  // The math library is opened only for code that calls it, because that takes milliseconds.
  if (llvm::Error error = defineSymbols(*linker, code.contains("Sleef_")))
    return error;
  if (llvm::Error error = addObjects(*linker, code))
    return error;

  HostCode host;
  for (const driver::KernelInfo &kernel : kernels) {
    llvm::Expected<spl_cpu_entry> entry = entryAt(*linker, kernel.entrySymbol);
    if (!entry)
      return entry.takeError();
    HostKernel &linked = host.kernels.emplace_back(HostKernel{Signature(kernel.signature), *entry});
    for (std::size_t version = 1; version < kernel.signature.versionCount(); ++version) {
      entry = entryAt(*linker, kernel.entrySymbol + abi::versionSuffix(version));
      if (!entry)
        return entry.takeError();
      (version == abi::Contract::Unchecked ? linked.unchecked : linked.unmet.emplace_back()) =
          *entry;
    }
  }
  host.owner = std::move(linker);
  return host;
}

} // namespace spl::jit
