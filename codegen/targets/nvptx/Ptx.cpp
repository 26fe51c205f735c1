// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Ptx.h"
#include "codegen/targets/nvptx/PtxasWorkarounds.h"
#include "spl/abi/Names.h"

namespace spl::codegen {

/// Appends the lines of the signatures. The runtime checks arguments against them.
static void appendSignatures(const llvm::Module &part, std::string &text) {
  for (const llvm::Function &function : part)
    if (llvm::Attribute signature = function.getFnAttribute("spl-signature"); signature.isValid())
      text += (llvm::Twine(abi::signatureLine) + signature.getValueAsString() + "\n").str();
}

/// The PTX of a part without the directives at its top, which all parts have.
static llvm::StringRef withoutHeader(llvm::StringRef ptx) {
  return ptx.split("\n.address_size 64\n").second;
}

/// Appends PTX without the comments that number calls. A target machine numbers the calls of all
/// that it compiles, and the parts of a thread vary.
static void appendWithoutCallNumbers(llvm::StringRef ptx, std::string &text) {
  while (!ptx.empty()) {
    const auto [before, rest] = ptx.split(" // callseq ");
    text += before;
    ptx = rest.drop_while([](char c) { return c != '\n'; });
  }
}

llvm::Expected<std::string> emitPtx(llvm::MutableArrayRef<LlvmModule> parts,
                                    const Options &options) {
  if (!options.target->output("ptx"))
    return llvm::createStringError("target " + options.target.str() + " has no PTX");
  std::string text;
  for (const LlvmModule &part : parts)
    appendSignatures(*part.module, text);
  llvm::Expected<std::vector<llvm::SmallVector<char, 0>>> codes =
      writeMachineCode(parts, options, CodeForm::Assembly);
  if (!codes)
    return codes.takeError();
  for (const llvm::SmallVector<char, 0> &code : *codes) {
    const llvm::StringRef ptx(code.data(), code.size());
    appendWithoutCallNumbers(&code == &codes->front() ? ptx : withoutHeader(ptx), text);
  }
  return workAroundPtxas(text);
}

} // namespace spl::codegen
