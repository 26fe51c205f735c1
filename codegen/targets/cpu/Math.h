// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The math library of the CPU: the project's own functions (OwnMath.h) if the machine has FMA
// instructions, and SLEEF for the others. This file selects the functions for a machine. The own
// functions and the deterministic functions of SLEEF return the same bits for scalars and for
// vectors of every width. Therefore a result does not depend on the lane or on vectorisation. It
// may depend on whether the machine has FMA instructions.
#pragma once

#include "codegen/targets/cpu/Host.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace llvm {
class Module;
} // namespace llvm

namespace spl::codegen {

class CpuMath {
public:
  explicit CpuMath(const MachineKey &machine);

  struct Function {
    std::string symbol;
    unsigned lanes; ///< 1, or the number of lanes of its operands and result
  };
  /// The function with this C name. Its vectors are the narrowest ones that hold \p lanes lanes, or
  /// the widest ones if none does.
  Function find(llvm::StringRef name, bool isDouble, unsigned lanes) const;

  /// Annotates each call with its vector variants, for the vectoriser.
  void addVectorVariants(llvm::Module &module) const;
  /// Completes an optimised module: removes the variants that the vectoriser did not use, adds the
  /// bodies of the functions that correct SLEEF's early overflow, and inlines the own functions.
  static void complete(llvm::Module &module);

private:
  /// The functions for one width of vectors.
  struct Width {
    unsigned bits;
    llvm::StringLiteral suffix; ///< of SLEEF's functions
  };
  bool hasOwn = false;                                ///< whether the own functions are used
  llvm::StringLiteral prefix = "", scalarSuffix = ""; ///< "" if SLEEF is not used
  llvm::SmallVector<Width, 3> widths;
};

} // namespace spl::codegen
