// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of code generation. Plain data.
#pragma once

#include "codegen/Target.h"
#include "mir/transforms/CheckKinds.h"
#include <string>

namespace spl::codegen {

struct Options {
  TargetSpec target;
  unsigned optLevel = 2;                           ///< 0 to 3
  mir::CheckKinds checks = mir::CheckKinds::all(); ///< the checks that spl-select-checks keeps
  bool contracts = true;   ///< also compile the kernels that run if their launch contract holds
  bool fastMath = false;   ///< allow reassociation, approximations and flushing of subnormals
  bool lineInfo = false;   ///< add the lines of the source to the code, for profilers and debuggers
  bool instrument = false; ///< report accesses to the detector of a checked launch; CPU only
  TargetOptions own;       ///< options that targets declare; each target reads only its own
  bool timePasses = false; ///< print the time of each pass on standard error
  std::string printAfter;  ///< print MIR on standard error after passes with this name
};

} // namespace spl::codegen
