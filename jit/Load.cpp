// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/Load.h"
#include "jit/DeviceJit.h"
#include "jit/HostJit.h"
#include "runtime/config/Environment.h"
#include "llvm/Support/raw_ostream.h"
#include <spl/Error.h>

namespace spl::jit {
namespace {

[[noreturn]] void fail(ErrorCode code, std::string message) {
  ErrorInfo info;
  info.code = code;
  info.message = std::move(message);
  throw Error(info);
}

Image hostImage(const driver::Compiled &compiled, const codegen::Options &options) {
  llvm::Expected<HostCode> code = linkIntoProcess(compiled.code, compiled.kernels, options);
  if (!code)
    fail(ErrorCode::InvalidImage, llvm::toString(code.takeError()));
  for (HostKernel &kernel : code->kernels) {
    kernel.interruptible = options.own.has(codegen::interruptibleOption);
    kernel.instrumented = options.instrument;
  }
  return std::move(*code);
}

Image imageFor(driver::Compilation &compilation, const CacheUse &cache) {
  const codegen::Options &options = compilation.options().codegen;
  const codegen::Output *output = options.target->outputFor(codegen::Output::Loaded);
  if (!output)
    fail(ErrorCode::UnsupportedOnTarget,
         "target " + options.target.str() + " has no code that can be loaded");
  std::optional<driver::Compiled> compiled = compile(compilation, *output, cache);
  if (!compiled)
    failWithDiagnostics(compilation);
  if (output->is(codegen::Output::HostArchive))
    return hostImage(*compiled, options);
  llvm::Expected<CompiledCode> code = deviceCode(*compiled, options);
  if (!code)
    fail(ErrorCode::InvalidImage, llvm::toString(code.takeError()));
  return std::move(*code);
}

} // namespace

void failWithDiagnostics(driver::Compilation &compilation) {
  std::string text;
  llvm::raw_string_ostream os(text);
  compilation.diagnostics().print(os, /*colour=*/false);
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  fail(ErrorCode::CompileFailed, text);
}

codegen::TargetSpec targetOf(const Context &context) {
  const DeviceInfo device = context.device();
  llvm::Expected<codegen::TargetSpec> target = codegen::TargetSpec::forDevice(
      std::string(toString(device.backend)), static_cast<unsigned>(device.capability));
  if (!target)
    fail(ErrorCode::UnsupportedOnTarget, llvm::toString(target.takeError()));
  return *target;
}

bool canBeChecked(const codegen::TargetSpec &target) {
  const codegen::Output *output = target->outputFor(codegen::Output::Loaded);
  return output && output->is(codegen::Output::HostArchive);
}

void setInstrument(codegen::Options &options) {
  options.instrument = true;
  options.checks = mir::CheckKinds::all();
  options.contracts = false;
}

bool isCheckingAsked() {
  const std::optional<std::string_view> value = detail::fromEnvironment("SPL_CHECK");
  if (!value || *value == "0")
    return false;
  if (*value == "1")
    return true;
  ErrorInfo info;
  info.code = ErrorCode::InvalidArgument;
  info.message = "SPL_CHECK is '" + std::string(*value) + "'";
  info.hint = "it is 1 to check launches on the CPU, or 0";
  throw Error(info);
}

Module load(const Context &context, driver::Compilation &compilation, const CacheUse &cache) {
  return Module::load(context, imageFor(compilation, cache));
}

} // namespace spl::jit
