// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax tree of one file, as written: no types, no meaning. Nodes live in the Arena of their
// File and are never freed one by one; ranges and names point into the SourceManager's text.
// Later phases read it and never change it.
#pragma once

#include "frontend/syntax/Statements.h"
#include "llvm/Support/Allocator.h"

namespace spl::syntax {

struct Parameter {
  Identifier name;
  const TypeExpr *type;
  const Expr *byDefault = nullptr; ///< or null
  bool isAlias = false;            ///< #[alias]
};

/// [T: Num, const N: i64]
struct GenericParameter {
  Identifier name;
  const TypeExpr *constType = nullptr;  ///< of a const; null for a type
  std::optional<Identifier> bound = {}; ///< of a type, a name of Bounds.def
};

/// What #[...] before a function says.
struct FunctionAttributes {
  SourceRange range;                 ///< of the first, invalid where there is none
  bool isGpu = false;                ///< #[gpu]
  ArrayRef<const Expr *> block = {}; ///< #[gpu(block: [x, y, z])]: one to three constants, or empty
  const Expr *minBlocks = nullptr;   ///< #[gpu(min_blocks: n)], or null
  bool isInline = false, isNoinline = false, isFastMath = false, isUnchecked = false;
  bool isBroken = false; ///< one of them was reported: where they are is not judged
};

struct FunctionItem {
  Identifier name;
  FunctionAttributes attributes;
  /// The header has an error, already reported: parameters may be missing, so neither calls nor
  /// names inside the body can be judged.
  bool isBroken = false;
  SourceRange range; ///< from fn to the colon
  ArrayRef<GenericParameter> generics;
  bool hasSelf = false; ///< a method; self is not among the parameters
  ArrayRef<Parameter> parameters;
  const TypeExpr *result = nullptr; ///< or null: returns nothing
  StringRef doc;                    ///< the docstring's text, or empty
  Block body;

  bool isKernel() const { return attributes.isGpu; }
};

/// use helpers.{clamp01, Vec}, use helpers.clamp01
struct UseItem {
  SourceRange range;
  ArrayRef<Identifier> path;  ///< of the file, without .spl: folders and its name
  ArrayRef<Identifier> names; ///< what is taken from it
};

/// const NAME: T = e; the type may be left out
struct ConstItem {
  Identifier name;
  const TypeExpr *type; ///< or null
  const Expr *value;
};

struct Field {
  Identifier name;
  const TypeExpr *type;
  const Expr *byDefault; ///< or null
};
struct StructItem {
  Identifier name;
  bool isBroken = false; ///< as a function's
  StringRef doc;
  ArrayRef<Field> fields;
  ArrayRef<const FunctionItem *> methods;
};

struct EnumMember {
  Identifier name;
  const Expr *value; ///< a constant, or null: one more than the one before
};
struct EnumItem {
  Identifier name;
  bool isBroken = false; ///< as a function's
  StringRef doc;
  ArrayRef<EnumMember> members;
};

/// One parsed file. Owns its nodes.
struct File {
  llvm::BumpPtrAllocator arena;
  StringRef name;
  StringRef doc;
  ArrayRef<UseItem> uses;
  ArrayRef<const ConstItem *> constants;
  ArrayRef<const StructItem *> structs;
  ArrayRef<const EnumItem *> enums;
  ArrayRef<const FunctionItem *> functions;
  /// Names of items that could not be parsed, which was reported: they exist for the user, so later
  /// phases are silent about them.
  ArrayRef<StringRef> skippedNames;
};

} // namespace spl::syntax
