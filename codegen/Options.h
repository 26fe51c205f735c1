// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a compilation may be asked for. Plain data, valid by construction once the target is parsed.
#pragma once

#include "codegen/Target.h"
#include "mir/transforms/CheckKinds.h"
#include <string>

namespace spl::codegen {

struct Options {
  TargetSpec target;
  unsigned optLevel = 2;                           ///< 0 to 3
  mir::CheckKinds checks = mir::CheckKinds::all(); ///< those that spl-select-checks keeps
  bool contracts = true;   ///< also make the kernels that run where a launch contract holds
  bool fastMath = false;   ///< allow reassociation, approximations and flushing of subnormals
  bool lineInfo = false;   ///< lines of the source in the code, for profilers and debuggers
  TargetOptions own;       ///< options that targets declare; each target reads its own
  bool timePasses = false; ///< report on standard error how long each pass took
  std::string printAfter;  ///< print MIR on standard error after the passes of that name
};

} // namespace spl::codegen
