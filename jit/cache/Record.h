// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an entry holds for its key: the code, its kernels, and which files the source's 'use' lines
// led to, with their texts. It is good only as long as the same searches lead to the same texts.
#pragma once

#include "driver/Compilation.h"
#include "frontend/syntax/FileSet.h"

namespace spl::jit {

std::string writeRecord(const syntax::FileSet &files, const driver::Compiled &compiled);

/// Nothing for bytes that writeRecord did not give, and where a search among these roots would now
/// find another file or another text.
std::optional<driver::Compiled> readRecord(llvm::StringRef bytes,
                                           const std::vector<std::string> &roots);

} // namespace spl::jit
