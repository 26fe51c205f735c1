// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/LinkNeeded.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Module.h"
#include "llvm/Linker/Linker.h"
#include "llvm/Transforms/IPO/Internalize.h"

namespace spl::codegen {

/// Replaces the target of the library by that of the module. With another target its functions
/// would not be inlined.
static void adoptTarget(llvm::Module &library, const llvm::Module &module) {
  library.setDataLayout(module.getDataLayout());
  library.setTargetTriple(module.getTargetTriple());
  llvm::SmallVector<llvm::NamedMDNode *> metadata(
      llvm::make_pointer_range(library.named_metadata()));
  for (llvm::NamedMDNode *node : metadata)
    node->eraseFromParent();
}

llvm::Error linkNeeded(llvm::Module &module, std::unique_ptr<llvm::Module> library,
                       llvm::StringRef name) {
  adoptTarget(*library, module);
  auto internalize = [](llvm::Module &linked, const llvm::StringSet<> &added) {
    llvm::internalizeModule(linked, [&](const llvm::GlobalValue &value) {
      return !value.hasName() || !added.count(value.getName());
    });
    for (const auto &symbol : added)
      if (llvm::Function *function = linked.getFunction(symbol.first()))
        for (const char *attribute : {"target-cpu", "target-features", "frame-pointer"})
          function->removeFnAttr(attribute);
  };
  if (llvm::Linker::linkModules(module, std::move(library), llvm::Linker::LinkOnlyNeeded,
                                internalize))
    return llvm::createStringError("cannot link " + name);
  return llvm::Error::success();
}

} // namespace spl::codegen
