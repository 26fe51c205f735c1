// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/Host.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/TargetParser/Host.h"
#include "llvm/TargetParser/SubtargetFeature.h"
#include "llvm/TargetParser/Triple.h"
#include <mutex>

namespace spl::codegen {
namespace {

/// Returns null if LLVM was built without the target.
std::unique_ptr<llvm::MCSubtargetInfo> subtarget(const MachineKey &key) {
  registerHostBackend();
  std::string error;
  const llvm::Target *target = llvm::TargetRegistry::lookupTarget(llvm::Triple(key.triple), error);
  if (!target)
    return nullptr;
  return std::unique_ptr<llvm::MCSubtargetInfo>(
      target->createMCSubtargetInfo(llvm::Triple(key.triple), key.cpu, key.features));
}

} // namespace

void registerHostBackend() {
  static std::once_flag once;
  std::call_once(once, [] {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
  });
}

bool isHostArchCpu(llvm::StringRef name) {
  std::unique_ptr<llvm::MCSubtargetInfo> info = subtarget({hostTriple(), "", "", 0});
  if (!info || !info->isCPUStringValid(name))
    return false;
  // LLVM ends the process if it must generate 64-bit code for a 32-bit processor.
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
