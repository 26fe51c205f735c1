// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/Leaves.h"

namespace spl::sema {

static void collect(Type type, const std::string &path, llvm::SmallVectorImpl<Leaf> &leaves) {
  if (!type.holdsSlices())
    return leaves.push_back({type, path});
  if (type.isStruct()) {
    for (const StructInfo::Field &field : type.structInfo().fields)
      collect(field.type, path + "." + field.name.str(), leaves);
    return;
  }
  for (uint64_t index = 0; index != type.length(); ++index)
    collect(type.element(), path + "[" + std::to_string(index) + "]", leaves);
}

llvm::SmallVector<Leaf, 4> leavesOf(Type type) {
  llvm::SmallVector<Leaf, 4> leaves;
  collect(type, "", leaves);
  return leaves;
}

uint64_t leavesBefore(Type whole, uint64_t part) {
  if (whole.isArray())
    return part * whole.element().leafCount();
  uint64_t count = 0;
  for (const StructInfo::Field &field : llvm::ArrayRef(whole.structInfo().fields).take_front(part))
    count += field.type.leafCount();
  return count;
}

} // namespace spl::sema
