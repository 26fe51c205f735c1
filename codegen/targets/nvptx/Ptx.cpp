// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Ptx.h"
#include "codegen/targets/nvptx/PtxasWorkarounds.h"
#include "spl/abi/Names.h"
#include "llvm/ADT/SmallString.h"

namespace spl::codegen {

llvm::Expected<std::string> emitPtx(LlvmModule &module, const Options &options) {
  if (!options.target->output("ptx"))
    return llvm::createStringError("target " + options.target.str() + " has no PTX");
  // Writes the signatures, one line per kernel. The runtime checks arguments against them.
  llvm::SmallString<0> text;
  for (const llvm::Function &function : *module.module)
    if (llvm::Attribute signature = function.getFnAttribute("spl-signature"); signature.isValid())
      (llvm::Twine(abi::signatureLine) + signature.getValueAsString() + "\n").toVector(text);
  if (llvm::Error error = writeMachineCode(module, options, CodeForm::Assembly, text))
    return std::move(error);
  return workAroundPtxas(text);
}

} // namespace spl::codegen
