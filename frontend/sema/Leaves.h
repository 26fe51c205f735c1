// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The leaves of a type that holds slices. A leaf is a slice, or a field or element that holds no
// slices. The compiler treats a value of such a type as its leaves. A parameter of a kernel becomes
// one parameter for each of them. Documents and messages for users call a leaf a part.
#pragma once

#include "frontend/sema/Type.h"

namespace spl::sema {

/// The maximum length of an array whose elements are or hold slices. An index that is known only at
/// run time selects among all of them.
inline constexpr uint64_t maxSlicesInArray = 16;
/// The maximum number of leaves of a type. All of them are parameters of a kernel.
inline constexpr uint64_t maxLeaves = 64;

struct Leaf {
  Type type;
  std::string
      path; ///< from the value to the leaf: ".cells", ".rows[2]"; empty for the value itself
};

/// The leaves in the order of the declaration. A type that does not hold slices is its only leaf.
llvm::SmallVector<Leaf, 4> leavesOf(Type type);
/// The number of leaves before a part, in the type that directly contains it.
uint64_t leavesBefore(Type whole, uint64_t part);

} // namespace spl::sema
