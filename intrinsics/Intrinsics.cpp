// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "intrinsics/Intrinsics.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

namespace spl::intrinsics {
namespace {

// The words that the lowering columns of the table are written in.
using Kind = Lowering::Kind;
constexpr Lowering Expand{Kind::Expand};
constexpr Lowering WorkItemLoop{Kind::WorkItemLoop};
constexpr Lowering GroupIndex{Kind::GroupIndex};
constexpr Lowering Sreg(llvm::StringLiteral name) { return {Kind::Sreg, name}; }
constexpr Lowering Library(llvm::StringLiteral name) { return {Kind::Library, name}; }
constexpr Lowering Llvm(llvm::StringLiteral name) { return {Kind::Llvm, name}; }
constexpr Lowering LlvmByClass(llvm::StringLiteral onFloat, llvm::StringLiteral onSigned,
                               llvm::StringLiteral onUnsigned) {
  return {Kind::Llvm, onFloat, onSigned, onUnsigned};
}
constexpr Lowering launchField(Lowering::Field field) {
  return {Kind::LaunchField, "", "", "", field};
}
#define LaunchField(name) launchField(Lowering::Field::name)

constexpr Row rows[] = {
#define INTRINSIC(Id_, Name, Signature, Varies_, Nvptx, Cpu, Doc)                                  \
  {Id::Id_, Name, Signature, Varies::Varies_, Nvptx, Cpu, Doc},
#include "intrinsics/Intrinsics.def"
};

constexpr llvm::StringLiteral later[] = {
#define LATER(Name) Name,
#include "intrinsics/Later.def"
};

Signature::Slot parseSlot(llvm::StringRef text) {
  if (text == "axis")
    return {Signature::Kind::Axis, ""};
  if (text == "F")
    return {Signature::Kind::Float, ""};
  if (text == "N")
    return {Signature::Kind::Number, ""};
  if (text == "I")
    return {Signature::Kind::Int, ""};
  return {Signature::Kind::Scalar, text};
}

// "(F, F) -> F"
Signature parseSignature(llvm::StringRef text) {
  Signature signature;
  auto [parameters, result] = text.split(" -> ");
  llvm::SmallVector<llvm::StringRef, 4> words;
  parameters.trim("()").split(words, ", ", -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words)
    signature.parameters.push_back(parseSlot(word));
  signature.result = parseSlot(result);
  return signature;
}

} // namespace

llvm::ArrayRef<Row> all() { return rows; }
const Row &row(Id id) { return rows[unsigned(id)]; }

const Row *find(llvm::StringRef name) {
  const Row *found = llvm::find_if(rows, [&](const Row &row) { return row.name == name; });
  return found == std::end(rows) ? nullptr : found;
}

const Signature &signature(Id id) {
  static const std::vector<Signature> parsed = [] {
    std::vector<Signature> signatures;
    for (const Row &row : rows)
      signatures.push_back(parseSignature(row.signature));
    return signatures;
  }();
  return parsed[unsigned(id)];
}

bool isLater(llvm::StringRef name) { return llvm::is_contained(later, name); }

} // namespace spl::intrinsics
