// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU architectures for which PTX can be generated (Archs.def), as constants.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace spl::codegen {

/// A row of Archs.def.
struct NvptxArch {
  llvm::StringLiteral name;
  unsigned ptxVersion; ///< the lowest version that supports it, times ten
  unsigned threads;    ///< the maximum number of resident work-items on a multiprocessor
  unsigned groups;     ///< the maximum number of resident groups on a multiprocessor

  /// The compute capability: 90 for sm_90a.
  unsigned number() const;
};
llvm::ArrayRef<NvptxArch> nvptxArchs();
/// The architecture with this name, which must exist.
const NvptxArch &nvptxArch(llvm::StringRef name);
/// The newest architecture whose code runs on a device of this compute capability (90 for 9.0).
/// Fails if there is none.
llvm::Expected<std::string> archForCapability(unsigned capability);
/// The architecture that a name such as "SM_80" or "compute_80" was meant to be, or "".
std::string similarArch(llvm::StringRef name);

} // namespace spl::codegen
