// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tables of intrinsics as data: every gpu.* and math.* name with its signature and what its
// result depends on. The rows are in Intrinsics.def and Memory.def. The tables are constant, so
// several threads may use them at once. codegen/targets/*/Intrinsics.def says how each target
// lowers a row.
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

/// What a result depends on in addition to the arguments.
enum class Varies : uint8_t { Nothing, Group, WorkItem };

/// Which work-items must execute an operation together.
enum class Sync : uint8_t {
  None,
  Alone, ///< only the work-item itself; the order with its memory accesses is kept
  Warp,  ///< the active lanes of a warp
  Group, ///< all of the group: a barrier
};

/// Whether the operation returns its operand, which the programmer promises to be uniform.
constexpr bool isUniformPromise(Id id) { return id == Id::Uniform || id == Id::GridUniform; }

struct Row {
  Id id;
  llvm::StringLiteral name;      ///< "math.sqrt"
  llvm::StringLiteral signature; ///< "(F, F) -> F"
  Varies varies;
  Sync sync;
  llvm::StringLiteral doc;
};

/// The parsed signature of a row.
struct Signature {
  enum class Kind : uint8_t {
    Axis,    ///< axis: the constant axis
    Float,   ///< F: a float or a vector of floats
    Number,  ///< N: a number or a vector of numbers
    Int,     ///< I: an integer or a vector of integers
    Word,    ///< W: i32 or u32
    Any,     ///< T: any scalar or vector
    Whole,   ///< A: a scalar, vector or enum, or a struct, tuple or array of such
    Vector,  ///< V: a vector of floats
    Quad,    ///< V4: a vector of four floats
    Lanes,   ///< M: a mask
    Element, ///< E: the element of the row's vector
    Mask,    ///< B: bool, or a mask with the lanes of the row's vector
    AnyInt,  ///< X: an integer of any type, or a vector of such with the lanes of the row's vector
    Bits,    ///< U: any scalar or vector of the same size as the row's letter
    Scalar,  ///< a type by name
    Index,   ///< index: one integer of any type; i64 in MIR
    Scope,   ///< scope: one of the words group, device and system
    Exclusive, ///< exclusive: the named constant of that name, false when left out
    Width,     ///< width: the named constant of that name, 32 when left out
    Text,      ///< text: a string
  };
  struct Slot {
    Kind kind;
    llvm::StringRef scalar; ///< Scalar: the type's name

    /// Whether the slot is a letter, which is the same type everywhere in a row.
    bool isLetter() const { return kind >= Kind::Float && kind <= Kind::Lanes; }
    /// Whether the argument is given by name and may be left out.
    bool isNamed() const { return kind == Kind::Exclusive || kind == Kind::Width; }
    /// Whether the argument is a value, which is an operand in MIR, and not a constant or a word.
    bool isValue() const { return kind != Kind::Axis && kind < Kind::Scope; }
  };
  llvm::SmallVector<Slot, 4> parameters;
  llvm::SmallVector<Slot, 2> results; ///< none, one, or those of a tuple

  bool has(Kind kind) const {
    return llvm::any_of(parameters, [&](const Slot &slot) { return slot.kind == kind; });
  }
  bool hasAxis() const { return has(Kind::Axis); }
  /// The parameters that are values.
  llvm::SmallVector<Slot, 4> values() const {
    return llvm::to_vector<4>(
        llvm::make_filter_range(parameters, [](const Slot &slot) { return slot.isValue(); }));
  }
  /// The number of parameters that are given by position.
  size_t positionalCount() const {
    return llvm::count_if(parameters, [](const Slot &slot) { return !slot.isNamed(); });
  }
  size_t valueCount() const { return values().size(); }
};

const Row &row(Id id);
llvm::ArrayRef<Row> all();
/// The row with that name, or null.
const Row *find(llvm::StringRef name);
/// The parsed signature of a row. The first call parses the signatures of all rows.
const Signature &signature(Id id);
/// The names of the parameters that are given by position, in their order. Empty for a row that has
/// less than two of them.
llvm::SmallVector<llvm::StringRef, 4> parameterNames(Id id);

/// The names that access memory (Memory.def). The frontend handles each of them by itself, so they
/// are not rows of Intrinsics.def.
enum class MemoryId : uint8_t {
#define MEMORY(Id, ...) Id,
#include "intrinsics/Memory.def"
};
struct MemoryRow {
  MemoryId id;
  llvm::StringLiteral name;      ///< "gpu.atomic_add"
  llvm::StringLiteral signature; ///< only for documentation
  llvm::StringLiteral doc;
};
llvm::ArrayRef<MemoryRow> allMemory();
/// The row with that name, or null.
const MemoryRow *findMemory(llvm::StringRef name);
/// The names of its parameters that are given by position, in their order.
llvm::SmallVector<llvm::StringRef, 4> parameterNames(const MemoryRow &row);

/// Whether the language has that name, but this version does not implement it
/// (UnimplementedIntrinsics.def).
bool isUnimplemented(llvm::StringRef name);

} // namespace spl::intrinsics
