// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/OwnMath.h"
#include "codegen/LinkNeeded.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Bitcode/BitcodeReader.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/MemoryBufferRef.h"

namespace spl::codegen {
namespace {

constexpr unsigned char bitcode[] = {
#include "MathFunctions.bc.inc"
};

constexpr llvm::StringLiteral functions[] = {
#define FUNCTION(Name) #Name,
#include "intrinsics/math/Functions.def"
};

constexpr llvm::StringLiteral mark = "spl-own-math";

/// Whether the module declares a function of the library.
bool callsOwnMath(const llvm::Module &module) {
  auto isOwn = [](llvm::StringRef symbol) {
    if (!symbol.consume_front("spl_"))
      return false;
    const llvm::StringRef name = symbol.substr(0, symbol.rfind("_f"));
    return isOwnMath(name) || name == "sincos";
  };
  return llvm::any_of(module, [&](const llvm::Function &function) {
    return function.isDeclaration() && isOwn(function.getName());
  });
}

} // namespace

llvm::ArrayRef<llvm::StringLiteral> ownMathFunctions() { return functions; }

bool isOwnMath(llvm::StringRef name) { return llvm::is_contained(functions, name); }

std::string ownMathSymbol(llvm::StringRef name, bool isDouble, unsigned lanes) {
  std::string symbol = ("spl_" + name + (isDouble ? "_f64" : "_f32")).str();
  return lanes == 1 ? symbol : symbol + "x" + std::to_string(lanes);
}

llvm::Error linkOwnMath(llvm::Module &module) {
  if (!callsOwnMath(module))
    return llvm::Error::success();
  constexpr llvm::StringLiteral name = "the math functions";
  const llvm::MemoryBufferRef bytes({reinterpret_cast<const char *>(bitcode), sizeof bitcode},
                                    name);
  llvm::Expected<std::unique_ptr<llvm::Module>> library =
      llvm::getLazyBitcodeModule(bytes, module.getContext());
  if (!library)
    return library.takeError();
  for (llvm::Function &function : **library) {
    function.removeFnAttr("no-builtins");
    if (function.isIntrinsic())
      continue;
    function.addFnAttr(mark);
    if (!function.hasFnAttribute(llvm::Attribute::NoInline))
      function.addFnAttr(llvm::Attribute::AlwaysInline);
  }
  return linkNeeded(module, std::move(*library), name);
}

bool isLinkedOwnMath(const llvm::Function &function) { return function.hasFnAttribute(mark); }

} // namespace spl::codegen
