// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Reporting.h"
#include "cli/Findings.h"
#include "frontend/diag/Engine.h"
#include "frontend/diag/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::cli {
namespace {

DiagnosticsFormat format = DiagnosticsFormat::Text;

void printJsonLine(llvm::json::Object object) {
  llvm::errs() << llvm::json::Value(std::move(object)) << "\n";
}

std::string fixed(std::string_view text) { return llvm::json::fixUTF8(llvm::StringRef(text)); }

void reportFaultJson(const Fault &fault, const std::string &launch) {
  llvm::json::Object object{{"severity", "error"},
                            {"name", std::string(toString(fault.kind))},
                            {"message", fixed(fault.sentence())},
                            {"file", fixed(fault.file)},
                            {"line", fault.line},
                            {"column", fault.column},
                            {"workItem", llvm::json::Array(fault.workItem)},
                            {"group", llvm::json::Array(fault.group)},
                            {"note", fault.inWorkItem()}};
  if (!launch.empty())
    object["launch"] = fixed(launch);
  printJsonLine(std::move(object));
}

} // namespace

void setDiagnosticsFormat(DiagnosticsFormat chosen) { format = chosen; }

void reportDiagnostics(const diag::Engine &engine) {
  if (format == DiagnosticsFormat::Json)
    engine.printJson(llvm::errs());
  else
    engine.print(llvm::errs(), llvm::sys::Process::StandardErrHasColors());
}

ExitStatus statusOf(const diag::Engine &engine) {
  using enum diag::Kind;
  static constexpr diag::Kind ofOption[] = {
      UnknownKernel,    KernelIsGeneric, NoGenericKernel, InstanceArguments,
      InstanceArgument, GenericBound,    UnknownPass,
  };
  for (const diag::Message &message : engine.all())
    if (diag::info(message.kind).severity == diag::Severity::Error &&
        (message.range.isValid() || !llvm::is_contained(ofOption, message.kind)))
      return Failed;
  return engine.hasErrors() ? WrongUsage : Failed;
}

static std::string textOf(std::string_view severity, std::string_view message,
                          std::string_view name) {
  std::string text;
  llvm::raw_string_ostream os(text);
  if (format == DiagnosticsFormat::Json) {
    llvm::json::Object object{{"severity", std::string(severity)}, {"message", fixed(message)}};
    if (!name.empty())
      object["name"] = std::string(name);
    os << llvm::json::Value(std::move(object));
  } else {
    os << "simple: " << llvm::StringRef(severity) << ": " << diag::printable(message);
    if (!name.empty())
      os << " [" << llvm::StringRef(name) << "]";
  }
  return text + "\n";
}

std::string errorText(std::string_view message, std::string_view name) {
  return textOf("error", message, name);
}

void reportError(std::string_view message, std::string_view name) {
  llvm::errs() << errorText(message, name);
}

void reportWarning(std::string_view message) { llvm::errs() << textOf("warning", message, ""); }

void reportNoFindings() {
  if (format == DiagnosticsFormat::Text)
    llvm::errs() << "no findings\n";
}

void reportFindings(const std::vector<LaunchFinding> &findings, const LaunchCounts &counts) {
  if (format == DiagnosticsFormat::Json)
    printFindingsJson(findings, llvm::errs());
  else
    printFindings(findings, counts, llvm::errs());
}

void reportError(const Error &error, const std::string &script, const std::string &place) {
  if (!error.findings().empty()) {
    std::vector<LaunchFinding> findings;
    for (const Finding &finding : error.findings())
      findings.push_back({.finding = finding, .launches = 1, .firstLaunch = place});
    return reportFindings(findings, {});
  }
  const Fault *fault = error.fault();
  if (!fault)
    return reportError((place.empty() ? "" : "'" + script + "': " + place + ": ") + error.what(),
                       toString(error.code()));
  if (format == DiagnosticsFormat::Json)
    return reportFaultJson(*fault, place);
  Fault shown = *fault;
  shown.file = diag::printable(fault->file, /*kept=*/"");
  const std::string note = shown.file + ":" + std::to_string(shown.line) + ":" +
                           std::to_string(shown.column) + ": note: ";
  llvm::errs() << diag::printable(shown.diagnostic()) << "\n"
               << note << fault->inWorkItem() << "\n";
  if (!place.empty())
    llvm::errs() << note << "in " << diag::printable(place) << "\n";
}

} // namespace spl::cli
