// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// fuzz-dictionary spl|mlir|sdn: prints the words of the language, of MIR or of the config file as a
// dictionary for libFuzzer. They come from the tables of tokens, types, attributes, intrinsics and
// backends, and from the dialects.
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mir/dialect/Register.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OperationSupport.h"

static void word(llvm::StringRef text) {
  llvm::outs() << '"';
  for (char c : text)
    if (c == '"' || c == '\\')
      llvm::outs() << '\\' << c;
    else if (llvm::isPrint(c))
      llvm::outs() << c;
    else
      llvm::outs() << "\\x" << llvm::toHex(llvm::StringRef(&c, 1));
  llvm::outs() << "\"\n";
}

static void writeIntrinsics() {
#define INTRINSIC(Id, Name, ...) word(Name);
#include "intrinsics/Intrinsics.def"
#define MEMORY(Id, Name, ...) word(Name);
#include "intrinsics/Memory.def"
}

static void writeLanguage() {
#define KEYWORD(Id, Spelling) word(Spelling);
#define PUNCTUATION(Id, Spelling) word(Spelling);
#include "frontend/lex/Tokens.def"
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, ...) word(TEXT);
#include "spl/ScalarTypes.def"
#define ATTRIBUTE(Name, Field) word(Name);
#include "frontend/syntax/Attributes.def"
  writeIntrinsics();
  for (const char *other : {"step", "unroll", "mut", "alias", "block: [", "min_blocks: ", ".len()",
                            ".dim(", "\"\"\"", "\"{", ":.3}\"", "f32x4", "u8x16", "\n    ",
                            "\n        ", "#[gpu]\nfn k(a: &mut [f32]):\n    "})
    word(other);
}

static void writeMir() {
  mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
  spl::mir::loadDialects(context);
  for (mlir::RegisteredOperationName name : context.getRegisteredOperations())
    word(name.getStringRef());
  writeIntrinsics();
  for (const char *other : {"!spl.slice<", "!spl.struct<", "!spl.array<", ": f32", "index",
                            "vector<", "loc(", "dense<", "#spl.", "{mut", "-> (", "^bb0("})
    word(other);
}

static void writeConfig() {
#define SPL_BACKEND(NAME, TEXT) word(TEXT);
#include "spl/Backends.def"
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, ...) word(TEXT);
#include "spl/ScalarTypes.def"
  for (const char *other : {"dl:\n    ", "\n    ", "\r\n", "device: ", "backend: ", "use_gpu: ",
                            "dtype: ", "auto", "cuda:1", "true", "false", " # ", "\xEF\xBB\xBF"})
    word(other);
}

int main(int argc, char **argv) {
  llvm::StringRef what = argc == 2 ? argv[1] : "";
  if (what == "spl")
    writeLanguage();
  else if (what == "mlir")
    writeMir();
  else if (what == "sdn")
    writeConfig();
  else
    return 2;
  return 0;
}
