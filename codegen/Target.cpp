// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Target.h"
#include "codegen/LlvmBackend.h"
#include "spl/abi/Contract.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace spl::codegen {

Target::~Target() = default;

unsigned Target::contractGroups(const Output &) const { return unsigned(abi::Contract::maxGroups); }

llvm::Error Target::checkBundled(llvm::StringRef) const { return llvm::Error::success(); }

llvm::Expected<llvm::SmallVector<char, 0>> Target::emitLater(llvm::StringRef, int64_t,
                                                             const Options &) const {
  return llvm::createStringError("target " + name() + " compiles nothing later");
}

std::unique_ptr<LlvmBackend> Target::llvmBackend(const Options &) const { return nullptr; }

const Output *Target::output(llvm::StringRef name) const {
  const Output *found = llvm::find_if(outputs(), [&](const Output &output) {
    return output.name == name && !output.is(Output::Hidden);
  });
  return found == outputs().end() ? nullptr : found;
}

const Output *Target::outputFor(Output::Use use) const {
  const Output *found =
      llvm::find_if(outputs(), [&](const Output &output) { return output.is(use); });
  return found == outputs().end() ? nullptr : found;
}

const TargetOption *Target::option(llvm::StringRef name) const {
  const TargetOption *found =
      llvm::find_if(options(), [&](const TargetOption &option) { return option.name == name; });
  return found == options().end() ? nullptr : found;
}

TargetSpec::TargetSpec()
    : TargetSpec(*allTargets().front(), allTargets().front()->defaultProcessor()) {}

llvm::Expected<TargetSpec> TargetSpec::parse(llvm::StringRef word) {
  for (const Target *target : allTargets()) {
    if (!target->owns(word))
      continue;
    llvm::Expected<std::string> processor = target->parse(word);
    if (!processor)
      return processor.takeError();
    return TargetSpec(*target, std::move(*processor));
  }
  if (word.starts_with("vulkan"))
    return llvm::createStringError("target '" + word + "' is not in this version of the compiler");
  for (const Target *target : allTargets())
    if (std::string similar = target->similarWord(word); !similar.empty())
      return llvm::createStringError("unknown target '" + word + "'; did you mean '" + similar +
                                     "'?");
  auto words =
      llvm::map_range(allTargets(), [](const Target *target) { return target->allWords(); });
  return llvm::createStringError("unknown target '" + word + "'; the targets are " +
                                 llvm::join(words, ", "));
}

llvm::Expected<TargetSpec> TargetSpec::forDevice(llvm::StringRef backend,
                                                 unsigned computeCapability) {
  for (const Target *target : allTargets()) {
    if (target->backend() != backend)
      continue;
    llvm::Expected<std::string> processor = target->processorFor(computeCapability);
    if (!processor)
      return processor.takeError();
    return TargetSpec(*target, std::move(*processor));
  }
  return llvm::createStringError("no target of this compiler is for the backend " + backend);
}

} // namespace spl::codegen
