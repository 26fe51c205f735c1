// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/declarations/GenericStructs.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/GenericInstances.h"
#include "frontend/sema/expressions/GenericArguments.h"

namespace spl::sema {

void declareGenericStruct(Session &session, const syntax::StructItem &item) {
  session.genericStructs.push_back(
      std::make_unique<GenericStruct>(GenericStruct{&item, session.names}));
  if (session.claim(item.name))
    session.names->genericStructs[item.name.name] = session.genericStructs.back().get();
}

GenericStruct *genericStructNamed(Session &session, StringRef name) {
  return session.bound(name) ? nullptr : session.names->genericStructs.lookup(name);
}

Type instanceOf(Session &session, GenericStruct &generic, ArrayRef<GenericArgument> arguments,
                SourceRange range) {
  const std::optional<std::vector<uint64_t>> key = keyOf(arguments);
  if (!key)
    return session.types.error();
  if (auto known = generic.instances.find(*key); known != generic.instances.end())
    return known->second;
  const syntax::StructItem &item = *generic.item;
  const Instance *made = makeInstance(session,
                                      {.name = item.name.name,
                                       .declared = item.name.range,
                                       .generics = item.generics,
                                       .arguments = arguments},
                                      range);
  if (!made)
    return session.types.error();
  StructEntry &entry = session.add(
      made->name, {.item = &item, .names = generic.names, .generic = &generic, .instance = made});
  Type &type = generic.instances[*key];
  type = session.types.structure(*entry.info); // its fields may refer to it, which is an error
  if (!session.complete(entry))
    type = session.types.error();
  return type;
}

Type resolveInstance(Session &session, GenericStruct &generic, const syntax::TypeExpr &type) {
  const syntax::StructItem &item = *generic.item;
  if (type.arguments.size() != item.generics.size()) {
    const StringRef name = shown(item.name.name);
    session.diagnostics
        .emit(type.range, diag::StructArguments, name, counted(item.generics.size(), "argument"),
              exampleOf(name, item.generics),
              type.arguments.empty() ? "none" : std::to_string(type.arguments.size()))
        .note(item.name.range, diag::DeclaredHere, name);
    return session.types.error();
  }
  FunctionEntry noFunction{nullptr, nullptr, session.names};
  ExpressionContext context(session, noFunction);
  llvm::SmallVector<GenericArgument, 4> arguments(item.generics.size());
  bool isWrong = false;
  for (auto [index, written] : llvm::enumerate(type.arguments))
    isWrong |= !readGeneric(context, item.generics[index], *written, arguments[index]);
  return isWrong ? session.types.error() : instanceOf(session, generic, arguments, type.range);
}

bool isInstanceOf(Session &session, Type type, const GenericStruct &generic) {
  return type && type.isStruct() &&
         session.structEntries.lookup(&type.structInfo())->generic == &generic;
}

} // namespace spl::sema
