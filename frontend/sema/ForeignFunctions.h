// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Hints for calls of functions of other languages. Single functions are rows of
// frontend/syntax/ForeignFunctions.def. Families of names follow rules.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace spl::sema {

/// What to write instead of a call of the function, or an empty text if it is not known. \p
/// operands are the texts of the arguments.
std::string foreignFunctionHint(llvm::StringRef name, llvm::ArrayRef<llvm::StringRef> operands);

} // namespace spl::sema
