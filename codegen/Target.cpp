// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Target.h"
#include "codegen/Machine.h"
#include "codegen/Options.h"
#include "codegen/targets/Targets.h"
#include "spl/abi/Names.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <algorithm>

namespace spl::codegen {
namespace {

constexpr NvptxArch archs[] = {
#define NVPTX_ARCH(Name, Ptx, Threads, Groups) {Name, Ptx, Threads, Groups},
#include "codegen/targets/nvptx/Archs.def"
};

/// "sm80" of "SM_80" and "compute_80" alike.
std::string withoutMarks(llvm::StringRef name) {
  std::string text = name.consume_front("compute") ? "sm" : "";
  for (char c : name.take_front(16)) // longer than any
    if (llvm::isAlnum(c))
      text += llvm::toLower(c);
  return text;
}

llvm::Error unknownTarget(llvm::StringRef text) {
  for (const NvptxArch &arch : archs)
    if (withoutMarks(arch.name) == withoutMarks(text))
      return llvm::createStringError("unknown target '" + text + "'; did you mean '" + arch.name +
                                     "'?");
  std::string known =
      llvm::join(llvm::map_range(archs, [](auto &arch) { return arch.name; }), ", ");
  return llvm::createStringError("unknown target '" + text + "'; there is " + known +
                                 ", cpu (this machine's) and cpu:NAME with LLVM's name of a CPU");
}

llvm::Expected<TargetSpec> parseCpu(llvm::StringRef name) {
  if (name.empty())
    return llvm::createStringError("a CPU's name must follow 'cpu:', as in cpu:x86-64-v3");
  if (!isHostArchCpu(name))
    return llvm::createStringError("unknown CPU '" + name +
                                   "'; 'clang --print-supported-cpus' lists the names for this "
                                   "machine's architecture, of which those with 64 bits will do");
  return TargetSpec{TargetSpec::Kind::Cpu, name.str()};
}

} // namespace

llvm::ArrayRef<NvptxArch> nvptxArchs() { return archs; }

unsigned NvptxArch::number() const {
  unsigned number = 0;
  name.drop_front(llvm::StringRef("sm_").size()).consumeInteger(10, number);
  return number;
}

const NvptxArch &nvptxArch(const TargetSpec &spec) {
  return *llvm::find_if(archs, [&](const NvptxArch &arch) { return arch.name == spec.cpu; });
}

llvm::Expected<TargetSpec> TargetSpec::parse(llvm::StringRef text) {
  if (text == "cpu")
    return TargetSpec{Kind::Cpu, ""};
  if (llvm::StringRef name = text; name.consume_front("cpu:"))
    return parseCpu(name);
  if (text.starts_with("vulkan"))
    return llvm::createStringError("target '" + text + "' is not in this version of the compiler");
  if (!llvm::is_contained(llvm::map_range(archs, [](auto &arch) { return arch.name; }), text))
    return unknownTarget(text);
  return TargetSpec{Kind::Nvptx, text.str()};
}

llvm::Expected<TargetSpec> TargetSpec::forCapability(unsigned capability) {
  // PTX for an older architecture runs on a newer device; names with an a are for one alone.
  unsigned newest = 0;
  for (const NvptxArch &arch : archs)
    if (!arch.name.ends_with("a") && arch.number() <= capability)
      newest = std::max(newest, arch.number());
  if (newest == 0)
    return llvm::createStringError("compute capability " + llvm::Twine(capability / 10) + "." +
                                   llvm::Twine(capability % 10) + " is older than " +
                                   archs[0].name + ", the oldest that PTX is written for");
  return TargetSpec{Kind::Nvptx, "sm_" + std::to_string(newest)};
}

std::string TargetSpec::str() const {
  switch (kind) {
  case Kind::Nvptx:
    return cpu;
  case Kind::Cpu:
    return cpu.empty() ? "cpu" : "cpu:" + cpu;
  }
  llvm_unreachable("every kind is above");
}

std::string entrySymbol(const TargetSpec &spec, llvm::StringRef kernel) {
  return ((spec.isCpu() ? llvm::StringRef(abi::hostEntryPrefix) : "") + kernel).str();
}

Target::~Target() = default;

std::unique_ptr<Target> Target::create(const Options &options) {
  switch (options.target.kind) {
  case TargetSpec::Kind::Nvptx:
    return createNvptxTarget(options);
  case TargetSpec::Kind::Cpu:
    return createCpuTarget(options);
  }
  llvm_unreachable("every kind is above");
}

} // namespace spl::codegen
