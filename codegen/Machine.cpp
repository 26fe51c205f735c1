// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Machine.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

// The targets of this compiler, instead of all that LLVM was built with.
extern "C" {
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

namespace spl::codegen {
namespace {

void registerTargets() {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

llvm::Expected<const llvm::Target *> lookup(const std::string &triple) {
  registerTargets();
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

std::unique_ptr<llvm::MCSubtargetInfo> subtarget(const MachineKey &key) {
  llvm::Expected<const llvm::Target *> target = lookup(key.triple);
  if (!target) {
    llvm::consumeError(target.takeError());
    return nullptr;
  }
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      (*target)->createMCSubtargetInfo(llvm::Triple(key.triple), key.cpu, key.features));
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
  // The language decides on the source what is fused (docs/language.md). Standard fuses nothing but
  // llvm.fmuladd, which only device math libraries use.
  options.AllowFPOpFusion = llvm::FPOpFusion::Standard;
  machine.reset((*target)->createTargetMachine(llvm::Triple(key.triple), key.cpu, key.features,
                                               options, llvm::Reloc::PIC_, std::nullopt,
                                               codegenLevel(key.optLevel)));
  if (!machine)
    return llvm::createStringError("this LLVM cannot generate code for " + key.triple);
  return machine.get();
}

bool isHostArchCpu(llvm::StringRef name) {
  std::unique_ptr<llvm::MCSubtargetInfo> info = subtarget({hostTriple(), "", "", 0});
  if (!info || !info->isCPUStringValid(name))
    return false;
  // LLVM ends the process where it is to write 64-bit code for an older processor.
  return !llvm::Triple(hostTriple()).isX86() ||
         subtarget({hostTriple(), name.str(), "", 0})->checkFeatures("+64bit");
}

bool hasFeature(const MachineKey &key, llvm::StringRef feature) {
  std::unique_ptr<llvm::MCSubtargetInfo> info = subtarget(key);
  return info && info->checkFeatures(("+" + feature).str());
}

llvm::StringRef hostCpu() {
  static const std::string name = llvm::sys::getHostCPUName().str();
  return name;
}

llvm::StringRef hostFeatures() {
  static const std::string text = [] {
    llvm::SubtargetFeatures features;
    for (const auto &feature : llvm::sys::getHostCPUFeatures())
      features.AddFeature(feature.first(), feature.second);
    return features.getString();
  }();
  return text;
}

std::string hostTriple() { return llvm::sys::getProcessTriple(); }

} // namespace spl::codegen
