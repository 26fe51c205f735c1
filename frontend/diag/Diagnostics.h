// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every message the compiler can give, by name. The table is Diagnostics.def; each row becomes a
// constant diag::Id whose type carries the types of its arguments, so that a message emitted with
// the wrong arguments does not compile.
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

/// What the table says of one diagnostic.
struct Info {
  llvm::StringLiteral name; ///< kebab-case, shown as [name], unique; notes have one too
  Severity severity;
  llvm::StringLiteral format; ///< text with {0}, {1}, ... as llvm::formatv writes them
};

const Info &info(Kind kind);
/// How many rows the table has; kinds are 0 .. count()-1.
unsigned count();

/// A row of the table together with the types of its arguments.
template <class... Args> struct Diagnostic { Kind kind; };

#define DIAG(Id, Name, Sev, Format, ...) inline constexpr Diagnostic<__VA_ARGS__> Id{Kind::Id};
#include "frontend/diag/Diagnostics.def"

} // namespace spl::diag
