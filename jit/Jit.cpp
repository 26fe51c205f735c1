// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/Load.h"
#include "mir/transforms/CheckKinds.h"
#include "llvm/Support/Error.h"
#include <cstdio>
#include <spl/Error.h>
#include <spl/jit.h>

namespace spl::jit {
namespace {

[[noreturn]] void refuse(const std::string &message, const std::string &hint) {
  ErrorInfo info;
  info.code = ErrorCode::InvalidArgument;
  info.message = message;
  info.hint = hint;
  throw Error(info);
}

bool isChecked(const codegen::TargetSpec &target, bool isAsked) {
  const bool canBe = canBeChecked(target);
  if (isAsked && !canBe)
    refuse("instrument: only kernels for the CPU can be checked, and this is " +
               target->backend().str(),
           "make the context for the CPU");
  return canBe && (isAsked || isCheckingAsked());
}

driver::CompileOptions compileOptions(const Context &context, const Options &options) {
  driver::CompileOptions result;
  result.codegen.target = targetOf(context);
  if (options.optLevel < 0 || options.optLevel > 3)
    refuse("optLevel is " + std::to_string(options.optLevel), "it is 0 to 3");
  if (options.maxRegisters < 0 || options.maxRegisters > 255)
    refuse("maxRegisters is " + std::to_string(options.maxRegisters),
           "it is 1 to 255, or 0 for no limit");
  llvm::Expected<mir::CheckKinds> checks = mir::CheckKinds::parse(options.checks);
  if (!checks)
    refuse("checks: " + llvm::toString(checks.takeError()),
           "give \"all\", \"none\" or kinds separated by commas");
  result.codegen.optLevel = static_cast<unsigned>(options.optLevel);
  result.codegen.checks = *checks;
  result.codegen.contracts = options.contracts;
  result.codegen.fastMath = options.fastMath;
  result.codegen.own.set(codegen::maxRegistersOption, std::to_string(options.maxRegisters));
  if (options.interruptible)
    result.codegen.own.setFlag(codegen::interruptibleOption);
  if (isChecked(result.codegen.target, options.instrument))
    setInstrument(result.codegen);
  result.codegen.lineInfo = options.lineInfo;
  result.strictFp = options.strictFp;
  result.includes = options.includes;
  result.instances = options.instances;
  return result;
}

/// The options for a report on checks.
driver::CompileOptions reportOptions(const Context &context, const Options &options) {
  driver::CompileOptions result = compileOptions(context, options);
  result.stats = true;
  return result;
}

std::vector<CheckReport> reportChecks(driver::Compilation &compilation) {
  llvm::SmallVector<char, 0> unused;
  if (compilation.diagnostics().hasErrors() || !compilation.emit("mir-final", unused))
    failWithDiagnostics(compilation);
  return compilation.checks();
}

CacheUse cacheUse(const Options &options) {
  if (options.onWarning)
    return {options.cache, options.onWarning};
  return {options.cache, [](const std::string &text) {
            std::fprintf(stderr, "spl: warning: %s\n", text.c_str());
          }};
}

} // namespace

Module loadFile(const Context &context, const std::string &path, const Options &options) {
  driver::Compilation compilation(compileOptions(context, options));
  compilation.readFile(path);
  return load(context, compilation, cacheUse(options));
}

Module loadSource(const Context &context, const std::string &text, const std::string &name,
                  const Options &options) {
  driver::Compilation compilation(compileOptions(context, options));
  compilation.setText(name, text);
  return load(context, compilation, cacheUse(options));
}

std::vector<CheckReport> reportChecksOfFile(const Context &context, const std::string &path,
                                            const Options &options) {
  driver::Compilation compilation(reportOptions(context, options));
  compilation.readFile(path);
  return reportChecks(compilation);
}

std::vector<CheckReport> reportChecksOfSource(const Context &context, const std::string &text,
                                              const std::string &name, const Options &options) {
  driver::Compilation compilation(reportOptions(context, options));
  compilation.setText(name, text);
  return reportChecks(compilation);
}

} // namespace spl::jit
