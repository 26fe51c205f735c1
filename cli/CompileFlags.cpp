// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/CompileFlags.h"
#include "cli/Failure.h"
#include "cli/Help.h"
#include "cli/Reporting.h"
#include "mir/transforms/CheckKinds.h"
#include <CLI/CLI.hpp>

namespace spl::cli {

/// The kinds of CheckKinds.def, one a line.
static std::string checksHelp() {
  std::string text = "Which checks a kernel makes: all, none, or kinds with commas between them:";
#define CHECK_KIND(Id, Name, Doc) text += "\n  " Name "  " Doc;
#include "mir/transforms/CheckKinds.def"
  return text;
}

void CompileFlags::addTo(CLI::App &command) {
  takes(command.add_option("-O", optLevel, "Optimisation, 0 to 3."), "N")
      ->check(within(0, 3))
      ->capture_default_str();
  takes(command.add_option("--check", checks, checksHelp()), "KINDS")->capture_default_str();
  command.add_flag("--no-contracts", noContracts,
                   "One kernel with all its checks, and no second one without those that its "
                   "launch contract speaks for.");
  takes(command.add_option("-I", includes,
                           "A folder where 'use' looks after the file's own; repeatable."),
        "DIR")
      ->allow_extra_args(false);
  command.add_flag("--strict-fp", strictFp, "Round every product: no fusing of a * b + c.");
  command.add_flag("--fast-math", fastMath,
                   "Allow reassociation, approximations and flushing of subnormals.");
  takes(command.add_option_function<std::string>(
            "--math-library",
            [this](const std::string &text) {
              using codegen::MathLibrary;
              mathLibrary = text == "libdevice" ? MathLibrary::Libdevice
                            : text == "libclc"  ? MathLibrary::Libclc
                                                : MathLibrary::Auto;
            },
            "Device math for PTX: auto, libdevice or libclc; auto takes libdevice where a CUDA "
            "toolkit is found."),
        "L")
      ->check(CLI::IsMember({"auto", "libdevice", "libclc"}));
  takes(command.add_option("--max-registers", maxRegisters,
                           "At most N registers a work-item (PTX), 1 to 255; 0, the default, sets "
                           "no limit."),
        "N")
      ->check(within(0, 255));
  command.add_flag("--interruptible", interruptible,
                   "For the CPU: test in each loop whether the launch's time limit is over.");
  command.add_flag("--lineinfo", lineInfo,
                   "Keep the lines of the source in the code, for profilers and debuggers; also "
                   "-lineinfo.");
  command.add_flag("--time-passes", timePasses,
                   "Report how long the compiler's passes took, on standard error.");
  takes(command.add_option("--print-after", printAfter,
                           "Print the MIR after the pass of that name, on standard error."),
        "PASS");
  takes(command.add_option_function<std::string>(
            "--diagnostics",
            [](const std::string &text) {
              setDiagnosticsFormat(text == "json" ? DiagnosticsFormat::Json
                                                  : DiagnosticsFormat::Text);
            },
            "text, or json: one object a line on standard error."),
        "FORMAT")
      ->check(CLI::IsMember({"text", "json"}));
}

void CompileFlags::requireInterruptible(llvm::ArrayRef<codegen::TargetSpec> targets) const {
  if (interruptible && llvm::none_of(targets, [](auto &target) { return target.isCpu(); }))
    throw Failure(WrongUsage, "--interruptible is for the target cpu, not " +
                                  targets.front().str() +
                                  ": a GPU's driver cannot end a kernel that runs");
}

driver::CompileOptions CompileFlags::resolve(const codegen::TargetSpec &target) const {
  llvm::Expected<mir::CheckKinds> kinds = mir::CheckKinds::parse(checks);
  if (!kinds)
    throw Failure(WrongUsage, "--check: " + llvm::toString(kinds.takeError()));
  driver::CompileOptions options;
  options.codegen.target = target;
  options.codegen.optLevel = static_cast<unsigned>(optLevel);
  options.codegen.checks = *kinds;
  options.codegen.contracts = !noContracts;
  options.codegen.fastMath = fastMath;
  options.codegen.mathLibrary = mathLibrary;
  options.codegen.maxRegisters = static_cast<unsigned>(maxRegisters);
  options.codegen.interruptible = interruptible && target.isCpu();
  options.codegen.lineInfo = lineInfo;
  options.codegen.timePasses = timePasses;
  options.codegen.printAfter = printAfter;
  options.strictFp = strictFp;
  options.includes = includes;
  return options;
}

} // namespace spl::cli
