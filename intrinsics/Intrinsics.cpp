// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "intrinsics/Rows.h"
#include <vector>

namespace spl::intrinsics {
namespace {

constexpr MemoryRow memoryRows[] = {
#define MEMORY(Id, Name, Signature, Doc) {MemoryId::Id, Name, Signature, Doc},
#include "intrinsics/Memory.def"
};

constexpr llvm::StringLiteral unimplemented[] = {
#define UNIMPLEMENTED(Name) Name,
#include "intrinsics/UnimplementedIntrinsics.def"
};

Signature::Slot parseSlot(llvm::StringRef text) {
  using Slot = Signature::Kind;
  constexpr std::pair<llvm::StringLiteral, Slot> words[] = {
      {"axis", Slot::Axis},   {"F", Slot::Float},     {"N", Slot::Number},
      {"I", Slot::Int},       {"T", Slot::Any},       {"V", Slot::Vector},
      {"V4", Slot::Quad},     {"E", Slot::Element},   {"B", Slot::Mask},
      {"X", Slot::AnyInt},    {"M", Slot::Lanes},     {"U", Slot::Bits},
      {"W", Slot::Word},      {"A", Slot::Whole},     {"width", Slot::Width},
      {"index", Slot::Index}, {"scope", Slot::Scope}, {"exclusive", Slot::Exclusive},
      {"text", Slot::Text},
  };
  for (const auto &[word, kind] : words)
    if (text == word)
      return {kind, ""};
  return {Slot::Scalar, text};
}

// Parses a list of slots, such as "F, F".
template <unsigned N>
void parseSlots(llvm::StringRef text, llvm::SmallVector<Signature::Slot, N> &slots) {
  llvm::SmallVector<llvm::StringRef, 4> words;
  text.trim("()").split(words, ", ", -1, /*KeepEmpty=*/false);
  for (llvm::StringRef word : words)
    slots.push_back(parseSlot(word));
}

// Parses a signature, such as "(F, F) -> F".
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

static llvm::StringRef joinedNames(Id id) {
  switch (id) {
#define PARAMETERS(Id_, Names)                                                                     \
  case Id::Id_:                                                                                    \
    return Names;
#include "intrinsics/Parameters.def"
  default:
    return "";
  }
}

llvm::SmallVector<llvm::StringRef, 4> parameterNames(Id id) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  joinedNames(id).split(names, ' ', -1, /*KeepEmpty=*/false);
  return names;
}

llvm::ArrayRef<MemoryRow> allMemory() { return memoryRows; }

const MemoryRow *findMemory(llvm::StringRef name) {
  const MemoryRow *found =
      llvm::find_if(memoryRows, [&](const MemoryRow &row) { return row.name == name; });
  return found == std::end(memoryRows) ? nullptr : found;
}

// Reads them in a signature such as "(&mut place, v, order = relaxed)".
llvm::SmallVector<llvm::StringRef, 4> parameterNames(const MemoryRow &row) {
  llvm::SmallVector<llvm::StringRef, 4> names;
  row.signature.split('(').second.split(')').first.split(names, ", ");
  llvm::erase_if(names, [](llvm::StringRef name) { return name.find_first_of("=:") != name.npos; });
  for (llvm::StringRef &name : names)
    if (name.consume_front("&"))
      name.consume_front("mut ");
  return names;
}

bool isUnimplemented(llvm::StringRef name) { return llvm::is_contained(unimplemented, name); }

} // namespace spl::intrinsics
