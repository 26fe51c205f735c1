// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Machine.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

namespace spl::codegen {
namespace {

llvm::Expected<const llvm::Target *> lookup(const std::string &triple) {
  std::string error;
  if (const llvm::Target *target = llvm::TargetRegistry::lookupTarget(llvm::Triple(triple), error))
    return target;
  return llvm::createStringError("this LLVM cannot generate code for " + triple + ": " + error);
}

llvm::CodeGenOptLevel codegenLevel(unsigned optLevel) {
  constexpr llvm::CodeGenOptLevel levels[] = {
      llvm::CodeGenOptLevel::None, llvm::CodeGenOptLevel::Less, llvm::CodeGenOptLevel::Default,
      llvm::CodeGenOptLevel::Aggressive};
  return levels[std::min(optLevel, 3u)];
}

} // namespace

llvm::Expected<llvm::TargetMachine *> machineFor(const MachineKey &key) {
  thread_local llvm::StringMap<std::unique_ptr<llvm::TargetMachine>> machines;
  std::string text =
      key.triple + '/' + key.cpu + '/' + key.features + '/' + std::to_string(key.optLevel);
  std::unique_ptr<llvm::TargetMachine> &machine = machines[text];
  if (machine)
    return machine.get();
  llvm::Expected<const llvm::Target *> target = lookup(key.triple);
  if (!target)
    return target.takeError();
  llvm::TargetOptions options;
  // docs/language.md defines which operations are fused, and the frontend fuses them. Standard
  // fuses only llvm.fmuladd, which only device math libraries use.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  machine.reset((*target)->createTargetMachine(llvm::Triple(key.triple), key.cpu, key.features,
                                               options, llvm::Reloc::PIC_, std::nullopt,
                                               codegenLevel(key.optLevel)));
  if (!machine)
    return llvm::createStringError("this LLVM cannot generate code for " + key.triple);
  return machine.get();
}

} // namespace spl::codegen
