// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU architectures that PTX is written for (Archs.def), as constants.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <string>

namespace spl::codegen {

/// A GPU architecture that PTX is written for.
struct NvptxArch {
  llvm::StringLiteral name;
  unsigned ptxVersion; ///< the lowest that knows it, times ten: drivers refuse what is newer
  unsigned threads;    ///< work-items that a multiprocessor has room for
  unsigned groups;     ///< and groups, however small

  /// Its compute capability: 90 of sm_90a.
  unsigned number() const;
};
llvm::ArrayRef<NvptxArch> nvptxArchs();
/// The one of that name, which there is.
const NvptxArch &nvptxArch(llvm::StringRef name);
/// The newest one whose code a device of that compute capability (90 for 9.0) runs.
llvm::Expected<std::string> archForCapability(unsigned capability);
/// The name that "SM_80" or "compute_80" was meant to be; "" for none.
std::string similarArch(llvm::StringRef name);

} // namespace spl::codegen
