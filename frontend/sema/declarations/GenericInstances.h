// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of generic functions and structs. Session::instance and GenericStructs.h make them.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Whether a type meets a bound, a name of Bounds.def. Vectors are judged by their lanes.
bool fitsBound(StringRef bound, Type type);

/// The identity of generic arguments, or nothing if one of them has a reported error.
std::optional<std::vector<uint64_t>> keyOf(ArrayRef<GenericArgument> arguments);
/// Makes an instance of the generic `base`, of which it sets the name and who needs it at `range`.
/// Returns null if it reports an error: a bound that is not met, or instances without end.
const Instance *makeInstance(Session &session, Instance base, SourceRange range);
/// An example of an instance, such as "scale[f32, 16]".
std::string exampleOf(StringRef name, ArrayRef<syntax::GenericParameter> generics);

/// Makes the names of a file and the parameters of an instance the current ones for the duration of
/// a scope, in which a declaration of that file is checked. Errors in an instance get notes that
/// name it.
class InDeclaration {
public:
  InDeclaration(Session &session, FileNames *names, const Instance *instance);
  InDeclaration(Session &session, const FunctionEntry &entry)
      : InDeclaration(session, entry.names, entry.instance) {}
  ~InDeclaration();

private:
  Session &session;
  FileNames *outerNames;
  const Instance *outer;
  Scopes *outerLocals;
};

} // namespace spl::sema
