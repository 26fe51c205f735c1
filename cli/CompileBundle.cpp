// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/CompileBundle.h"
#include "cli/CrashGuard.h"
#include "cli/Failure.h"
#include "cli/Reporting.h"
#include "driver/Compilation.h"
#include "spl/Bundle.h"
#include "spl/Error.h"

namespace spl::cli {

/// Any machine can be asked whether it has one of the levels, which holds for no other CPU's name.
static void requireLevel(const codegen::TargetSpec &target) {
  if (!target.isCpu())
    return;
  std::string known;
#define SPL_CPU_LEVEL(NAME)                                                                        \
  if (target.cpu == NAME)                                                                          \
    return;                                                                                        \
  known += (known.empty() ? "cpu:" : ", cpu:") + std::string(NAME);
#include "spl/CpuLevels.def"
  throw Failure(WrongUsage, "--target " + target.str() +
                                ": a bundle's code for the CPU is for one of " + known +
                                ", which the machine that loads it is asked for");
}

std::string compileBundle(const std::string &file, const std::vector<std::string> &targets,
                          const std::vector<std::string> &kernels, const CompileFlags &flags) {
  std::vector<codegen::TargetSpec> specs;
  for (const std::string &text : targets) {
    llvm::Expected<codegen::TargetSpec> target = codegen::TargetSpec::parse(text);
    if (!target)
      throw Failure(WrongUsage, llvm::toString(target.takeError()));
    requireLevel(*target);
    specs.push_back(*target);
  }
  flags.requireInterruptible(specs);
  std::vector<BundleImage> images;
  bool isReported = false;
  for (const codegen::TargetSpec &target : specs) {
    driver::CompileOptions options = flags.resolve(target);
    options.kernels = kernels;
    driver::Compilation compilation(std::move(options));
    llvm::SmallVector<char, 0> output;
    const bool done = compilation.readFile(file) &&
                      withoutCrash(compilation, [&] { return compilation.emitImage(output); });
    if (!done || !isReported)
      reportDiagnostics(compilation.diagnostics());
    if (!done)
      throw Failure(statusOf(compilation.diagnostics()), "");
    isReported |= !compilation.diagnostics().all().empty();
    BundleImage &image = images.emplace_back();
    image.target = target.str();
    image.bytes.assign(output.begin(), output.end());
    for (const driver::KernelInfo &kernel : compilation.kernels())
      image.signatures.push_back(kernel.signature);
  }
  try {
    return writeBundle(images);
  } catch (const Error &error) { // a target that is there twice
    throw Failure(WrongUsage, error.what());
  }
}

} // namespace spl::cli
