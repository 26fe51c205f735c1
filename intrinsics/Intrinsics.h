// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of intrinsics as data: every gpu.* and math.* name with its signature and what its
// result depends on. Rows are in Intrinsics.def, the single source; lookups never allocate. How a
// target lowers each row is in codegen/targets/*/Intrinsics.def.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace spl::intrinsics {

enum class Id : uint16_t {
#define INTRINSIC(Id, ...) Id,
#include "intrinsics/Intrinsics.def"
};

/// What a result depends on besides the arguments.
enum class Varies : uint8_t { Nothing, Group, WorkItem };

/// Which work-items must take part in an operation, at the same place of the source.
enum class Sync : uint8_t {
  None,
  Alone, ///< nobody, but it is ordered among the work-item's accesses to memory
  Warp,  ///< the active lanes of a warp
  Group, ///< all of the group: a barrier
};

struct Row {
  Id id;
  llvm::StringLiteral name;      ///< "math.sqrt"
  llvm::StringLiteral signature; ///< "(F, F) -> F"
  Varies varies;
  Sync sync;
  llvm::StringLiteral doc;
};

/// A row's signature, taken apart.
struct Signature {
  enum class Kind : uint8_t {
    Axis,      ///< axis: the constant axis
    Float,     ///< F: a float or a vector of floats
    Number,    ///< N: a number or a vector of numbers
    Int,       ///< I: an integer or a vector of integers
    Any,       ///< T: any scalar or vector
    Vector,    ///< V: a vector of floats
    Quad,      ///< V4: a vector of four floats
    Lanes,     ///< M: a mask
    Element,   ///< E: the element of the row's vector
    Mask,      ///< B: bool, or a mask with the lanes of the row's vector
    AnyInt,    ///< X: an integer of any type, or a vector of such with the lanes of the row's
    Bits,      ///< U: any scalar or vector of the same size
    Scalar,    ///< a type by name
    Index,     ///< index: one integer of any type; i64 in MIR
    Scope,     ///< scope: one of the words group, device and system
    Exclusive, ///< exclusive: the named constant of that name, false when left out
    Text,      ///< text: a string
  };
  struct Slot {
    Kind kind;
    llvm::StringRef scalar; ///< Scalar: the type's name

    /// Whether the slot is one of the letters, which are one type in all of a row.
    bool isLetter() const { return kind >= Kind::Float && kind <= Kind::Lanes; }
    /// Whether an argument there is a value, not part of the operation's name so to say.
    bool isValue() const { return kind != Kind::Axis && kind < Kind::Scope; }
  };
  llvm::SmallVector<Slot, 4> parameters;
  llvm::SmallVector<Slot, 2> results; ///< none, one, or those of a tuple

  bool has(Kind kind) const {
    return llvm::any_of(parameters, [&](const Slot &slot) { return slot.kind == kind; });
  }
  bool hasAxis() const { return has(Kind::Axis); }
  /// The parameters that are values: operands in MIR.
  llvm::SmallVector<Slot, 4> values() const {
    return llvm::to_vector<4>(
        llvm::make_filter_range(parameters, [](const Slot &slot) { return slot.isValue(); }));
  }
  size_t valueCount() const { return values().size(); }
};

const Row &row(Id id);
llvm::ArrayRef<Row> all();
/// The row of that name; none for an unknown one.
const Row *find(llvm::StringRef name);
/// Parsed from the row's text once, at first use.
const Signature &signature(Id id);

/// The names that work on memory (Memory.def). They are no rows: the front end knows each.
enum class MemoryId : uint8_t {
#define MEMORY(Id, ...) Id,
#include "intrinsics/Memory.def"
};
struct MemoryRow {
  MemoryId id;
  llvm::StringLiteral name;      ///< "gpu.atomic_add"
  llvm::StringLiteral signature; ///< for people
  llvm::StringLiteral doc;
};
llvm::ArrayRef<MemoryRow> allMemory();
/// The row of that name; none for an unknown one.
const MemoryRow *findMemory(llvm::StringRef name);

/// Whether the language has that name and this version does not implement it
/// (UnimplementedIntrinsics.def).
bool isUnimplemented(llvm::StringRef name);

} // namespace spl::intrinsics
