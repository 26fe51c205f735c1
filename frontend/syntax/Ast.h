// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax tree of one file. It has the structure of the text, but no types and no resolved
// names. The arena of the File owns the nodes. Ranges and names point into the SourceManager's
// text. Later phases do not change the tree.
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
  const TypeExpr *constType = nullptr; ///< the type of a const parameter; null for a type parameter
  std::optional<Identifier> bound = {}; ///< the bound of a type parameter, a name of Bounds.def
};

/// The attributes #[...] before a function.
struct FunctionAttributes {
  SourceRange range;                 ///< the first attribute; invalid if there is none
  bool isGpu = false;                ///< #[gpu]
  ArrayRef<const Expr *> block = {}; ///< #[gpu(block: [x, y, z])]: one to three constants, or empty
  const Expr *minBlocks = nullptr;   ///< #[gpu(min_blocks: n)], or null
  bool isInline = false, isNoinline = false, isFastMath = false, isUnchecked = false;
  bool isBroken = false; ///< one of them has a reported error, so their position is not checked
};

/// How a method takes its struct: self, &self or &mut self.
enum class SelfKind : uint8_t { None, Value, Reference, MutReference };

struct FunctionItem {
  Identifier name;
  FunctionAttributes attributes;
  /// The header has a reported error. Parameters may be missing, so calls, and names in the body,
  /// are not checked.
  bool isBroken = false;
  SourceRange range; ///< from fn to the colon
  ArrayRef<GenericParameter> generics;
  SelfKind self = SelfKind::None; ///< of a method; self is not among the parameters
  ArrayRef<Parameter> parameters;
  const TypeExpr *result = nullptr; ///< null if the function returns nothing
  StringRef doc;                    ///< the docstring's text, or empty
  Block body;

  bool isKernel() const { return attributes.isGpu; }
  bool hasSelf() const { return self != SelfKind::None; }
};

/// use helpers.{clamp01, Vec}, use helpers.clamp01
struct UseItem {
  SourceRange range;
  ArrayRef<Identifier> path;  ///< the folders and the name of the file, without .spl
  ArrayRef<Identifier> names; ///< the names that are imported
};

/// const NAME: T = e; the type may be omitted
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
  bool isBroken = false; ///< as in FunctionItem
  ArrayRef<GenericParameter> generics;
  StringRef doc;
  ArrayRef<Field> fields;
  ArrayRef<const FunctionItem *> methods;
};

struct EnumMember {
  Identifier name;
  const Expr *value; ///< a constant, or null for one more than the previous member
};
struct EnumItem {
  Identifier name;
  bool isBroken = false; ///< as in FunctionItem
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
  /// Names of items that could not be parsed. The user has declared them, so later phases do not
  /// report their uses.
  ArrayRef<StringRef> skippedNames;
};

} // namespace spl::syntax
