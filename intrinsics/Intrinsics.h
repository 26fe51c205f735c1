// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of intrinsics as data: every gpu.* and math.* name with its signature and how each
// target lowers it. Rows are in Intrinsics.def, the single source; lookups never allocate.
#pragma once

#include "llvm/ADT/ArrayRef.h"
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

/// How a target lowers a row; the text fields are the row's arguments in the table.
struct Lowering {
  enum class Kind : uint8_t {
    Expand,
    Sreg,
    WorkItemLoop,
    LaunchField,
    GroupIndex,
    Llvm,
    Library,
  };
  enum class Field : uint8_t { none, numGroups, localSize };
  Kind kind;
  llvm::StringLiteral name = "";         ///< Sreg, Library; Llvm on floats
  llvm::StringLiteral signedName = "";   ///< Llvm on signed integers; "" is the identity
  llvm::StringLiteral unsignedName = ""; ///< Llvm on unsigned integers; "" is the identity
  Field field = Field::none;             ///< LaunchField
};

struct Row {
  Id id;
  llvm::StringLiteral name;      ///< "math.sqrt"
  llvm::StringLiteral signature; ///< "(F, F) -> F"
  Varies varies;
  Lowering nvptx;
  Lowering cpu;
  llvm::StringLiteral doc;
};

/// A row's signature, taken apart.
struct Signature {
  enum class Kind : uint8_t {
    Axis,    ///< axis: the constant axis
    Float,   ///< F: a float or a vector of floats
    Number,  ///< N: a number or a vector of numbers
    Int,     ///< I: an integer or a vector of integers
    Any,     ///< T: any scalar or vector
    Vector,  ///< V: a vector of floats
    Quad,    ///< V4: a vector of four floats
    Element, ///< E: the element of the row's vector
    Mask,    ///< B: bool, or a mask with the lanes of the row's vector
    AnyInt,  ///< X: an integer of any type, or a vector of such with the lanes of the row's
    Scalar,  ///< a type by name
  };
  struct Slot {
    Kind kind;
    llvm::StringRef scalar; ///< Scalar: the type's name

    /// Whether the slot is one of the letters that stand for one type in all of a row.
    bool isLetter() const { return kind >= Kind::Float && kind <= Kind::Quad; }
  };
  llvm::SmallVector<Slot, 4> parameters;
  llvm::SmallVector<Slot, 2> results; ///< none, one, or those of a tuple

  bool hasAxis() const { return !parameters.empty() && parameters.front().kind == Kind::Axis; }
  /// Parameters that are values: all but the axis.
  size_t valueCount() const { return parameters.size() - hasAxis(); }
};

const Row &row(Id id);
llvm::ArrayRef<Row> all();
/// The row of that name; none for an unknown one.
const Row *find(llvm::StringRef name);
/// Parsed from the row's text once, at first use.
const Signature &signature(Id id);

/// Names of the language that this version does not have yet (Later.def).
bool isLater(llvm::StringRef name);

} // namespace spl::intrinsics
