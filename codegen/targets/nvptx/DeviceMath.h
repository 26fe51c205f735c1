// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The library of the math functions that the project does not have itself (codegen/OwnMath.h), with
// which PTX is linked: NVIDIA's libdevice if a CUDA toolkit is found, otherwise libclc's bitcode (a
// Debian package). The library is searched for at the first use of a function that needs it. If it
// is not found, the error says where it was searched for and which package installs it.
#pragma once

#include "codegen/Options.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <mutex>
#include <optional>
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

/// The library of functions such as tan and cbrt on NVIDIA GPUs. Auto is libdevice if a CUDA
/// toolkit is found, otherwise libclc.
enum class MathLibrary { Auto, Libdevice, Libclc };
/// The values of --math-library, indexed by MathLibrary.
inline constexpr llvm::StringLiteral mathLibraryNames[] = {"auto", "libdevice", "libclc"};
inline constexpr llvm::StringLiteral mathLibraryOption = "math-library";
MathLibrary mathLibraryOf(const Options &options);

struct DeviceMath {
  MathLibrary library; ///< never Auto
  std::string path;    ///< the bitcode file

  static llvm::Expected<DeviceMath> find(MathLibrary kind);

  /// The symbol of the function with this C name and this number of parameters. All parameters are
  /// f64 if isDouble is true, otherwise f32.
  std::string symbol(llvm::StringRef name, bool isDouble, unsigned arity) const;
  /// Whether symbol() may return the name, with any of the libraries.
  static bool isSymbol(llvm::StringRef name);
  /// Copies the functions that the module calls from the library into the module, as internal
  /// functions.
  llvm::Error link(llvm::Module &module) const;
};

/// The device math library, which is searched for at its first use. Several threads may use it.
class LazyDeviceMath {
public:
  explicit LazyDeviceMath(MathLibrary kind) : kind(kind) {}
  llvm::Expected<const DeviceMath *> get();

private:
  MathLibrary kind;
  std::mutex mutex;
  std::optional<DeviceMath> found; ///< guarded by mutex; not changed once it is set
};

} // namespace spl::codegen
