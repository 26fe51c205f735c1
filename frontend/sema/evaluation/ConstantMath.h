// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Computes functions of math.* on constant scalars. Functions that are exact or correctly rounded
// at run time have the same result here. The others have results within their documented error.
#pragma once

#include "intrinsics/Intrinsics.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APSInt.h"
#include <optional>
#include <variant>

namespace spl::sema {

/// A float, or a signed or unsigned integer. A bool is an unsigned integer of one bit.
using Number = std::variant<llvm::APSInt, llvm::APFloat>;

/// Returns nothing if the row is not a function of scalars.
std::optional<Number> mathOf(intrinsics::Id id, llvm::ArrayRef<Number> arguments);

} // namespace spl::sema
