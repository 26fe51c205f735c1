// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/DeviceMath.h"
#include "codegen/LinkNeeded.h"
#include "codegen/Toolkit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

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
  return {"/usr/lib/clc/nvptx64--.bc", "/usr/share/clc/nvptx64--.bc",
          "/usr/lib/llvm-22/share/clc/nvptx64--.bc"};
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

/// Where libclc's functions are not what the language says, and what is called instead: exp flushes
/// results that are subnormal, fmod operands and results; pow on f64 takes no exponent beyond 2^64.
/// spl.clc.exp scales arguments whose result would be subnormal: -44.34375 is added without
/// rounding.
constexpr llvm::StringLiteral libclcCorrections = R"(
declare float @_Z3expf(float)
declare double @_Z4fmoddd(double, double)
declare double @_Z3powdd(double, double)
define float @spl.clc.expf(float %x) {
  %small = fcmp olt float %x, -87.0
  %shifted = fadd float %x, 44.34375
  %argument = select i1 %small, float %shifted, float %x
  %scale = select i1 %small, float 0x3BF0490480000000, float 1.0
  %result = call float @_Z3expf(float %argument)
  %scaled = fmul float %result, %scale
  ret float %scaled
}
define float @spl.clc.fmodf(float %x, float %y) {
  %wide.x = fpext float %x to double
  %wide.y = fpext float %y to double
  %wide = call double @_Z4fmoddd(double %wide.x, double %wide.y)
  %result = fptrunc double %wide to float
  ret float %result
}
define double @spl.clc.pow(double %x, double %y) {
  %high = fcmp ogt double %y, 0x43F0000000000000
  %low = fcmp olt double %y, 0xC3F0000000000000
  %capped = select i1 %high, double 0x43F0000000000000, double %y
  %exponent = select i1 %low, double 0xC3F0000000000000, double %capped
  %result = call double @_Z3powdd(double %x, double %exponent)
  ret double %result
}
)";

bool isCorrected(llvm::StringRef function) {
  return llvm::is_contained({"expf", "fmodf", "pow"}, function);
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
  std::string function = (name + (isDouble ? "" : "f")).str();
  if (library == MathLibrary::Libdevice)
    return "__nv_" + function;
  if (isCorrected(function))
    return "spl.clc." + function;
  // OpenCL C overloads its functions: C++'s mangling of name(float, ...).
  return "_Z" + std::to_string(name.size()) + name.str() + std::string(arity, isDouble ? 'd' : 'f');
}

llvm::Error DeviceMath::link(llvm::Module &module) const {
  if (library == MathLibrary::Libclc) {
    llvm::SMDiagnostic diagnostic;
    std::unique_ptr<llvm::Module> corrections =
        llvm::parseAssemblyString(libclcCorrections, diagnostic, module.getContext());
    if (llvm::Error error = linkNeeded(module, std::move(corrections), "libclc's corrections"))
      return error;
  }
  llvm::Expected<std::unique_ptr<llvm::Module>> bitcode = parse(path, module.getContext());
  if (!bitcode)
    return bitcode.takeError();
  return linkNeeded(module, std::move(*bitcode), path);
}

} // namespace spl::codegen
