// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simple compile: compiles a file to any stage, to an output of a target, or to a bundle.
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
  std::string emit; ///< if empty, the default of the target
  std::vector<std::string> targets;
  std::vector<std::string> kernels;
  bool stats = false;
  CompileFlags compile;
};

constexpr const char *bundle = "bundle";

/// "a, b or c".
std::string list(llvm::ArrayRef<std::string> words, const char *last) {
  std::string text;
  for (size_t i = 0; i != words.size(); ++i)
    text += (i == 0 ? "" : i + 1 == words.size() ? last : ", ") + words[i];
  return text;
}

/// The names of the target's outputs, for a message.
std::string outputsOf(const codegen::Target &target) {
  std::vector<std::string> names;
  for (const codegen::Output &output : target.outputs())
    if (!output.is(codegen::Output::Hidden) && !output.is(codegen::Output::Internal))
      names.push_back(output.name.str());
  return list(names, " and ");
}

const codegen::Output &outputOf(const Options &options, const codegen::TargetSpec &target) {
  if (options.emit.empty())
    return *target->outputFor(codegen::Output::Default);
  if (const codegen::Output *output = driver::findOutput(*target.target, options.emit))
    return *output;
  std::vector<std::string> known = driver::allOutputNames();
  if (llvm::is_contained(known, options.emit))
    throw Failure(WrongUsage, "--emit " + options.emit + " is not for target " + target.str() +
                                  ", which has " + outputsOf(*target.target));
  known.push_back(bundle);
  throw Failure(WrongUsage,
                "--emit takes one of " + list(known, ", ") + ", not '" + options.emit + "'");
}

// Without -o, text goes to standard output, and other outputs to a file beside the source.
std::string outputPath(const Options &options, bool isText, llvm::StringRef extension) {
  if (!options.output.empty())
    return options.output;
  if (isText)
    return "-";
  llvm::SmallString<128> path(options.file);
  llvm::sys::path::replace_extension(path, extension);
  return path.str().str();
}

// runCommandLine flushes standard output at the end, and reports an error of that.
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
  write(path, compileBundle(options.file, path, options.targets, options.kernels, options.compile));
}

void compile(const Options &options) {
  if (options.emit == bundle)
    return compileForSeveral(options);
  if (options.targets.size() > 1)
    throw Failure(WrongUsage, "--target: only --emit bundle takes several");
  llvm::Expected<codegen::TargetSpec> target =
      options.targets.empty() ? codegen::TargetSpec()
                              : codegen::TargetSpec::parse(options.targets.front());
  if (!target)
    throw Failure(WrongUsage, llvm::toString(target.takeError()));
  const codegen::Output &kind = outputOf(options, *target);
  options.compile.requireOptions(*target);
  driver::CompileOptions compileOptions = options.compile.resolve(*target);
  compileOptions.kernels = options.kernels;
  compileOptions.stats = options.stats;
  if (options.stats && !kind.is(codegen::Output::Counted))
    throw Failure(WrongUsage, "--stats counts what is generated: it goes with --emit " +
                                  list(driver::outputNames(codegen::Output::Counted), " or ") +
                                  ", not " + kind.name.str());
  const std::string path = outputPath(options, kind.isText, kind.extension);

  // Not destroyed: the process ends after the command, and then the system frees all memory at
  // once.
  static auto &compilation = *new driver::Compilation(std::move(compileOptions));
  const bool isRead = compilation.readFile(options.file);
  if (path != "-")
    requireOther({{{path, ""}}}, inputsOf(compilation));
  llvm::SmallVector<char, 0> output;
  const bool done =
      isRead && withoutCrash(compilation, [&] { return compilation.emit(kind.name, output); });
  reportDiagnostics(compilation.diagnostics());
  if (!done)
    throw Failure(statusOf(compilation.diagnostics()), "");
  write(path, output);
  std::cerr << compilation.stats().str();
}

std::string emitHelp() {
  std::vector<std::string> names = driver::allOutputNames(), defaults;
  names.push_back(bundle);
  for (const codegen::Target *target : codegen::allTargets())
    defaults.push_back(target->outputFor(codegen::Output::Default)->name.str() +
                       (defaults.empty() ? "" : " for " + target->name().str()));
  return list(names, " or ") + ", which holds code for several targets; by default " +
         list(defaults, ", and ") + ".";
}

std::string targetHelp() {
  std::vector<std::string> words;
  for (const codegen::Target *target : codegen::allTargets())
    words.push_back(target->wordsInShort());
  return list(words, ", ") + "; by default " + codegen::TargetSpec().str() +
         ". With --emit bundle it may be given several times.";
}

} // namespace

void addCompileCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand("compile", "Compile a file to PTX, to code for the CPU, "
                                                    "to a bundle, or to a stage before these.");
  auto options = std::make_shared<Options>();
  takes(command->add_option("FILE", options->file, "The source, FILE.spl."), "FILE")->required();
  takes(
      command->add_option("-o", options->output,
                          "The output file; - is standard output. By default text goes to standard "
                          "output and the rest beside the source."),
      "OUT");
  takes(command->add_option("--emit", options->emit, emitHelp()), "KIND");
  takes(command->add_option("--target", options->targets, targetHelp()), "T")
      ->allow_extra_args(false);
  takes(command->add_option("--kernel", options->kernels,
                            "Only this kernel; may be given several times."),
        "NAME")
      ->allow_extra_args(false);
  command->add_flag(
      "--stats", options->stats,
      "Print on standard error what became of the checks of each kernel, why the others are left, "
      "and its resources: registers, spills, shared memory and instructions; registers and spills "
      "where ptxas is found.");
  options->compile.addTo(*command);
  command->callback([options] { compile(*options); });
}

} // namespace spl::cli
