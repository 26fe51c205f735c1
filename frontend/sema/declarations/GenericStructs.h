// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generic structs and their instances. An instance is a struct of its own, with a name such as
// "Pair[f32]".
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Declares a generic struct of the current file.
void declareGenericStruct(Session &session, const syntax::StructItem &item);
/// The generic struct called `name` in the current file and instance, or null.
GenericStruct *genericStructNamed(Session &session, StringRef name);
/// Returns the instance with these arguments. The first call makes it and checks its fields.
/// Returns the error type if it reports an error at `range`, or has reported one about the
/// instance.
Type instanceOf(Session &session, GenericStruct &generic, ArrayRef<GenericArgument> arguments,
                SourceRange range);
/// Returns the instance that a type with arguments names, Pair[f32]. Returns the error type if it
/// reports an error, also about arguments that are missing.
Type resolveInstance(Session &session, GenericStruct &generic, const syntax::TypeExpr &type);
/// Whether the type is an instance of the generic struct.
bool isInstanceOf(Session &session, Type type, const GenericStruct &generic);

} // namespace spl::sema
