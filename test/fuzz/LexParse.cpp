// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzes the lexer and the parser with random text. The tree of an input without errors is
// complete, and messages print.
#include "frontend/diag/Engine.h"
#include "frontend/lex/Lexer.h"
#include "frontend/syntax/Dump.h"
#include "frontend/syntax/Parser.h"
#include "llvm/Support/raw_ostream.h"
#include "test/fuzz/Fuzz.h"

using namespace spl;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  diag::SourceManager sources;
  llvm::StringRef text =
      sources.addBuffer("fuzz.spl", {reinterpret_cast<const char *>(data), size});
  diag::Engine diagnostics(sources);
  std::unique_ptr<syntax::File> file = syntax::parse("fuzz.spl", text, diagnostics);

  std::string output;
  llvm::raw_string_ostream os(output);
  syntax::dumpAst(*file, os);
  bool hasHole = llvm::StringRef(output).contains("(error)");
  fuzz::require(!hasHole || diagnostics.hasErrors(), "what was not parsed was reported");
  diagnostics.print(os, false);
  diagnostics.printJson(os);

  diag::Engine ofTokens(sources);
  lex::dumpTokens(text, ofTokens, os);
  return 0;
}
