// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/random/Builds.h"

#include "frontend/diag/Engine.h"
#include "test/random/Compiling.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::random {

std::string BuildOptions::str() const {
  return target + " -O" + std::to_string(optLevel) + (checks ? "" : " --check=none") +
         (contracts ? "" : " without contracts");
}

std::string ReportedFault::str() const {
  auto triple = [](const std::array<std::int64_t, 3> &ids) {
    return "(" + std::to_string(ids[0]) + ", " + std::to_string(ids[1]) + ", " +
           std::to_string(ids[2]) + ")";
  };
  return "fault " + std::to_string(kind) + " at " + file + ":" + std::to_string(line) + ":" +
         std::to_string(column) + ", " + std::to_string(value) + " of " + std::to_string(bound) +
         ", in work-item " + triple(workItem) + " of group " + triple(group);
}

std::string errorsOf(driver::Compilation &compilation) {
  std::string text;
  llvm::raw_string_ostream os(text);
  compilation.diagnostics().print(os, /*colour=*/false);
  return text;
}

std::unique_ptr<Build> compile(const Text &text, const BuildOptions &options) {
  driver::CompileOptions compile;
  compile.codegen.target = options.isDevice()
                               ? deviceTarget()
                               : llvm::cantFail(codegen::TargetSpec::parse(options.target));
  compile.codegen.optLevel = options.optLevel;
  compile.codegen.checks = llvm::cantFail(mir::CheckKinds::parse(options.checks ? "all" : "none"));
  compile.codegen.contracts = options.contracts;
  compile.instances = text.instances;
  compile.includes = text.includes();
  driver::Compilation compilation(compile);
  if (!compilation.setText("random.spl", text.main))
    throw std::runtime_error(errorsOf(compilation));
  return options.isPtx()
             ? makePtxBuild(compilation)
             : makeRuntimeBuild(compilation, options.isDevice() ? Backend::Cuda : Backend::Cpu);
}

} // namespace spl::random
