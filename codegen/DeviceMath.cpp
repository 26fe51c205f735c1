// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/DeviceMath.h"
#include "codegen/Toolkit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Transforms/IPO/Internalize.h"

namespace spl::codegen {
namespace {

using Paths = llvm::SmallVector<std::string>;

Paths libdevicePaths() {
  Paths paths;
  for (const std::string &folder : toolkitFolders())
    for (const char *below : {"/nvvm/libdevice", "/libdevice"})
      paths.push_back(folder + below + "/libdevice.10.bc");
  return paths;
}

Paths libclcPaths() {
  return {"/usr/lib/clc/nvptx64--nvidiacl.bc", "/usr/share/clc/nvptx64--nvidiacl.bc",
          "/usr/lib/llvm-22/share/clc/nvptx64--nvidiacl.bc"};
}

std::string firstThere(const Paths &paths) {
  for (const std::string &path : paths)
    if (llvm::sys::fs::exists(path))
      return path;
  return "";
}

llvm::Error notFound(llvm::StringRef library, llvm::StringRef remedy, const Paths &paths) {
  return llvm::createStringError("no " + library + " found; looked for " + llvm::join(paths, ", ") +
                                 "; " + remedy);
}

constexpr llvm::StringLiteral installToolkit =
    "install a CUDA toolkit and set CUDA_HOME, or use --math-library=libclc";
constexpr llvm::StringLiteral installLibclc = "install the package libclc-22";

llvm::Expected<std::unique_ptr<llvm::Module>> parse(const std::string &path,
                                                    llvm::LLVMContext &context) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return llvm::createStringError("cannot read " + path + ": " + file.getError().message());
  // Lazily: of hundreds of functions a kernel calls one or two.
  llvm::Expected<std::unique_ptr<llvm::Module>> library =
      llvm::getOwningLazyBitcodeModule(std::move(*file), context);
  if (!library)
    return llvm::createStringError("cannot read " + path + ": " +
                                   llvm::toString(library.takeError()));
  return library;
}

/// The library's own idea of a target, which would keep its functions from being inlined.
void forgetTarget(llvm::Module &library, const llvm::Module &module) {
  library.setDataLayout(module.getDataLayout());
  library.setTargetTriple(module.getTargetTriple());
  llvm::SmallVector<llvm::NamedMDNode *> metadata(
      llvm::make_pointer_range(library.named_metadata()));
  for (llvm::NamedMDNode *node : metadata)
    node->eraseFromParent();
}

} // namespace

llvm::Expected<DeviceMath> DeviceMath::find(MathLibrary wanted) {
  std::string libdevice = firstThere(libdevicePaths()), libclc = firstThere(libclcPaths());
  switch (wanted) {
  case MathLibrary::Libdevice:
    if (libdevice.empty())
      return notFound("libdevice", installToolkit, libdevicePaths());
    return DeviceMath{MathLibrary::Libdevice, libdevice};
  case MathLibrary::Libclc:
    if (libclc.empty())
      return notFound("libclc for nvptx64", installLibclc, libclcPaths());
    return DeviceMath{MathLibrary::Libclc, libclc};
  case MathLibrary::Auto:
    if (!libdevice.empty())
      return DeviceMath{MathLibrary::Libdevice, libdevice};
    if (!libclc.empty())
      return DeviceMath{MathLibrary::Libclc, libclc};
    Paths both = libdevicePaths();
    both.append(libclcPaths());
    return notFound("device math library", installLibclc, both);
  }
  llvm_unreachable("every library is above");
}

std::string DeviceMath::symbol(llvm::StringRef name, bool isDouble, unsigned arity) const {
  if (library == MathLibrary::Libdevice)
    return ("__nv_" + name + (isDouble ? "" : "f")).str();
  // OpenCL C overloads its functions: C++'s mangling of name(float, ...).
  return "_Z" + std::to_string(name.size()) + name.str() + std::string(arity, isDouble ? 'd' : 'f');
}

llvm::Error DeviceMath::link(llvm::Module &module) const {
  llvm::Expected<std::unique_ptr<llvm::Module>> bitcode = parse(path, module.getContext());
  if (!bitcode)
    return bitcode.takeError();
  forgetTarget(**bitcode, module);
  auto internalize = [](llvm::Module &linked, const llvm::StringSet<> &added) {
    llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
      return !value.hasName() || !added.count(value.getName());
    });
    for (const auto &name : added)
      if (llvm::Function *function = linked.getFunction(name.first()))
        for (const char *attribute : {"target-cpu", "target-features", "frame-pointer"})
          function->removeFnAttr(attribute);
  };
  if (llvm::Linker::linkModules(module, std::move(*bitcode), llvm::Linker::LinkOnlyNeeded,
                                internalize))
    return llvm::createStringError("cannot link " + path);
  return llvm::Error::success();
}

} // namespace spl::codegen
