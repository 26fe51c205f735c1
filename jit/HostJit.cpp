// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/HostJit.h"
#include "codegen/Archive.h"
#include "spl/abi/Names.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ExecutionEngine/Orc/AbsoluteSymbols.h"
#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/ObjectLinkingLayer.h"
#include "llvm/ExecutionEngine/Orc/SelfExecutorProcessControl.h"
#include "llvm/ExecutionEngine/Orc/TaskDispatch.h"
#include "llvm/Support/MemoryBuffer.h"
#include <atomic>
#include <mutex>
#include <spl/Error.h>
#include <spl/cpu_abi.h>

namespace spl::jit {

using namespace llvm::orc;

namespace {

/// The part of ORC that links object files. It has no platform, because kernels have no static
/// constructors. It compiles only what is compiled later.
class Linker {
public:
  Linker(std::unique_ptr<ExecutorProcessControl> process, const codegen::Options &options)
      : session(std::move(process)), objects(session), code(session.createBareJITDylib("kernels")),
        options(options) {}
  ~Linker() { llvm::consumeError(session.endSession()); }

  llvm::Error defineSymbols();
  /// Adds what an archive contains, or one object file.
  llvm::Error add(llvm::StringRef code);
  /// Whether the entry is compiled when it is needed.
  bool isLater(const std::string &symbol) const { return later.contains(symbol); }
  /// The entry with this symbol. Compiles it first if that is due. Several threads may call this.
  llvm::Expected<spl_cpu_entry> entryAt(const std::string &symbol);

private:
  llvm::Error addObject(llvm::StringRef object);

  ExecutionSession session;
  ObjectLinkingLayer objects;
  JITDylib &code;
  const codegen::Options options;
  std::mutex mutex;                   ///< guards what follows
  llvm::StringMap<std::string> later; ///< the MIR of what is compiled later, by symbol
  bool hasMathLibrary = false;
};

} // namespace

// Defines the symbols that compiled code calls: the functions of the CPU backend (CpuImports.def)
// and those of this process, such as libm's. addObject adds those of the math library.
llvm::Error Linker::defineSymbols() {
  const auto entry = [](auto *function) {
    return ExecutorSymbolDef(ExecutorAddr::fromPtr(function),
                             llvm::JITSymbolFlags::Exported | llvm::JITSymbolFlags::Callable);
  };
  const SymbolMap runtime{
#define SPL_CPU_IMPORT(NAME) {session.intern(#NAME), entry(&NAME)},
#include "spl/CpuImports.def"
  };
  if (llvm::Error error = code.define(absoluteSymbols(runtime)))
    return error;
  auto process = DynamicLibrarySearchGenerator::GetForCurrentProcess(/*GlobalPrefix=*/'\0');
  if (!process)
    return process.takeError();
  code.addGenerator(std::move(*process));
  return llvm::Error::success();
}

llvm::Error Linker::addObject(llvm::StringRef object) {
  // The math library is opened only for code that calls it, because that takes milliseconds.
  if (!hasMathLibrary && object.contains("Sleef_")) {
    auto library =
        DynamicLibrarySearchGenerator::Load(abi::hostMathLibrary.data(), /*GlobalPrefix=*/'\0');
    if (!library)
      return library.takeError();
    code.addGenerator(std::move(*library));
    hasMathLibrary = true;
  }
  return objects.add(code, llvm::MemoryBuffer::getMemBufferCopy(object, "kernels"));
}

llvm::Error Linker::add(llvm::StringRef bytes) {
  llvm::Expected<codegen::ArchiveContent> content = codegen::readArchive(bytes);
  if (!content)
    return content.takeError();
  for (llvm::StringRef object : content->codes)
    if (llvm::Error error = addObject(object))
      return error;
  for (const auto &[symbol, mir] : content->later)
    later[symbol] = mir.str();
  return llvm::Error::success();
}

llvm::Expected<spl_cpu_entry> Linker::entryAt(const std::string &symbol) {
  const std::lock_guard lock(mutex);
  if (auto part = later.find(symbol); part != later.end()) {
    llvm::Expected<llvm::SmallVector<char, 0>> object =
        options.target->emitLater(part->second, /*groupSize=*/0, options);
    if (!object)
      return object.takeError();
    if (llvm::Error error = addObject({object->data(), object->size()}))
      return std::move(error);
    later.erase(part);
  }
  llvm::Expected<ExecutorSymbolDef> found = session.lookup({&code}, symbol);
  if (!found)
    return found.takeError();
  return found->getAddress().toPtr<spl_cpu_entry>();
}

/// The function that finds the entries of a kernel which are compiled later, HostKernel::find.
static std::function<spl_cpu_entry(std::size_t)> finderOf(const std::shared_ptr<Linker> &linker,
                                                          const std::string &symbol) {
  // So that only the first launch of a version takes the lock of the linker.
  struct Found {
    std::atomic<spl_cpu_entry> entries[abi::Contract::FirstUnmet + abi::Contract::maxGroups] = {};
  };
  return [linker, symbol, found = std::make_shared<Found>()](std::size_t version) {
    if (const spl_cpu_entry known = found->entries[version])
      return known;
    llvm::Expected<spl_cpu_entry> entry = linker->entryAt(symbol + abi::versionSuffix(version));
    if (entry)
      return found->entries[version] = *entry;
    ErrorInfo info;
    info.code = ErrorCode::CompileFailed;
    info.message = symbol + " cannot be compiled: " + llvm::toString(entry.takeError());
    throw Error(info);
  };
}

llvm::Expected<HostCode> linkIntoProcess(llvm::StringRef code,
                                         llvm::ArrayRef<driver::KernelInfo> kernels,
                                         const codegen::Options &options) {
  auto process =
      SelfExecutorProcessControl::Create(nullptr, std::make_unique<InPlaceTaskDispatcher>());
  if (!process)
    return process.takeError();
  auto linker = std::make_shared<Linker>(std::move(*process), options);
  if (llvm::Error error = linker->defineSymbols())
    return error;
  if (llvm::Error error = linker->add(code))
    return error;

  HostCode host;
  for (const driver::KernelInfo &kernel : kernels) {
    HostKernel &linked = host.kernels.emplace_back(HostKernel{Signature(kernel.signature)});
    for (std::size_t version = 0; version < kernel.signature.versionCount(); ++version) {
      const std::string symbol = kernel.entrySymbol + abi::versionSuffix(version);
      spl_cpu_entry &entry = version == abi::Contract::Checked     ? linked.entry
                             : version == abi::Contract::Unchecked ? linked.unchecked
                                                                   : linked.unmet.emplace_back();
      if (linker->isLater(symbol)) {
        linked.find = finderOf(linker, kernel.entrySymbol);
        continue;
      }
      llvm::Expected<spl_cpu_entry> found = linker->entryAt(symbol);
      if (!found)
        return found.takeError();
      entry = *found;
    }
  }
  host.owner = std::move(linker);
  return host;
}

} // namespace spl::jit
