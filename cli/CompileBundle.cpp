// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/CompileBundle.h"
#include "cli/CrashGuard.h"
#include "cli/Failure.h"
#include "cli/OutputFile.h"
#include "cli/Reporting.h"
#include "driver/Compilation.h"
#include "spl/Bundle.h"
#include "spl/Error.h"
#include "spl/abi/SignatureText.h"

namespace spl::cli {

std::string compileBundle(const std::string &file, const std::string &output,
                          const std::vector<std::string> &targets,
                          const std::vector<std::string> &kernels, const CompileFlags &flags) {
  std::vector<codegen::TargetSpec> specs;
  for (const std::string &text : targets) {
    llvm::Expected<codegen::TargetSpec> target = codegen::TargetSpec::parse(text);
    if (!target)
      throw Failure(WrongUsage, llvm::toString(target.takeError()));
    if (llvm::Error error = (*target)->checkBundled(target->processor))
      throw Failure(WrongUsage,
                    "--target " + target->str() + ": " + llvm::toString(std::move(error)));
    specs.push_back(*target);
  }
  flags.requireOptions(specs);
  std::vector<BundleImage> images;
  bool isReported = false;
  for (const codegen::TargetSpec &target : specs) {
    driver::CompileOptions options = flags.resolve(target);
    options.kernels = kernels;
    driver::Compilation compilation(std::move(options));
    llvm::SmallVector<char, 0> code;
    const bool isRead = compilation.readFile(file);
    if (images.empty() && output != "-")
      requireOther({{{output, ""}}}, inputsOf(compilation));
    const bool done = isRead && withoutCrash(compilation, [&] {
                        return compilation.emitFor(codegen::Output::Bundled, code);
                      });
    if (!done || !isReported)
      reportDiagnostics(compilation.diagnostics());
    if (!done)
      throw Failure(statusOf(compilation.diagnostics()), "");
    isReported |= !compilation.diagnostics().all().empty();
    BundleImage &image = images.emplace_back();
    image.target = target.str();
    image.bytes.assign(code.begin(), code.end());
    for (const driver::KernelInfo &kernel : compilation.kernels())
      image.signatures.push_back(writeSignature(kernel.signature));
  }
  try {
    return writeBundle(images);
  } catch (const Error &error) { // two targets are the same
    throw Failure(WrongUsage, error.what());
  }
}

} // namespace spl::cli
