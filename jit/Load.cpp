// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/Load.h"
#include "jit/HostJit.h"
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

[[noreturn]] void failWithDiagnostics(driver::Compilation &compilation) {
  std::string text;
  llvm::raw_string_ostream os(text);
  compilation.diagnostics().print(os, /*colour=*/false);
  while (!text.empty() && text.back() == '\n')
    text.pop_back();
  fail(ErrorCode::CompileFailed, text);
}

Image hostImage(const driver::Compiled &compiled, bool isInterruptible) {
  llvm::Expected<HostCode> code = linkIntoProcess(compiled.code, compiled.kernels);
  if (!code)
    fail(ErrorCode::InvalidImage, llvm::toString(code.takeError()));
  for (HostKernel &kernel : code->kernels)
    kernel.interruptible = isInterruptible;
  return std::move(*code);
}

llvm::Expected<codegen::TargetSpec> targetOf(const DeviceInfo &device) {
  switch (device.backend) {
  case Backend::Cpu:
    return codegen::TargetSpec::parse("cpu");
  case Backend::Cuda:
    return codegen::TargetSpec::forCapability(static_cast<unsigned>(device.capability));
  }
  __builtin_unreachable();
}

Image imageFor(Backend backend, driver::Compilation &compilation, const CacheUse &cache) {
  std::optional<driver::Compiled> compiled = compile(
      compilation, backend == Backend::Cpu ? driver::Stage::Obj : driver::Stage::Ptx, cache);
  if (!compiled)
    failWithDiagnostics(compilation);
  switch (backend) {
  case Backend::Cpu:
    return hostImage(*compiled, compilation.options().codegen.interruptible);
  case Backend::Cuda: // the signatures travel in the PTX's own comment lines
    return DeviceCode{std::move(compiled->code), {}};
  }
  __builtin_unreachable();
}

} // namespace

codegen::TargetSpec targetOf(const Context &context) {
  llvm::Expected<codegen::TargetSpec> target = targetOf(context.device());
  if (!target)
    fail(ErrorCode::UnsupportedOnTarget, llvm::toString(target.takeError()));
  return *target;
}

Module load(const Context &context, driver::Compilation &compilation, const CacheUse &cache) {
  return Module::load(context, imageFor(context.backend(), compilation, cache));
}

} // namespace spl::jit
