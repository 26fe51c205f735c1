// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "intrinsics/Intrinsics.h"
#include "llvm/ADT/STLExtras.h"
#include <vector>

namespace spl::intrinsics {
namespace {

// The words that the lowering columns of the table are written in.
using Kind = Lowering::Kind;
constexpr Lowering Expand{Kind::Expand};
constexpr Lowering Source{Kind::Source};
constexpr Lowering Warp{Kind::Warp};
constexpr Lowering Fence{Kind::Fence};
constexpr Lowering WorkItemLoop{Kind::WorkItemLoop};
constexpr Lowering GroupIndex{Kind::GroupIndex};
constexpr Lowering Bitcast{Kind::Bitcast};
constexpr Lowering Sreg(llvm::StringLiteral name) { return {Kind::Sreg, name}; }
constexpr Lowering Library(llvm::StringLiteral name) { return {Kind::Library, name}; }
constexpr Lowering Approximate(llvm::StringLiteral name) { return {Kind::Approximate, name}; }
constexpr Lowering Llvm(llvm::StringLiteral name) { return {Kind::Llvm, name}; }
constexpr Lowering LlvmByClass(llvm::StringLiteral onFloat, llvm::StringLiteral onSigned,
                               llvm::StringLiteral onUnsigned) {
  return {Kind::Llvm, onFloat, onSigned, onUnsigned};
}
constexpr Lowering LlvmInt(llvm::StringLiteral name) { return {Kind::Llvm, "", name, name}; }
constexpr Lowering launchField(Lowering::Field field) {
  return {Kind::LaunchField, "", "", "", field};
}
#define LaunchField(name) launchField(Lowering::Field::name)

// And those of the column Varies.
struct Nature {
  Varies varies;
  Sync sync = Sync::None;
};
constexpr Nature Nothing{Varies::Nothing}, Group{Varies::Group}, WorkItem{Varies::WorkItem};
constexpr Nature Alone(Nature of) { return {of.varies, Sync::Alone}; }
constexpr Nature OfWarp(Nature of) { return {of.varies, Sync::Warp}; }
constexpr Nature OfGroup(Nature of) { return {of.varies, Sync::Group}; }

constexpr Row rows[] = {
#define INTRINSIC(Id_, Name, Signature, Nature, Nvptx, Cpu, Doc)                                   \
  {Id::Id_, Name, Signature, (Nature).varies, (Nature).sync, Nvptx, Cpu, Doc},
#include "intrinsics/Intrinsics.def"
};

constexpr MemoryRow memoryRows[] = {
#define MEMORY(Id, Name, Signature, Doc) {MemoryId::Id, Name, Signature, Doc},
#include "intrinsics/Memory.def"
};

constexpr llvm::StringLiteral later[] = {
#define LATER(Name) Name,
#include "intrinsics/Later.def"
};

Signature::Slot parseSlot(llvm::StringRef text) {
  using Slot = Signature::Kind;
  constexpr std::pair<llvm::StringLiteral, Slot> words[] = {
      {"axis", Slot::Axis},
      {"F", Slot::Float},
      {"N", Slot::Number},
      {"I", Slot::Int},
      {"T", Slot::Any},
      {"V", Slot::Vector},
      {"V4", Slot::Quad},
      {"E", Slot::Element},
      {"B", Slot::Mask},
      {"X", Slot::AnyInt},
      {"M", Slot::Lanes},
      {"U", Slot::Bits},
      {"index", Slot::Index},
      {"scope", Slot::Scope},
      {"exclusive", Slot::Exclusive},
      {"text", Slot::Text},
  };
  for (const auto &[word, kind] : words)
    if (text == word)
      return {kind, ""};
  return {Slot::Scalar, text};
}

// "F, F"
template <unsigned N>
void parseSlots(llvm::StringRef text, llvm::SmallVector<Signature::Slot, N> &slots) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  text.trim("()").split(words, ", ", -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words)
    slots.push_back(parseSlot(word));
}

// "(F, F) -> F"; the result of none is (), that of two (F, F).
Signature parseSignature(llvm::StringRef text) {
  Signature signature;
  auto [parameters, results] = text.split(" -> ");
  parseSlots(parameters, signature.parameters);
  parseSlots(results, signature.results);
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

llvm::ArrayRef<MemoryRow> allMemory() { return memoryRows; }

const MemoryRow *findMemory(llvm::StringRef name) {
  const MemoryRow *found =
      llvm::find_if(memoryRows, [&](const MemoryRow &row) { return row.name == name; });
  return found == std::end(memoryRows) ? nullptr : found;
}

bool isLater(llvm::StringRef name) { return llvm::is_contained(later, name); }

} // namespace spl::intrinsics
