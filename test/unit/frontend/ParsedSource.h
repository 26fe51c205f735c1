// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of lexer and parser tests: a source text, its tree and its messages.
#pragma once

#include "frontend/diag/Engine.h"
#include "frontend/lex/Lexer.h"
#include "frontend/syntax/Dump.h"
#include "frontend/syntax/Parser.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::test {

/// A text in a SourceManager of its own.
struct Source {
  explicit Source(llvm::StringRef content) : text(sources.addBuffer("t.spl", content)) {}

  /// The messages in the order of the source, one "line:column name" per line.
  std::string messages() const {
    std::string printed;
    llvm::raw_string_ostream os(printed);
    diagnostics.printJson(os);
    std::string found;
    for (llvm::StringRef rest = printed; !rest.empty();) {
      auto [line, others] = rest.split('\n');
      rest = others;
      llvm::json::Value value = llvm::cantFail(llvm::json::parse(line));
      const llvm::json::Object &object = *value.getAsObject();
      found += std::to_string(object.getInteger("line").value_or(0)) + ":" +
               std::to_string(object.getInteger("column").value_or(0)) + " " +
               object.getString("name")->str() + "\n";
    }
    return found;
  }

  std::string printed() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    diagnostics.print(os, /*colour=*/false);
    return text;
  }

  diag::SourceManager sources;
  diag::Engine diagnostics{sources};
  llvm::StringRef text;
};

struct ParsedSource : Source {
  explicit ParsedSource(llvm::StringRef content)
      : Source(content), file(syntax::parse("t.spl", text, diagnostics)) {}

  std::string dump() const {
    std::string text;
    llvm::raw_string_ostream os(text);
    syntax::dumpAst(*file, os);
    return text;
  }

  std::unique_ptr<syntax::File> file;
};

/// The tree of one expression, followed by "; line:column name" for each message.
inline std::string expression(llvm::StringRef text) {
  ParsedSource source(("fn f():\n    return " + text + "\n").str());
  if (source.diagnostics.hasErrors())
    return "! " + source.messages();
  const auto &statement = *source.file->functions[0]->body[0];
  std::string dumped;
  llvm::raw_string_ostream os(dumped);
  syntax::dumpExpr(*llvm::cast<syntax::ReturnStmt>(statement).value, os);
  return dumped;
}

} // namespace spl::test
