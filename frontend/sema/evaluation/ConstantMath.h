// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the functions of math.* give of scalars that are known when the program is compiled. What is
// exact or correctly rounded at run time is the same here; the others are within their largest
// error.
#pragma once

#include "intrinsics/Intrinsics.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include <optional>
#include <variant>

namespace spl::sema {

/// A float, or an integer with its sign; bool is an unsigned integer of one bit.
using Number = std::variant<llvm::APSInt, llvm::APFloat>;

/// None for a row that is no function of scalars alone.
std::optional<Number> mathOf(intrinsics::Id id, llvm::ArrayRef<Number> arguments);

} // namespace spl::sema
