// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints diagnostics as JSON, for --diagnostics=json.

#include "llvm/Support/JSON.h"
#include "frontend/diag/Engine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::diag {

static llvm::StringRef severityName(Severity severity) {
  switch (severity) {
  case Severity::Error:
    return "error";
  case Severity::Warning:
    return "warning";
  case Severity::Note:
    return "note";
  }
  llvm_unreachable("every kind is above");
}

static llvm::json::Object toJson(const Message &message, const SourceManager &sources) {
  const Info &row = info(message.kind);
  llvm::json::Object object{{"severity", severityName(row.severity)},
                            {"name", row.name},
                            {"message", llvm::json::fixUTF8(message.text)}};
  Position begin = sources.position(message.range.begin);
  if (begin.line != 0) {
    Position end = sources.position(message.range.end);
    object["file"] = llvm::json::fixUTF8(begin.file);
    object["line"] = begin.line;
    object["column"] = begin.column;
    object["endLine"] = end.line;
    object["endColumn"] = end.column;
  }
  llvm::json::Array notes;
  for (const Message &note : message.notes)
    notes.push_back(toJson(note, sources));
  object["notes"] = std::move(notes);
  if (!message.fix.empty())
    object["fix"] = llvm::json::fixUTF8(message.fix);
  return object;
}

void Engine::printJson(llvm::raw_ostream &os) const {
  for (const Message *message : inSourceOrder())
    os << llvm::json::Value(toJson(*message, sources)) << '\n';
  for (const Message &message : epilogue())
    os << llvm::json::Value(toJson(message, sources)) << '\n';
}

} // namespace spl::diag
