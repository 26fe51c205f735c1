// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All diagnostics of the compiler. The table is Diagnostics.def. Each row becomes a constant
// diag::Id. The constant's type contains the types of the arguments, so that a diagnostic with
// wrong arguments does not compile.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>

namespace spl::diag {

enum class Severity : uint8_t { Error, Warning, Note };

enum class Kind : uint16_t {
#define DIAG(Id, ...) Id,
#include "frontend/diag/Diagnostics.def"
};

/// A row of the table.
struct Info {
  llvm::StringLiteral name; ///< kebab-case, unique, shown as [name]; notes have names too
  Severity severity;
  llvm::StringLiteral format; ///< text with {0}, {1}, ... as for llvm::formatv
};

const Info &info(Kind kind);
/// The number of rows. Kinds are 0 to count() - 1.
unsigned count();

/// A row of the table, with the types of its arguments.
template <class... Args> struct Diagnostic {
  Kind kind;
};

#define DIAG(Id, Name, Sev, Format, ...) inline constexpr Diagnostic<__VA_ARGS__> Id{Kind::Id};
#include "frontend/diag/Diagnostics.def"

} // namespace spl::diag
