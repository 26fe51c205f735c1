// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device math that PTX is linked with: NVIDIA's libdevice where a CUDA toolkit is found,
// libclc's bitcode (a Debian package) otherwise. Found on demand, at the first use of a function
// that only such a library has; a library that is asked for and not there is an error that says
// where it was looked for and what installs it.
#pragma once

#include "codegen/Options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// Where exp, sin and their like come from on NVIDIA GPUs. Auto takes libdevice where a CUDA
/// toolkit is found and libclc's bitcode otherwise.
enum class MathLibrary { Auto, Libdevice, Libclc };
/// By MathLibrary, as --math-library takes them.
inline constexpr llvm::StringLiteral mathLibraryNames[] = {"auto", "libdevice", "libclc"};
inline constexpr llvm::StringLiteral mathLibraryOption = "math-library";
MathLibrary mathLibraryOf(const Options &options);

struct DeviceMath {
  MathLibrary library; ///< never Auto
  std::string path;    ///< the bitcode file

  static llvm::Expected<DeviceMath> find(MathLibrary kind);

  /// The symbol of C's function of that name: on f64 if isDouble, else on f32, all parameters
  /// alike.
  std::string symbol(llvm::StringRef name, bool isDouble, unsigned arity) const;
  /// Adds to the module what it calls of the library, as internal functions.
  llvm::Error link(llvm::Module &module) const;
};

} // namespace spl::codegen
