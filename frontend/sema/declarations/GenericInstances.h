// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Instances of generic functions. Session::instance makes them.
#pragma once

#include "frontend/sema/Session.h"

namespace spl::sema {

/// Whether a type meets a bound, a name of Bounds.def. Vectors are judged by their lanes.
bool fitsBound(StringRef bound, Type type);

/// Makes a function the current one for the duration of a scope. Errors in an instance get notes
/// that name it.
class InFunction {
public:
  InFunction(Session &session, const FunctionEntry &entry);
  ~InFunction();

private:
  Session &session;
  const FunctionEntry *outer;
  FileNames *outerNames;
};

} // namespace spl::sema
