// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Findings.h"
#include "frontend/diag/Printable.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <map>
#include <span>

namespace spl::cli {
namespace {

std::string fixed(std::string_view text) { return llvm::json::fixUTF8(llvm::StringRef(text)); }

std::string shown(std::string_view text) { return diag::printable(text, /*kept=*/""); }

/// The lines of the files that findings name. A file that cannot be read has none.
class SourceLines {
public:
  /// The line with a caret below the column; nothing where there is no such line. A place has a
  /// file, a line and a column.
  template <typename Place> void print(const Place &place, llvm::raw_ostream &os) {
    const std::vector<std::string> &lines = linesOf(place.file);
    if (place.line < 1 || static_cast<std::size_t>(place.line) > lines.size())
      return;
    const std::string &line = lines[static_cast<std::size_t>(place.line) - 1];
    os << "  " << diag::printable(line) << "\n  ";
    // Tabs stay, so that the caret is below its character.
    for (std::int32_t column = 1; column < place.column; ++column) {
      const auto at = static_cast<std::size_t>(column) - 1;
      os << (at < line.size() && line[at] == '\t' ? '\t' : ' ');
    }
    os << "^\n";
  }

private:
  const std::vector<std::string> &linesOf(const std::string &file) {
    const auto [found, isNew] = files.try_emplace(file);
    if (!isNew)
      return found->second;
    if (auto buffer = llvm::MemoryBuffer::getFile(file)) {
      llvm::SmallVector<llvm::StringRef> lines;
      (*buffer)->getBuffer().split(lines, '\n');
      for (llvm::StringRef line : lines)
        found->second.push_back(fixed(line.rtrim('\r')));
    }
    return found->second;
  }

  std::map<std::string, std::vector<std::string>> files;
};

llvm::json::Object objectOf(const FindingPlace &place) {
  llvm::json::Object object{{"file", fixed(place.file)},
                            {"line", place.line},
                            {"column", place.column},
                            {"note", fixed(place.note)},
                            {"workItem", llvm::json::Array(place.workItem)},
                            {"group", llvm::json::Array(place.group)}};
  llvm::json::Array calls;
  for (const FindingCall &call : place.calls)
    calls.push_back(llvm::json::Object{
        {"file", fixed(call.file)}, {"line", call.line}, {"column", call.column}});
  if (!calls.empty())
    object["calls"] = std::move(calls);
  if (!place.kernel.empty())
    object["kernel"] = fixed(place.kernel);
  return object;
}

/// Notes of the calls that lead to a place, the innermost first.
void printCalls(const FindingPlace &place, SourceLines &sources, llvm::raw_ostream &os) {
  for (const FindingCall &call : place.calls) {
    os << shown(call.where()) << ": note: called from here\n";
    sources.print(call, os);
  }
  if (!place.kernel.empty())
    os << shown(place.where()) << ": note: called by the kernel '" << shown(place.kernel) << "'\n";
}

std::span<const LaunchFinding> listed(const std::vector<LaunchFinding> &findings) {
  return std::span(findings).first(std::min(findings.size(), maxFindings));
}

/// Empty if all findings are listed.
std::string describeRest(const std::vector<LaunchFinding> &findings) {
  if (findings.size() <= maxFindings)
    return "";
  const std::size_t rest = findings.size() - maxFindings;
  return std::to_string(rest) +
         (rest == 1 ? " more finding is not listed" : " more findings are not listed");
}

bool haveSameCalls(const FindingPlace &a, const FindingPlace &b) {
  return a.calls == b.calls && a.kernel == b.kernel;
}

} // namespace

void printFindings(const std::vector<LaunchFinding> &findings, const LaunchCounts &counts,
                   llvm::raw_ostream &os) {
  SourceLines sources;
  for (const LaunchFinding &each : listed(findings)) {
    const Finding &finding = each.finding;
    os << shown(finding.diagnostic()) << "\n";
    sources.print(finding.places.front(), os);
    for (std::size_t i = 0; i != finding.places.size(); ++i) {
      const FindingPlace &place = finding.places[i];
      os << shown(place.where() + ": note: " + place.sentence()) << "\n";
      const FindingPlace &last = finding.places[i == 0 ? 0 : i - 1];
      if (place.line != last.line || place.file != last.file)
        sources.print(place, os);
      if (i + 1 == finding.places.size() || !haveSameCalls(place, finding.places[i + 1]))
        printCalls(place, sources, os);
    }
    const std::string note = shown(finding.places.front().where()) + ": note: ";
    if (finding.count > 1)
      os << note << "this occurred " << finding.count << " times\n";
    if (each.launches > 1)
      os << note << "in " << each.launches << " launches, first in " << shown(each.firstLaunch)
         << "\n";
    else if (!each.firstLaunch.empty())
      os << note << "in " << shown(each.firstLaunch) << "\n";
  }
  if (const std::string rest = describeRest(findings); !rest.empty())
    os << rest << "\n";
  if (counts.all > 1)
    os << counts.withFindings << " of " << counts.all << " launches "
       << (counts.withFindings == 1 ? "has" : "have") << " findings\n";
}

void printFindingsJson(const std::vector<LaunchFinding> &findings, llvm::raw_ostream &os) {
  for (const LaunchFinding &launchFinding : listed(findings)) {
    const Finding &finding = launchFinding.finding;
    const FindingPlace &place = finding.places.front();
    llvm::json::Array places;
    for (const FindingPlace &each : finding.places)
      places.push_back(objectOf(each));
    llvm::json::Object object{{"severity", "error"},
                              {"name", finding.name},
                              {"message", fixed(finding.message)},
                              {"file", fixed(place.file)},
                              {"line", place.line},
                              {"column", place.column},
                              {"workItem", llvm::json::Array(place.workItem)},
                              {"group", llvm::json::Array(place.group)},
                              {"count", static_cast<std::int64_t>(finding.count)},
                              {"places", std::move(places)}};
    if (!finding.element.empty())
      object["element"] = fixed(finding.element);
    if (!launchFinding.firstLaunch.empty()) {
      object["launch"] = fixed(launchFinding.firstLaunch);
      object["launches"] = static_cast<std::int64_t>(launchFinding.launches);
    }
    os << llvm::json::Value(std::move(object)) << "\n";
  }
  if (const std::string rest = describeRest(findings); !rest.empty())
    os << llvm::json::Value(llvm::json::Object{
              {"severity", "note"},
              {"message", rest},
              {"count", static_cast<std::int64_t>(findings.size() - maxFindings)}})
       << "\n";
}

} // namespace spl::cli
