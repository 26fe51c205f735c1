// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Ptx.h"
#include "codegen/targets/nvptx/PtxasWorkarounds.h"
#include "spl/abi/Names.h"
#include <map>

namespace spl::codegen {

/// Gives the symbols that the part does not export names that no other part has.
static void nameLocalSymbols(llvm::Module &part, size_t number) {
  const std::string suffix = "$part" + std::to_string(number) + "_";
  for (llvm::GlobalValue &value : part.global_values())
    if (value.hasLocalLinkage())
      value.setName(value.getName() + suffix);
}

/// The lines of the signatures, in the order of the kernels. The runtime checks arguments against
/// them.
static std::string signatureLines(llvm::ArrayRef<LlvmModule> parts) {
  std::map<uint64_t, llvm::StringRef> signatures;
  for (const LlvmModule &part : parts)
    for (const llvm::Function &function : *part.module)
      if (function.hasFnAttribute("spl-signature"))
        signatures[function.getFnAttributeAsParsedInteger("spl-number")] =
            function.getFnAttribute("spl-signature").getValueAsString();
  std::string lines;
  for (const auto &[number, signature] : signatures)
    lines += (llvm::Twine(abi::signatureLine) + signature + "\n").str();
  return lines;
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
  std::string text = signatureLines(parts);
  for (size_t number = 0; number != parts.size() && parts.size() > 1; ++number)
    nameLocalSymbols(*parts[number].module, number);
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
