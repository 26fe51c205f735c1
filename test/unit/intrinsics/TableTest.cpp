// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests properties that every row of the table of intrinsics has.
#include "intrinsics/Intrinsics.h"
#include "llvm/ADT/StringSet.h"
#include <gtest/gtest.h>

using namespace spl::intrinsics;
using llvm::StringRef;

namespace {

constexpr StringRef unimplementedNames[] = {
#define UNIMPLEMENTED(Name) Name,
#include "intrinsics/UnimplementedIntrinsics.def"
};

const StringRef scalarNames[] = {"bool", "i8",  "i16", "i32",  "i64", "u8", "u16",
                                 "u32",  "u64", "f16", "bf16", "f32", "f64"};

/// Whether \p name is one that a source can write, or one of an operator.
bool isWellFormed(StringRef name) {
  auto [space, word] = name.split('.');
  if (space == "math")
    word.consume_front("fast.");
  return (space == "gpu" || space == "math" || space == "op") && !word.empty() &&
         word.find_first_not_of(
             "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_") == StringRef::npos;
}

/// The text of a slot, as in the row.
std::string shown(const Signature::Slot &slot) {
  switch (slot.kind) {
  case Signature::Kind::Axis:
    return "axis";
  case Signature::Kind::Float:
    return "F";
  case Signature::Kind::Number:
    return "N";
  case Signature::Kind::Int:
    return "I";
  case Signature::Kind::Word:
    return "W";
  case Signature::Kind::Whole:
    return "A";
  case Signature::Kind::Width:
    return "width";
  case Signature::Kind::Any:
    return "T";
  case Signature::Kind::Vector:
    return "V";
  case Signature::Kind::Quad:
    return "V4";
  case Signature::Kind::Element:
    return "E";
  case Signature::Kind::Mask:
    return "B";
  case Signature::Kind::AnyInt:
    return "X";
  case Signature::Kind::Lanes:
    return "M";
  case Signature::Kind::Bits:
    return "U";
  case Signature::Kind::Index:
    return "index";
  case Signature::Kind::Scope:
    return "scope";
  case Signature::Kind::Exclusive:
    return "exclusive";
  case Signature::Kind::Text:
    return "text";
  case Signature::Kind::Scalar:
    return slot.scalar.str();
  }
  return "";
}

/// The text of the results, as in the row.
std::string shown(llvm::ArrayRef<Signature::Slot> results) {
  if (results.size() == 1)
    return shown(results.front());
  std::string text;
  for (const Signature::Slot &slot : results)
    text += (text.empty() ? "" : ", ") + shown(slot);
  return "(" + text + ")";
}

} // namespace

TEST(IntrinsicsTable, NamesAreUniqueAndWellFormed) {
  llvm::StringSet<> seen;
  for (const Row &row : all()) {
    EXPECT_TRUE(isWellFormed(row.name)) << row.name.str();
    EXPECT_TRUE(seen.insert(row.name).second) << row.name.str() << " has two rows";
  }
  EXPECT_GT(seen.size(), 15u);
}

TEST(IntrinsicsTable, UnimplementedNamesAreUniqueAndHaveNoRow) {
  llvm::StringSet<> seen;
  for (StringRef name : unimplementedNames) {
    EXPECT_TRUE(isWellFormed(name)) << name.str();
    EXPECT_TRUE(seen.insert(name).second) << name.str() << " appears twice";
    EXPECT_TRUE(isUnimplemented(name)) << name.str();
    EXPECT_EQ(find(name), nullptr) << name.str() << " has a row too";
  }
  EXPECT_FALSE(seen.empty());
}

TEST(IntrinsicsTable, LookupsAgreeWithTheRows) {
  for (size_t i = 0; i != all().size(); ++i) {
    const Row &each = all()[i];
    EXPECT_EQ(size_t(each.id), i) << each.name.str();
    EXPECT_EQ(&row(each.id), &each);
    EXPECT_EQ(find(each.name), &each);
    EXPECT_FALSE(isUnimplemented(each.name)) << each.name.str();
  }
  for (StringRef unknown : {"", "math", "math.", "math.squirt", "sqrt", "gpu.sqrt", "Math.sqrt"}) {
    EXPECT_EQ(find(unknown), nullptr) << unknown.str();
    EXPECT_FALSE(isUnimplemented(unknown)) << unknown.str();
  }
}

TEST(IntrinsicsTable, SignaturesAreMadeOfKnownTypes) {
  for (const Row &each : all()) {
    const Signature &parsed = signature(each.id);
    EXPECT_EQ(&parsed, &signature(each.id)) << "parsed once";
    std::string text = "(";
    for (size_t i = 0; i != parsed.parameters.size(); ++i) {
      const Signature::Slot &slot = parsed.parameters[i];
      text += (i == 0 ? "" : ", ") + shown(slot);
      EXPECT_TRUE(slot.kind != Signature::Kind::Axis || i == 0) << "an axis comes first";
      if (slot.kind == Signature::Kind::Scalar)
        EXPECT_TRUE(llvm::is_contained(scalarNames, slot.scalar)) << slot.scalar.str();
    }
    EXPECT_EQ(text + ") -> " + shown(parsed.results), each.signature.str());
    size_t words = llvm::count_if(parsed.parameters, [](auto &slot) { return !slot.isValue(); });
    EXPECT_EQ(parsed.valueCount() + words, parsed.parameters.size());
  }
}

// The arguments determine the type of each letter.
TEST(IntrinsicsTable, LettersFollowFromTheArguments) {
  for (const Row &each : all()) {
    const Signature &parsed = signature(each.id);
    llvm::SmallVector<Signature::Kind> letters;
    for (const Signature::Slot &slot : parsed.parameters)
      if (slot.isLetter())
        letters.push_back(slot.kind);
    for (Signature::Kind letter : letters)
      EXPECT_EQ(letter, letters.front()) << each.name.str() << " has two letters";
    llvm::SmallVector<Signature::Slot, 6> slots(parsed.parameters.begin(), parsed.parameters.end());
    slots.append(parsed.results.begin(), parsed.results.end());
    for (const Signature::Slot &slot : slots)
      if (slot.isValue() && slot.kind != Signature::Kind::Scalar)
        EXPECT_FALSE(letters.empty()) << each.name.str();
    for (const Signature::Slot &slot : parsed.results)
      if (slot.isLetter() && !letters.empty())
        EXPECT_EQ(slot.kind, letters.front()) << each.name.str();
  }
}

TEST(IntrinsicsTable, SeveralParametersHaveNames) {
  for (const Row &row : all()) {
    const size_t count = signature(row.id).positionalCount();
    EXPECT_EQ(parameterNames(row.id).size(), count > 1 ? count : 0) << row.name.str();
  }
  using Names = llvm::SmallVector<StringRef, 4>;
  EXPECT_EQ(parameterNames(*findMemory("gpu.atomic_cas")), (Names{"place", "expected", "new"}));
  EXPECT_EQ(parameterNames(*findMemory("gpu.atomic_load")), Names{"place"});
  EXPECT_EQ(parameterNames(*findMemory("gpu.store")), (Names{"a", "i", "v"}));
  EXPECT_EQ(parameterNames(*findMemory("gpu.shared")), Names{"n"});
}

TEST(IntrinsicsTable, EveryRowIsDocumented) {
  for (const Row &each : all())
    EXPECT_FALSE(each.doc.empty()) << each.name.str();
}
