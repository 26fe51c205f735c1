// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the driver reports: diagnostics and errors to standard error, as text for people or as one
// JSON object a line.
#pragma once

#include "cli/Failure.h"
#include <spl/Error.h>
#include <string>
#include <string_view>

namespace spl::diag {
class Engine;
}

namespace spl::cli {

enum class DiagnosticsFormat { Text, Json };

/// The format of this process; set once by --diagnostics before anything is reported.
void setDiagnosticsFormat(DiagnosticsFormat format);

void reportDiagnostics(const diag::Engine &engine);
/// The exit status of a compilation that failed: wrong usage where only an option is at fault.
ExitStatus statusOf(const diag::Engine &engine);
/// name is shown in brackets; empty for none.
void reportError(std::string_view message, std::string_view name);
void reportWarning(std::string_view message);
/// A fault with its place and a note with work-item and group; other errors as reportError.
void reportError(const Error &error);

} // namespace spl::cli
