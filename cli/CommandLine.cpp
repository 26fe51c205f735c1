// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Commands.h"
#include "cli/Environment.h"
#include "cli/Failure.h"
#include "cli/Help.h"
#include "cli/Reporting.h"
#include "codegen/TemporaryFile.h"
#include "spl/abi/TypoCorrection.h"
#include <CLI/CLI.hpp>
#include <cctype>
#include <csignal>
#include <iostream>
#include <new>
#include <string_view>
#include <utility>

#ifndef SPL_VERSION
#error "SPL_VERSION is the project's version, set by CMake"
#endif

namespace spl::cli {
namespace {

ExitStatus statusOf(ErrorCode code) {
  switch (code) {
  case ErrorCode::BackendUnavailable:
  case ErrorCode::UnsupportedOnTarget:
    return Unavailable;
  case ErrorCode::InvalidArgument:
  case ErrorCode::UnknownKernel:
    return WrongUsage;
  case ErrorCode::OverlappingArguments:
  case ErrorCode::InvalidImage:
  case ErrorCode::CompileFailed:
  case ErrorCode::OutOfMemory:
  case ErrorCode::LaunchRefused:
  case ErrorCode::KernelFault:
  case ErrorCode::DriverError:
  case ErrorCode::DeviceLost:
  case ErrorCode::CallbackFailed:
  case ErrorCode::ForkedProcess:
  case ErrorCode::InvalidHandle:
  case ErrorCode::HandleInUse:
  case ErrorCode::InternalError:
  case ErrorCode::CheckFailed:
    return Failed;
  }
  __builtin_unreachable();
}

// The messages of CLI11 do not list the commands, and do not say that a command is unknown.
void requireKnownCommand(const CLI::App &app, const std::string &word) {
  std::string known;
  abi::TypoCorrection correction(word);
  for (const CLI::App *command : app.get_subcommands(nullptr)) {
    if (command->get_name() == word)
      return;
    correction.consider(command->get_name());
    known += (known.empty() ? "" : ", ") + command->get_name();
  }
  throw Failure(WrongUsage,
                (word.empty() ? "expected a command" : "unknown command '" + word + "'") +
                    "; the commands are " + known + abi::didYouMean(correction.best()));
}

// CLI11 would report a missing command instead.
void requireKnownOption(const CLI::App &app, const std::string &word) {
  if (!app.get_option_no_throw(word.substr(0, word.find('='))))
    throw Failure(WrongUsage,
                  "unknown option '" + word + "' before the command; see 'simple --help'");
}

// `help` and `help COMMAND` are `--help` and `COMMAND --help`.
void translateHelp(int argc, char **argv) {
  static char option[] = "--help";
  if (argc < 2 || std::string_view(argv[1]) != "help")
    return;
  if (argc > 3)
    throw Failure(WrongUsage, "'simple help' takes at most one COMMAND");
  std::swap(argv[1], argv[argc - 1]);
  argv[argc - 1] = option;
}

// For '--local=', CLI11 would take the next option as the value.
void requireValue(std::string_view option) {
  if (option.starts_with("--") && option.find('=') == option.size() - 1)
    throw Failure(WrongUsage, "expected a value after '" + std::string(option) + "'");
}

// For '--full=x' CLI11's message is "Could not convert", and '--full=3' would be the same as
// '--full'.
void requireNoValue(const CLI::App &app, std::string_view argument) {
  const std::string name(argument.substr(0, argument.find('=')));
  if (!argument.starts_with("--") || name == argument)
    return;
  const CLI::Option *option = app.get_option_no_throw(name);
  if (option && option->get_items_expected_max() == 0)
    throw Failure(WrongUsage, name + " takes no value; remove '" +
                                  std::string(argument.substr(name.size())) + "'");
}

// A reference to the help of the command with the error.
std::string moreHelp(const CLI::App &app) {
  const std::vector<CLI::App *> commands = app.get_subcommands();
  const std::string name = commands.empty() ? "" : commands.front()->get_name() + " ";
  return "; see 'simple " + name + "--help'";
}

// "; did you mean '--global'?" for an unknown option that is similar to one of the command, or that
// has the name in CUDA.
std::string similarOption(const CLI::App &app, std::string_view unknown) {
  const std::vector<CLI::App *> commands = app.get_subcommands();
  if (commands.empty() || !unknown.starts_with("--"))
    return "";
  unknown = unknown.substr(2, unknown.find('=') - 2);
  if (unknown == "grid" && commands.front()->get_option_no_throw("--global"))
    return "; '--global' is the number of work-items, not of groups";
  if (unknown == "block" && commands.front()->get_option_no_throw("--local"))
    return "; '--local' is the number of work-items of a group";
  abi::TypoCorrection correction(unknown);
  for (const CLI::Option *option : commands.front()->get_options())
    for (const std::string &name : option->get_lnames())
      correction.consider(name);
  return correction.best().empty() ? "" : abi::didYouMean("--" + std::string(correction.best()));
}

// Whether a word after the file seems to be the name of a kernel, as in 'simple run FILE KERNEL'.
bool isKernelName(const CLI::App &app, std::string_view word) {
  const std::vector<CLI::App *> commands = app.get_subcommands();
  return !commands.empty() && commands.front()->get_option_no_throw("--kernel") && !word.empty() &&
         (std::isalpha(static_cast<unsigned char>(word.front())) || word.front() == '_') &&
         word.find_first_of("./=,") == word.npos;
}

// Lists the arguments in their order on the command line, which CLI11's message does not keep.
std::string unexpected(const CLI::App &app) {
  const std::vector<std::string> arguments = app.remaining(/*recurse=*/true);
  std::string text;
  for (const std::string &argument : arguments)
    text += (text.empty() ? "unexpected: " : " ") + argument;
  const std::string first = arguments.empty() ? "" : arguments.front();
  if (isKernelName(app, first))
    return text + "; a kernel is chosen with --kernel " + first;
  const std::string similar = similarOption(app, first);
  return text + (similar.empty() ? moreHelp(app) : similar);
}

// The message of an error in plain words, for the messages of CLI11 that have none:
//   --global: At Most 1 required but received 2
//   --global: 1 required TEXT missing
//   --global excludes --script
std::string inPlainWords(const CLI::ParseError &error) {
  const std::string message = error.what();
  if (error.get_name() == "ValidationError") // written by Help.cpp, and quotes the value
    return message;
  constexpr std::string_view repeated = ": At Most 1 required but received ",
                             incomplete = ": 1 required ", both = " excludes ";
  if (const std::size_t at = message.find(repeated); at != message.npos) {
    const std::string count = message.substr(at + repeated.size());
    return message.substr(0, at) + " is given " + (count == "2" ? "twice" : count + " times") +
           "; give it once";
  }
  if (const std::size_t at = message.find(incomplete); at != message.npos)
    return "expected a value after '" + message.substr(0, at) + "'";
  if (const std::size_t at = message.find(both); at != message.npos)
    return message.substr(0, at) + " cannot be given together with " +
           message.substr(at + both.size());
  return message;
}

int parseAndRun(CLI::App &app, int argc, char **argv) {
  try {
    translateHelp(argc, argv);
    if (argc < 2 || *argv[1] != '-')
      requireKnownCommand(app, argc < 2 ? "" : argv[1]);
    else
      requireKnownOption(app, argv[1]);
    // nvcc writes this long option with one dash. CLI11 would parse it as short options.
    static char lineInfo[] = "--lineinfo";
    const CLI::App &command = *argv[1] == '-' ? app : *app.get_subcommand(argv[1]);
    for (int i = 1; i < argc; ++i) {
      requireValue(argv[i]);
      requireNoValue(command, argv[i]);
      if (std::string_view(argv[i]) == "-lineinfo")
        argv[i] = lineInfo;
    }
    app.parse(argc, argv);
    return Done;
  } catch (const CLI::ExtrasError &) {
    reportError(unexpected(app), "");
    return WrongUsage;
  } catch (const CLI::ParseError &error) {
    // CLI11 throws exceptions for --help and --version too, with the exit code of success.
    if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) {
      app.exit(error);
      return Done;
    }
    reportError(inPlainWords(error) + moreHelp(app), "");
    return WrongUsage;
  } catch (const Failure &failure) {
    if (*failure.what() != '\0')
      reportError(failure.what(), "");
    return failure.status;
  } catch (const Error &error) {
    reportError(error);
    return statusOf(error.code());
  } catch (const PlacedError &placed) {
    reportError(placed.error, placed.script, placed.place);
    return statusOf(placed.error.code());
  } catch (const std::bad_alloc &) {
    reportError("not enough memory", "out-of-memory");
    return Failed;
  }
}

} // namespace

int runCommandLine(CLI::App &app, int argc, char **argv) {
  // A write beyond the limit of the shell on the size of files then fails, and is reported.
  std::signal(SIGXFSZ, SIG_IGN);
  app.require_subcommand(1);
  // Runs before the command, when the format of diagnostics is known.
  app.parse_complete_callback(warnOfUnknownVariables);
  showWords(app);
  app.set_version_flag("--version", std::string("simple ") + SPL_VERSION);
  app.footer("See 'simple help COMMAND'. Exit status: 0 success, 1 the program or a launch "
             "failed,\n2 wrong usage, 3 the requested backend is not available or cannot run "
             "the kernel.");
  codegen::removeAbandonedTemporaries();
  const int status = parseAndRun(app, argc, argv);
  std::cout.flush();
  if (!std::cout) {
    reportError("cannot write to standard output", "");
    return status == Done ? Failed : status;
  }
  return status;
}

} // namespace spl::cli
