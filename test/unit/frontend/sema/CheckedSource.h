// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helper of sema tests: parses and checks a source text, and returns the results as text.
#pragma once

#include "frontend/diag/Engine.h"
#include "frontend/sema/Check.h"
#include "frontend/sema/Program.h"
#include "frontend/syntax/FileSet.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

namespace spl::test {

class CheckedSource {
public:
  explicit CheckedSource(llvm::StringRef text, sema::CheckOptions options = {})
      : diagnostics(sources) {
    files.load("test.spl", sources.addBuffer("test.spl", text), /*isFile=*/false);
    program = sema::check(files, options, diagnostics);
  }

  /// The messages in the order of the source as "line:column name", separated by ", ".
  std::string messages() const {
    std::multimap<const char *, std::string> lines;
    for (const diag::Message &message : diagnostics.all()) {
      diag::Position at = sources.position(message.range.begin);
      lines.emplace(message.range.begin, std::to_string(at.line) + ":" + std::to_string(at.column) +
                                             " " + diag::info(message.kind).name.str());
    }
    std::string all;
    for (auto &[place, text] : lines)
      all += (all.empty() ? "" : ", ") + text;
    return all;
  }

  /// The text of the first message, followed by "fix: ..." if it has a fix.
  std::string firstText() const {
    if (diagnostics.all().empty())
      return {};
    const diag::Message &first = diagnostics.all().front();
    return first.text + (first.fix.empty() ? "" : " fix: " + first.fix);
  }

  std::string dump() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    if (program)
      program->dump(os);
    return text;
  }

  diag::SourceManager sources;
  diag::Engine diagnostics;
  syntax::FileSet files{sources, diagnostics, {}};
  std::unique_ptr<sema::Program> program;
};

} // namespace spl::test
