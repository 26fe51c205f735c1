// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What to write for a name of another language that is unknown here, from ForeignWords.def. Nothing
// fails: a name that the table does not hold has no remedy.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace spl::syntax {

/// Where the name stands: as a type, called, as a value, after 'gpu.', after a slice and '.'.
enum class Foreign : uint8_t { Type, Function, Value, Gpu, Slice };

/// A sentence without its end, or empty.
llvm::StringRef remedyForName(Foreign kind, llvm::StringRef name);
/// The name of our type for that of another language, or empty.
llvm::StringRef typeForForeign(llvm::StringRef name);

} // namespace spl::syntax
