// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Archs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include <algorithm>

namespace spl::codegen {
namespace {

constexpr NvptxArch archs[] = {
#define NVPTX_ARCH(Name, Ptx, Threads, Groups) {Name, Ptx, Threads, Groups},
#include "codegen/targets/nvptx/Archs.def"
};

/// The name in a form for comparisons: "sm80" for "SM_80" and "compute_80".
std::string withoutMarks(llvm::StringRef name) {
  std::string text = name.consume_front("compute") ? "sm" : "";
  for (char c : name.take_front(16)) // all names are shorter
    if (llvm::isAlnum(c))
      text += llvm::toLower(c);
  return text;
}

} // namespace

llvm::ArrayRef<NvptxArch> nvptxArchs() { return archs; }

unsigned NvptxArch::number() const {
  unsigned number = 0;
  name.drop_front(llvm::StringRef("sm_").size()).consumeInteger(10, number);
  return number;
}

const NvptxArch &nvptxArch(llvm::StringRef name) {
  return *llvm::find_if(archs, [&](const NvptxArch &arch) { return arch.name == name; });
}

llvm::Expected<std::string> archForCapability(unsigned capability) {
  // PTX for an older architecture runs on a newer device, except for names with the suffix a.
  unsigned newest = 0;
  for (const NvptxArch &arch : archs)
    if (!arch.name.ends_with("a") && arch.number() <= capability)
      newest = std::max(newest, arch.number());
  if (newest == 0)
    return llvm::createStringError("compute capability " + llvm::Twine(capability / 10) + "." +
                                   llvm::Twine(capability % 10) + " is older than " +
                                   archs[0].name + ", the oldest supported architecture");
  return "sm_" + std::to_string(newest);
}

std::string similarArch(llvm::StringRef name) {
  for (const NvptxArch &arch : archs)
    if (withoutMarks(arch.name) == withoutMarks(name))
      return arch.name.str();
  return "";
}

} // namespace spl::codegen
