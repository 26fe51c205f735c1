// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/DeviceMath.h"
#include "codegen/LinkNeeded.h"
#include "codegen/Pipeline.h"
#include "codegen/targets/nvptx/Toolkit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

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

/// The place beside this program comes first, so that a copied folder with both works on a machine
/// without libclc.
Paths libclcPaths() {
  static char here; // an address in this program
  const std::string program = llvm::sys::fs::getMainExecutable(nullptr, &here);
  Paths paths;
  if (!program.empty())
    paths.push_back((llvm::sys::path::parent_path(llvm::sys::path::parent_path(program)) +
                     "/share/clc/nvptx64--.bc")
                        .str());
#define LIBCLC_PATH(Path) paths.push_back(Path);
#include "codegen/targets/nvptx/LibclcPaths.def"
  return paths;
}

std::string firstThere(const Paths &paths) {
  for (const std::string &path : paths)
    if (llvm::sys::fs::exists(path))
      return path;
  return "";
}

llvm::Error notFound(llvm::StringRef library, llvm::StringRef hint, const Paths &paths) {
  return userError(mir::PassDiagnostic::MathLibrary,
                   "no " + library + " found; looked for " + llvm::join(paths, ", ") + "; " + hint);
}

constexpr llvm::StringLiteral installToolkit =
    "install a CUDA toolkit and set CUDA_HOME, or use --math-library=libclc";
constexpr llvm::StringLiteral installLibclc = "install the package libclc-22";

llvm::Expected<std::unique_ptr<llvm::Module>> parse(const std::string &path,
                                                    llvm::LLVMContext &context) {
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
      llvm::MemoryBuffer::getFile(path, /*IsText=*/false, /*RequiresNullTerminator=*/false);
  if (!file)
    return userError(mir::PassDiagnostic::MathLibrary,
                     "cannot read " + path + ": " + file.getError().message());
  // Loads functions lazily, because a kernel calls few of the hundreds of functions.
  llvm::Expected<std::unique_ptr<llvm::Module>> library =
      llvm::getOwningLazyBitcodeModule(std::move(*file), context);
  if (!library)
    return userError(mir::PassDiagnostic::MathLibrary,
                     "cannot read " + path + ": " + llvm::toString(library.takeError()));
  return library;
}

// The beginnings of symbols: in libdevice, in our corrections of libclc, and in libclc itself.
constexpr llvm::StringLiteral libdevicePrefix = "__nv_", correctedPrefix = "spl_clc_",
                              mangledPrefix = "_Z";

constexpr unsigned char libclcCorrections[] = {
#include "LibclcCorrections.bc.inc"
};

bool isCorrected(llvm::StringRef function) {
  return llvm::is_contained({"asin", "atan", "cosh", "exp2f", "expm1", "fmodf", "lgammaf", "pow",
                             "sinh", "tan", "tgamma", "tgammaf"},
                            function);
}

} // namespace

llvm::Expected<DeviceMath> DeviceMath::find(MathLibrary kind) {
  std::string libdevice = firstThere(libdevicePaths()), libclc = firstThere(libclcPaths());
  switch (kind) {
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

MathLibrary mathLibraryOf(const Options &options) {
  const llvm::StringRef name = options.own.get(mathLibraryOption);
  const auto *found = llvm::find(mathLibraryNames, name);
  return found == std::end(mathLibraryNames) ? MathLibrary::Auto
                                             : MathLibrary(found - std::begin(mathLibraryNames));
}

std::string DeviceMath::symbol(llvm::StringRef name, bool isDouble, unsigned arity) const {
  std::string function = (name + (isDouble ? "" : "f")).str();
  if (library == MathLibrary::Libdevice)
    return libdevicePrefix.str() + function;
  if (isCorrected(function))
    return correctedPrefix.str() + function;
  // OpenCL C overloads its functions. The symbol is name(float, ...) with the name mangling of C++.
  return mangledPrefix.str() + std::to_string(name.size()) + name.str() +
         std::string(arity, isDouble ? 'd' : 'f');
}

bool DeviceMath::isSymbol(llvm::StringRef name) {
  return llvm::any_of(
      std::initializer_list<llvm::StringRef>{libdevicePrefix, correctedPrefix, mangledPrefix},
      [&](llvm::StringRef prefix) { return name.starts_with(prefix); });
}

llvm::Error DeviceMath::link(llvm::Module &module) const {
  if (library == MathLibrary::Libclc) {
    llvm::StringRef bytes(reinterpret_cast<const char *>(libclcCorrections),
                          sizeof libclcCorrections);
    llvm::Expected<std::unique_ptr<llvm::Module>> corrections =
        llvm::parseBitcodeFile({bytes, "libclc's corrections"}, module.getContext());
    if (!corrections)
      return corrections.takeError();
    if (llvm::Error error = linkNeeded(module, std::move(*corrections), "libclc's corrections"))
      return error;
  }
  llvm::Expected<std::unique_ptr<llvm::Module>> bitcode = parse(path, module.getContext());
  if (!bitcode)
    return bitcode.takeError();
  return linkNeeded(module, std::move(*bitcode), path);
}

llvm::Expected<const DeviceMath *> LazyDeviceMath::get() {
  const std::lock_guard lock(mutex);
  if (!found) {
    llvm::Expected<DeviceMath> library = DeviceMath::find(kind);
    if (!library)
      return library.takeError();
    found = std::move(*library);
  }
  return &*found;
}

} // namespace spl::codegen
