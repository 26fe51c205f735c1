// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simple compile: one file to any stage of the compiler.
#include "cli/Commands.h"
#include "cli/CompileBundle.h"
#include "cli/CompileFlags.h"
#include "cli/CrashGuard.h"
#include "cli/Failure.h"
#include "cli/Help.h"
#include "cli/OutputFile.h"
#include "cli/Reporting.h"
#include "driver/Compilation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

namespace spl::cli {
namespace {

struct Options {
  std::string file;
  std::string output;
  std::string emit; ///< empty: what suits the target
  std::vector<std::string> targets;
  std::vector<std::string> kernels;
  bool stats = false;
  CompileFlags compile;
};

constexpr const char *defaultTarget = "sm_75";
constexpr const char *bundle = "bundle";

driver::Stage stageOf(const Options &options, const codegen::TargetSpec &target) {
  if (options.emit.empty())
    return target.isCpu() ? driver::Stage::Asm : driver::Stage::Ptx;
  if (std::optional<driver::Stage> stage = driver::stageNamed(options.emit))
    return *stage;
  std::string known;
#define STAGE(Id, Name, ...) known += (known.empty() ? "" : ", ") + std::string(Name);
#include "driver/Stages.def"
  throw Failure(WrongUsage,
                "--emit takes one of " + known + ", " + bundle + ", not '" + options.emit + "'");
}

void requireStage(driver::Stage stage, const codegen::TargetSpec &target) {
  using enum driver::Stage;
  if (target.isCpu() ? stage == Ptx || stage == Cubin : stage == Asm || stage == Obj)
    throw Failure(WrongUsage,
                  "--emit " + driver::info(stage).name.str() + " is not for target " +
                      target.str() +
                      (target.isCpu() ? ", which has asm and obj" : ", which has ptx and cubin"));
}

// Text goes to standard output unless -o says otherwise, the rest beside the source.
std::string outputPath(const Options &options, bool isText, llvm::StringRef extension) {
  if (!options.output.empty())
    return options.output;
  if (isText)
    return "-";
  llvm::SmallString<128> path(options.file);
  llvm::sys::path::replace_extension(path, extension);
  return path.str().str();
}

// Standard output is flushed, and a failure of that reported, at the program's end.
void write(const std::string &path, llvm::ArrayRef<char> bytes) {
  if (path == "-")
    std::cout.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  else
    writeFile(path, {{bytes.data(), bytes.size()}});
}

void compileForSeveral(const Options &options) {
  if (options.targets.empty())
    throw Failure(WrongUsage, "--emit bundle holds code for the targets that are named: give "
                              "--target, several times, as sm_75 and cpu:x86-64-v3");
  if (options.stats)
    throw Failure(WrongUsage, "--stats is for one target; it does not go with --emit bundle");
  const std::string path = outputPath(options, /*isText=*/false, ".bundle");
  if (path != "-")
    requireOther(path, options.file);
  write(path, compileBundle(options.file, options.targets, options.kernels, options.compile));
}

void compile(const Options &options) {
  if (options.emit == bundle)
    return compileForSeveral(options);
  if (options.targets.size() > 1)
    throw Failure(WrongUsage, "--target: only --emit bundle takes several");
  llvm::Expected<codegen::TargetSpec> target =
      codegen::TargetSpec::parse(options.targets.empty() ? defaultTarget : options.targets.front());
  if (!target)
    throw Failure(WrongUsage, llvm::toString(target.takeError()));
  const driver::Stage stage = stageOf(options, *target);
  requireStage(stage, *target);
  options.compile.requireInterruptible(*target);
  driver::CompileOptions compileOptions = options.compile.resolve(*target);
  compileOptions.kernels = options.kernels;
  compileOptions.stats = options.stats;
  if (options.stats &&
      !llvm::is_contained({driver::Stage::Ptx, driver::Stage::Cubin, driver::Stage::Asm}, stage))
    throw Failure(WrongUsage, "--stats counts what is generated: it goes with --emit ptx, cubin or "
                              "asm, not " +
                                  driver::info(stage).name.str());
  const std::string path =
      outputPath(options, driver::info(stage).isText, driver::info(stage).extension);
  if (path != "-")
    requireOther(path, options.file);

  driver::Compilation compilation(std::move(compileOptions));
  llvm::SmallVector<char, 0> output;
  const bool done = compilation.readFile(options.file) &&
                    withoutCrash(compilation, [&] { return compilation.emit(stage, output); });
  reportDiagnostics(compilation.diagnostics());
  if (!done)
    throw Failure(statusOf(compilation.diagnostics()), "");
  write(path, output);
  std::cerr << compilation.stats().str();
}

} // namespace

void addCompileCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand("compile", "Compile a file to PTX, or to any stage "
                                                    "before it.");
  auto options = std::make_shared<Options>();
  takes(command->add_option("FILE", options->file, "The source, FILE.spl."), "FILE")->required();
  takes(
      command->add_option("-o", options->output,
                          "The output file; - is standard output. By default text goes to standard "
                          "output and the rest beside the source."),
      "OUT");
  takes(command->add_option(
            "--emit", options->emit,
            "tokens, ast, mir, mir-final, llvm, ptx, cubin, asm, obj or bundle, which holds "
            "code for several targets; by default ptx, and asm for cpu."),
        "KIND");
  takes(command->add_option("--target", options->targets,
                            "sm_75 to sm_121, cpu (this machine's) or cpu:NAME, as cpu:znver4; by "
                            "default sm_75. With --emit bundle it may be given several times."),
        "T")
      ->allow_extra_args(false);
  takes(command->add_option("--kernel", options->kernels,
                            "Only this kernel; may be given several times."),
        "NAME")
      ->allow_extra_args(false);
  command->add_flag("--stats", options->stats,
                    "Tell what each kernel takes, on standard error: registers, spills, shared "
                    "memory and instructions; registers and spills where ptxas is found.");
  options->compile.addTo(*command);
  command->callback([options] { compile(*options); });
}

} // namespace spl::cli
