// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/CompileFlags.h"
#include "cli/Failure.h"
#include "cli/Help.h"
#include "cli/Reporting.h"
#include "mir/transforms/CheckKinds.h"
#include "llvm/Support/FileSystem.h"
#include <CLI/CLI.hpp>

namespace spl::cli {

/// The help of --check, with one line for each kind of CheckKinds.def.
static std::string checksHelp() {
  std::string text = "Which checks a kernel makes: all, none, or kinds with commas between them:";
#define CHECK_KIND(Id, Name, Doc) text += "\n  " Name "  " Doc;
#include "mir/transforms/CheckKinds.def"
  return text;
}

void CompileFlags::addTargetOption(CLI::App &command, const codegen::TargetOption &option) {
  const std::string name = "--" + option.name.str();
  if (option.kind == codegen::TargetOption::Kind::Flag) {
    command.add_flag_function(
        name, [this, &option](std::int64_t) { own.setFlag(option.name); }, option.help.str());
    return;
  }
  CLI::Option *added =
      takes(command.add_option_function<std::string>(
                name, [this, &option](const std::string &text) { own.set(option.name, text); },
                option.help.str()),
            option.word.str());
  if (option.kind == codegen::TargetOption::Kind::Number)
    added->check(within(0, static_cast<int>(option.max)));
  else
    added->check(oneOf({option.choices.begin(), option.choices.end()}));
}

void CompileFlags::addTo(CLI::App &command) {
  takes(command.add_option("-O", optLevel, "Optimisation, 0 to 3."), "N")
      ->check(within(0, 3))
      ->capture_default_str();
  takes(command.add_option("--check", checks, checksHelp()), "KINDS")->capture_default_str();
  command.add_flag("--no-contracts", noContracts,
                   "No versions of a kernel without the checks that its launch contract covers.");
  takes(command.add_option("-I", includes,
                           "A folder where 'use' looks after the file's own; repeatable."),
        "DIR")
      ->allow_extra_args(false);
  command.add_flag("--strict-fp", strictFp, "Round every product: no fusing of a * b + c.");
  command.add_flag("--fast-math", fastMath,
                   "Allow reassociation, approximations and flushing of subnormals.");
  for (const codegen::Target *target : codegen::allTargets())
    for (const codegen::TargetOption &option : target->options())
      addTargetOption(command, option);
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
      ->check(oneOf({"text", "json"}));
}

void CompileFlags::requireOptions(llvm::ArrayRef<codegen::TargetSpec> targets) const {
  for (const codegen::Target *owner : codegen::allTargets())
    for (const codegen::TargetOption &option : owner->options()) {
      const auto has = [&](const codegen::TargetSpec &target) {
        return target->option(option.name) != nullptr;
      };
      if (own.has(option.name) && !option.refusal.empty() && llvm::none_of(targets, has))
        throw Failure(WrongUsage, "--" + option.name.str() + " is for the target " +
                                      owner->name().str() + ", not " + targets.front().str() +
                                      ": " + option.refusal.str());
    }
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
  for (const codegen::TargetOption &option : target->options())
    options.codegen.own.set(option.name, own.get(option.name));
  options.codegen.lineInfo = lineInfo;
  options.codegen.timePasses = timePasses;
  options.codegen.printAfter = printAfter;
  options.strictFp = strictFp;
  for (const std::string &folder : includes)
    if (!llvm::sys::fs::is_directory(folder))
      throw Failure(WrongUsage, "-I '" + folder + "': there is no such folder");
  options.includes = includes;
  return options;
}

} // namespace spl::cli
