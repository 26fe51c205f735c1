// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and methods: their names, signatures and generic parameters.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Declares all functions with their signatures.
void declareFunctions(Session &session, const syntax::FileSet &files);
/// Declares the methods of a struct, without their signatures.
void declareMethods(Session &session, StructEntry &entry, Type type);
/// Sets the parameters, the result and the traits of a function that is not generic, or of an
/// instance, unless they are set. Returns false if they are being set, and reports this.
bool ensureSignature(Session &session, FunctionEntry &entry);

} // namespace spl::sema
