// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/TargetOptions.h"
#include "llvm/ADT/STLExtras.h"

namespace spl::codegen {

void TargetOptions::set(llvm::StringRef name, llvm::StringRef value) {
  if (llvm::is_contained({"", "0", "auto"}, value))
    values.erase(name.str());
  else
    values[name.str()] = value.str();
}

llvm::StringRef TargetOptions::get(llvm::StringRef name) const {
  const auto found = values.find(std::string_view(name));
  return found == values.end() ? "" : llvm::StringRef(found->second);
}

unsigned TargetOptions::number(llvm::StringRef name) const {
  unsigned number = 0;
  get(name).getAsInteger(10, number);
  return number;
}

} // namespace spl::codegen
