// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reports diagnostics and errors on standard error, as text or as one JSON object per line.
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

/// Sets the format of this process. --diagnostics calls it once, before anything is reported.
void setDiagnosticsFormat(DiagnosticsFormat format);

void reportDiagnostics(const diag::Engine &engine);
/// The exit status of a compilation that failed. It is wrong usage if options cause all errors.
ExitStatus statusOf(const diag::Engine &engine);
/// Reports that a checked launch found nothing: a line of text, and nothing as JSON.
void reportNoFindings();
/// What the function below prints.
std::string errorText(std::string_view message, std::string_view name);
/// If name is not empty, it is printed in brackets.
void reportError(std::string_view message, std::string_view name);
void reportWarning(std::string_view message);
/// Reports a fault with its place, and a note with the work-item and group. Reports the findings of
/// a checked launch. Reports other errors with the name of their code. The script and the place in
/// it are those of a PlacedError, otherwise empty.
void reportError(const Error &error, const std::string &script = "", const std::string &place = "");

} // namespace spl::cli
