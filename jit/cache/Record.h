// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The payload of an entry: the code, its kernels, and the files that the 'use' lines of the source
// found, with their texts. It is valid only as long as the same searches find the same texts.
#pragma once

#include "driver/Compilation.h"
#include "frontend/syntax/FileSet.h"

namespace spl::jit {

std::string writeRecord(const syntax::FileSet &files, const driver::Compiled &compiled);

/// Returns std::nullopt for bytes that writeRecord did not produce, and if a search in these
/// folders would now find another file or another text.
std::optional<driver::Compiled> readRecord(llvm::StringRef bytes,
                                           const std::vector<std::string> &roots);

} // namespace spl::jit
