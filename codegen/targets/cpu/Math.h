// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The host's math library: SLEEF, by the names of its functions for a machine. Its deterministic
// functions give the same bits for a scalar and for every width of vector, so that a result does
// not depend on the lane or on what was vectorised; with FMA instructions and without they may
// differ.
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
    unsigned lanes; ///< what it takes and gives: 1, or those of a vector
  };
  /// C's function of that name for that many lanes or, where there is none, fewer.
  Function find(llvm::StringRef name, bool isDouble, unsigned lanes) const;

  /// Tells the vectoriser of each call which functions do the same for vectors.
  void addVectorVariants(llvm::Module &module) const;
  /// When the module is optimised: removes what the vectoriser did not take and adds what the
  /// functions need that are not SLEEF's alone.
  static void complete(llvm::Module &module);

private:
  /// The functions for vectors of that many bits, from the widest that the machine has.
  struct Width {
    unsigned bits;
    llvm::StringLiteral suffix;
  };
  llvm::StringLiteral prefix = "", scalarSuffix = ""; ///< "" where SLEEF is not used
  llvm::SmallVector<Width, 3> widths;
};

} // namespace spl::codegen
