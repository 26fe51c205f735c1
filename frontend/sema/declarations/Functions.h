// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions and methods: their names, signatures and generic parameters.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Declares all functions with their signatures.
void declareFunctions(Session &session, const syntax::FileSet &files);
/// Checks the names, the bounds and the types of generic parameters. `outer` are those of the
/// struct of a method.
void checkGenerics(Session &session, ArrayRef<syntax::GenericParameter> generics,
                   ArrayRef<syntax::GenericParameter> outer);
/// Reports methods whose names are taken by fields or other methods.
void checkMethodNames(Session &session, const syntax::StructItem &item);
/// The method of that name, or null. A field or an earlier method keeps its name.
const syntax::FunctionItem *methodNamed(const syntax::StructItem &item, StringRef name);
/// Adds a method of a struct, without its signature. Returns its index into Session::functions.
unsigned addMethod(Session &session, StructEntry &entry, const syntax::FunctionItem &method);
/// Sets the parameters, the result and the traits of a function that is not generic, or of an
/// instance, unless they are set. Returns false if they are being set, and reports this.
bool ensureSignature(Session &session, FunctionEntry &entry);

} // namespace spl::sema
