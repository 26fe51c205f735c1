// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/PtxFeatures.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace spl::codegen {
namespace {

struct Feature {
  llvm::StringLiteral name, text;
  unsigned ptx, sm;
  llvm::StringLiteral hint;
};
constexpr Feature features[] = {
#define PTX_FEATURE(Name, Text, Ptx, Sm, Hint) {Name, Text, Ptx, Sm, Hint},
#include "codegen/targets/nvptx/PtxFeatures.def"
};

bool uses(const llvm::CallBase &call, const Feature &feature) {
  if (auto *text = llvm::dyn_cast<llvm::InlineAsm>(call.getCalledOperand()))
    return llvm::StringRef(text->getAsmString()).contains(feature.text);
  const llvm::Function *callee = call.getCalledFunction();
  return callee && callee->isIntrinsic() && callee->getName().starts_with(feature.text);
}

uint64_t parameterBytes(const llvm::Function &kernel) {
  const llvm::DataLayout &layout = kernel.getDataLayout();
  uint64_t bytes = 0;
  for (const llvm::Argument &argument : kernel.args()) {
    llvm::Type *type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    bytes = llvm::alignTo(bytes, layout.getABITypeAlign(type)) + layout.getTypeAllocSize(type);
  }
  return bytes;
}

} // namespace

llvm::Expected<unsigned> ptxVersionFor(const llvm::Module &module, const NvptxArch &arch) {
  unsigned version = arch.ptxVersion, sm = arch.number();
  for (const llvm::Function &function : module) {
    if (function.getCallingConv() == llvm::CallingConv::PTX_Kernel &&
        parameterBytes(function) > maxParameterBytesEverywhere)
      version = std::max(version, 81u);
    for (const llvm::Instruction &instruction : llvm::instructions(function)) {
      auto *call = llvm::dyn_cast<llvm::CallBase>(&instruction);
      if (!call)
        continue;
      for (const Feature &feature : features) {
        if (!uses(*call, feature))
          continue;
        if (sm < feature.sm)
          return llvm::createStringError(arch.name + " has no " + feature.name + "; " +
                                         feature.hint);
        version = std::max(version, feature.ptx);
      }
    }
  }
  return version;
}

} // namespace spl::codegen
