// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simple run: compiles a file for a device, launches a kernel with arguments from the command line,
// and saves or prints the results.
#include "cli/CheckedLaunches.h"
#include "cli/Commands.h"
#include "cli/CrashGuard.h"
#include "cli/Failure.h"
#include "cli/Help.h"
#include "cli/Launcher.h"
#include "cli/Npy.h"
#include "cli/OutputFile.h"
#include "cli/Print.h"
#include "cli/Reporting.h"
#include "cli/RunOptions.h"
#include "cli/Script.h"
#include "jit/Load.h"
#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <chrono>
#include <iostream>
#include <iterator>
#include <limits>

namespace spl::cli {

static std::pair<std::string, std::string> split(const std::string &text, const char *form) {
  const std::size_t at = text.find('=');
  if (at == std::string::npos || at == 0)
    throw Failure(WrongUsage, std::string(form) + ", not '" + text + "'" +
                                  (at == 0 || text.empty() ? "" : "; write '" + text + "=...'"));
  return {text.substr(0, at), text.substr(at + 1)};
}

std::pair<std::string, std::string> nameAndValue(const std::string &argument) {
  return split(argument, "--arg takes NAME=VALUE");
}

std::pair<std::string, std::string> nameAndFile(const std::string &save) {
  constexpr const char *form = "--save takes NAME=FILE.npy";
  std::pair<std::string, std::string> parts = split(save, form);
  if (parts.second.empty())
    throw Failure(WrongUsage, std::string(form) + ", not '" + save + "'");
  for (const char *ending : {".txt", ".csv", ".json", ".npz"})
    if (parts.second.ends_with(ending))
      throw Failure(WrongUsage, "--save writes .npy files, not '" + parts.second + "'; --print " +
                                    parts.first + " --full prints text");
  return parts;
}

// Rounds up, because 0 would be no limit.
std::chrono::milliseconds timeLimitOf(const RunOptions &options) {
  return std::chrono::ceil<std::chrono::milliseconds>(
      std::chrono::duration<double>(options.timeout));
}

void LaunchRun::launch(const std::string &name, const Kernel &kernel, const LaunchConfig &config,
                       std::span<const Argument> arguments, const RunOptions &options) const {
  std::vector<double> milliseconds;
  bool hasFindings = false;
  const auto once = [&] {
    const auto start = std::chrono::steady_clock::now();
    context.launch(kernel, config, arguments);
    context.sync();
    const std::chrono::duration<double, std::milli> spent =
        std::chrono::steady_clock::now() - start;
    milliseconds.push_back(spent.count());
  };
  for (int i = 0; i != options.repeat; ++i) {
    if (!checked) {
      once();
      continue;
    }
    std::string full = name;
    if (options.repeat > 1)
      full += (name.empty() ? "repetition " : ", repetition ") + std::to_string(i + 1);
    hasFindings |= !checked->run(full, once);
  }
  if (!options.time || hasFindings)
    return;
  std::sort(milliseconds.begin(), milliseconds.end());
  std::cout << kernel.name() << ": median " << milliseconds[milliseconds.size() / 2]
            << " ms, least " << milliseconds.front() << " ms, largest " << milliseconds.back()
            << " ms of " << milliseconds.size() << "\n";
  const auto report = std::ranges::find(reports, kernel.name(), &abi::CheckReport::kernel);
  if (report != reports.end()) {
    std::cout << report->str();
    reports.erase(report);
  }
  if (kernel.signature().contract().empty())
    return;
  const std::optional<UnmetContract> unmet = context.unmetContract(kernel, config, arguments);
  if (!unmet) {
    std::cout << "the launch contract holds\n";
    return;
  }
  std::cout << (unmet->allChecks ? "with all checks" : "with some of the lifted checks")
            << ", since the launch contract does not hold: " << unmet->condition
            << "\n  in this launch " << unmet->values << "\n";
  if (!unmet->remedy.empty())
    std::cout << "  this condition would hold with " << unmet->remedy << "\n";
}

void requireBuffers(const Launcher &launcher, const RunOptions &options) {
  for (const std::string &name : options.prints)
    launcher.buffer(name);
  for (const std::string &save : options.saves)
    launcher.buffer(nameAndFile(save).first);
}

namespace {

// The maximum is a day, which is far below the limit of milliseconds.
const CLI::Validator seconds(
    [](const std::string &text) -> std::string {
      double number = 0;
      const char *const end = text.data() + text.size();
      const auto [next, error] = std::from_chars(text.data(), end, number);
      if (error == std::errc() && next == end && number > 0 && number <= 86400)
        return "";
      return "takes seconds above 0, at most 86400, not '" + text + "'";
    },
    "");

Dims dimsOf(const std::string &text, const char *option) {
  std::vector<std::int64_t> extents;
  const char *at = text.data(), *const end = at + text.size();
  for (;;) {
    std::int64_t extent = 0;
    const auto [next, error] = std::from_chars(at, end, extent);
    if (error != std::errc() || (next != end && *next != ',') || extents.size() == 3)
      throw Failure(WrongUsage, std::string(option) + " takes X[,Y[,Z]], not '" + text + "'");
    extents.push_back(extent);
    if (next == end)
      return Dims::of(extents);
    at = next + 1;
  }
}

// Finds errors that need no kernel, so that they are reported before what the compiler says.
void requireForms(const RunOptions &options) {
  if (!options.global.empty())
    dimsOf(options.global, "--global");
  if (!options.local.empty())
    dimsOf(options.local, "--local");
  std::set<std::string> given;
  for (const std::string &argument : options.arguments)
    if (const std::string name = nameAndValue(argument).first; !given.insert(name).second)
      throw Failure(WrongUsage, "--arg gives '" + name + "' twice");
  for (const std::string &save : options.saves)
    nameAndFile(save);
}

void launchOnce(const LaunchRun &run, const RunOptions &options) {
  Launcher &launcher = run.launcher;
  const Kernel kernel = launcher.kernel(options.kernel);
  LaunchConfig config{.shared = options.shared, .timeLimit = timeLimitOf(options)};
  if (!options.global.empty()) // else requireEach reports it, with the arguments that lack too
    config.global = dimsOf(options.global, "--global");
  if (!options.local.empty())
    config.local = dimsOf(options.local, "--local");
  const std::vector<Argument> arguments = launcher.bind(bindArguments(kernel, launcher, options));
  requireBuffers(launcher, options);
  run.launch("", kernel, config, arguments, options);
}

// Without --backend and --device, the environment decides.
Context contextFor(const RunOptions &options) {
  if (options.isChecked)
    return Context::make(chooseBackend("cpu"));
  if (options.backend.empty() && !options.device)
    return Context::makeDefault();
  return Context::make(options.backend.empty() ? preferredBackend()
                                               : chooseBackend(options.backend),
                       options.device.value_or(0));
}

// What becomes of the checks, for --time. The loaded code may be from the cache, which does not say
// it.
std::vector<abi::CheckReport> reportsFor(driver::CompileOptions compileOptions,
                                         const RunOptions &options) {
  if (!options.time || compileOptions.codegen.instrument)
    return {};
  compileOptions.stats = true;
  driver::Compilation compilation(std::move(compileOptions));
  llvm::SmallVector<char, 0> unused;
  if (!compilation.readFile(options.file) || !compilation.emit("mir-final", unused))
    return {}; // the file has changed since it was loaded
  return compilation.checks();
}

// An output that is an input would overwrite it. Two saves to one file would lose one of them.
void requireOutputs(const RunOptions &options, const Script *script,
                    const driver::Compilation &compilation) {
  std::vector<OutputFile> outputs;
  for (const std::string &save : options.saves) {
    const auto [name, path] = nameAndFile(save);
    outputs.push_back({path, name});
  }
  if (outputs.empty())
    return;
  std::vector<InputFile> inputs = inputsOf(compilation);
  if (script)
    std::ranges::move(script->inputs(), std::back_inserter(inputs));
  for (const std::string &argument : options.arguments)
    if (const auto [name, text] = nameAndValue(argument); text.starts_with('@'))
      inputs.push_back({text.substr(1), "the file that '" + name + "' is read from", name});
  requireOther(outputs, inputs);
}

/// The options of the compiler for the device of the context.
driver::CompileOptions compileOptionsFor(RunOptions &options, const Script *script,
                                         const Context &context) {
  const codegen::TargetSpec target = jit::targetOf(context);
  if (options.timeout > 0 && !target->option(codegen::interruptibleOption))
    throw Failure(Unavailable, "--timeout: only the CPU can end a kernel that runs, and this is " +
                                   std::string(toString(context.backend())) +
                                   "; leave it out, or give --backend cpu");
  if (options.timeout > 0)
    options.compile.own.setFlag(codegen::interruptibleOption);
  driver::CompileOptions compileOptions = options.compile.resolve(target);
  if (options.isChecked || (jit::isCheckingAsked() && jit::canBeChecked(target)))
    jit::setInstrument(compileOptions.codegen);
  if (!options.kernel.empty())
    compileOptions.kernels = {options.kernel}; // nothing else is compiled
  if (script)
    compileOptions.instances = script->kernels();
  std::erase_if(compileOptions.instances,
                [](const std::string &name) { return name.find('[') == name.npos; });
  return compileOptions;
}

/// Compiles and loads the file. Throws Failure after it has reported the compiler's errors.
Module load(const Context &context, driver::Compilation &compilation) {
  try {
    std::optional<Module> loaded;
    const bool done = withoutCrash(compilation, [&] {
      loaded = jit::load(context, compilation, {.onWarning = reportWarning});
      return true;
    });
    if (done)
      return std::move(*loaded);
  } catch (const Error &error) {
    if (error.code() != ErrorCode::CompileFailed)
      throw;
  }
  reportDiagnostics(compilation.diagnostics());
  throw Failure(statusOf(compilation.diagnostics()), "");
}

/// Makes the launches. Throws Failure after it has reported findings.
void launchAll(const LaunchRun &all, CheckedLaunches &checked, const Script *script,
               const RunOptions &options) {
  const LaunchGuard guard; // of versions that are compiled later
  try {
    if (script)
      runScript(all, *script, options);
    else
      launchOnce(all, options);
  } catch (...) {
    if (checked.hasFindings())
      checked.report(); // before the error that ends the command
    throw;
  }
  if (checked.hasFindings()) {
    checked.report();
    throw Failure(Failed, "");
  }
}

void saveAndPrint(const Launcher &launcher, const RunOptions &options) {
  for (const std::string &save : options.saves) {
    const auto [name, path] = nameAndFile(save);
    writeNpy(path, launcher.download(name));
  }
  for (const std::string &name : options.prints)
    printArray(std::cout, name, launcher.download(name), options.full);
}

void run(RunOptions &options) {
  std::optional<Script> read;
  if (!options.script.empty())
    read.emplace(options.script).addResults(options);
  const Script *script = read ? &*read : nullptr;
  requireForms(options);
  const Context context = contextFor(options);
  const driver::CompileOptions compileOptions = compileOptionsFor(options, script, context);
  driver::Compilation compilation(compileOptions);
  compilation.readFile(options.file);
  requireOutputs(options, script, compilation);
  const Module module = load(context, compilation);
  reportDiagnostics(compilation.diagnostics()); // warnings

  Launcher launcher(context, module);
  CheckedLaunches checked;
  std::vector<abi::CheckReport> reports = reportsFor(compileOptions, options);
  launchAll({context, launcher, options.isChecked ? &checked : nullptr, reports}, checked, script,
            options);
  saveAndPrint(launcher, options);
  if (options.isChecked)
    reportNoFindings();
}

} // namespace

/// The options of both commands; those of devices are run's alone.
static void addLaunchOptions(CLI::App *command, const std::shared_ptr<RunOptions> &options) {
  takes(command->add_option("FILE", options->file, "The source, FILE.spl."), "FILE")->required();
  takes(command->add_option("--kernel", options->kernel,
                            "The kernel; needed when there are several."),
        "NAME");
  takes(command->add_option("--global", options->global,
                            "Work-items along x, y and z: X[,Y[,Z]]; rounded up to whole groups."),
        "X[,Y[,Z]]");
  takes(
      command->add_option("--local", options->local,
                          "Work-items of a group; when left out, what the kernel's 'block:' says, "
                          "else 256, 16,16 or 8,8,4."),
      "X[,Y[,Z]]");
  takes(command->add_option("--shared", options->shared, "Dynamic shared memory in bytes."),
        "BYTES")
      ->check(wholeNumber());
  takes(command->add_option(
            "--arg", options->arguments,
            "NAME=VALUE, one for each parameter. A VALUE is a number; a list 1,2,3, also of the "
            "numbers in vectors and structs; a "
            "file @x.npy; another argument's buffer =other; or a shape with a fill: "
            "f32[1024], f32[64,64]=1.5, i32[8]=iota, f32[8]=random:7, "
            "i32[8]=random:7:0..100, i32[2,2]=1,2,3,4."),
        "NAME=VALUE")
      ->take_all()
      ->type_size(1)
      ->allow_extra_args(false);
  takes(command->add_option("--save", options->saves,
                            "NAME=FILE.npy: write the array after the launch."),
        "NAME=FILE.npy")
      ->allow_extra_args(false);
  takes(command->add_option("--print", options->prints, "NAME: print the array after the launch."),
        "NAME")
      ->allow_extra_args(false);
  command->add_flag("--full", options->full, "Print long arrays whole.");
  takes(command->add_option("--repeat", options->repeat,
                            "Launch N times, each on what the one before left."),
        "N")
      ->check(within(1, std::numeric_limits<int>::max()));
  takes(
      command->add_option("--timeout", options->timeout,
                          "End each launch that takes longer, on the CPU: an error that names the "
                          "line it was in. A number of seconds, such as 0.5."),
      "SECONDS")
      ->check(seconds);
  command->add_flag("--time", options->time,
                    "Print how long a launch took, from its call to its end, by the host's clock.");
  CLI::Option *script = takes(
      command->add_option("--script", options->script,
                          "Several launches from a JSON file, which says for each what --kernel, "
                          "--global, --local, --shared and --arg say of a single one."),
      "FILE.json");
  for (const char *single : {"--kernel", "--global", "--local", "--shared", "--arg"})
    script->excludes(command->get_option(single));
  options->compile.addTo(*command);
  command->callback([options] { run(*options); });
}

void addRunCommand(CLI::App &app) {
  CLI::App *command =
      app.add_subcommand("run", "Compile a file and launch a kernel on the best device "
                                "present. --print and --save give what it wrote.");
  auto options = std::make_shared<RunOptions>();
  takes(command->add_option(
            "--backend", options->backend,
            "auto, cuda or cpu; auto takes the best. SPL_BACKEND decides when left out."),
        "B");
  takes(command->add_option(
            "--device", options->device,
            "Which of the backend's devices, from 0; SPL_DEVICE decides when this and "
            "--backend are left out."),
        "N")
      ->check(within(0, std::numeric_limits<int>::max()));
  addLaunchOptions(command, options);
}

void addCheckCommand(CLI::App &app) {
  CLI::App *command = app.add_subcommand(
      "check", "Launch a kernel on the CPU and find its data races, reads of shared memory that "
               "nobody wrote, and faults.");
  auto options = std::make_shared<RunOptions>();
  options->isChecked = true;
  addLaunchOptions(command, options);
}

} // namespace spl::cli
