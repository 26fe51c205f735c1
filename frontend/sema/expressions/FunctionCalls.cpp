// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/FunctionCalls.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/Definitions.h"
#include "frontend/sema/declarations/Functions.h"
#include "frontend/sema/declarations/GenericInstances.h"
#include "frontend/sema/expressions/Calls.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/GenericArguments.h"
#include "frontend/sema/expressions/References.h"
#include "frontend/sema/lifetimes/AliasCheck.h"

namespace spl::sema {

//===-- Arguments to parameters --===//

static std::string parameterCount(const syntax::FunctionItem &item) {
  size_t maxCount = item.parameters.size();
  size_t minCount =
      llvm::count_if(item.parameters, [](const syntax::Parameter &p) { return !p.byDefault; });
  return minCount == maxCount ? counted(maxCount, "argument")
                              : std::to_string(minCount) + " to " + counted(maxCount, "argument");
}

static bool requireAll(Session &session, const syntax::CallExpr &call, const FunctionEntry &callee,
                       CallArguments &result) {
  StringRef name = shown(callee.writtenName());
  bool isPlain = llvm::none_of(
      call.arguments, [](const syntax::Argument &argument) { return bool(argument.name); });
  llvm::SmallVector<StringRef, 4> missing;
  for (auto [index, parameter] : llvm::enumerate(callee.item->parameters)) {
    if (result.given[index])
      continue;
    if (parameter.byDefault)
      result.written.push_back(index);
    else
      missing.push_back(parameter.name.name);
  }
  if (missing.empty())
    return true;
  if (isPlain)
    session.diagnostics
        .emit(call.range, diag::ArgumentCount, name.str(), parameterCount(*callee.item),
              call.arguments.size(), missingHint(missing))
        .note(callee.function->range, diag::DeclaredHere, name);
  else
    session.diagnostics.emit(call.range, diag::MissingArgument, name, shown(missing.front()))
        .note(callee.function->range, diag::DeclaredHere, name);
  return false;
}

// Assigns the arguments of a call to parameters. Returns false if it reports an error.
static bool matchArguments(Session &session, const syntax::CallExpr &call,
                           const FunctionEntry &callee, CallArguments &result) {
  ArrayRef<syntax::Parameter> parameters = callee.item->parameters;
  StringRef name = shown(callee.writtenName());
  SourceRange declared = callee.function->range;
  result.given.assign(parameters.size(), nullptr);
  bool isNamed = false;
  for (const syntax::Argument &argument : call.arguments) {
    size_t index = result.written.size();
    if (!argument.name && isNamed) {
      session.diagnostics.emit(argument.value->range, diag::UnnamedArgument, name);
      return false;
    }
    if (argument.name) {
      isNamed = true;
      const auto *found = llvm::find_if(parameters, [&](const syntax::Parameter &parameter) {
        return parameter.name.name == argument.name->name;
      });
      if (found == parameters.end()) {
        TypoCorrection correction(argument.name->name);
        for (const syntax::Parameter &parameter : parameters)
          correction.consider(parameter.name.name);
        session.diagnostics
            .emit(argument.name->range, diag::UnknownParameter, name, shown(argument.name->name),
                  didYouMean(correction.best()))
            .note(declared, diag::DeclaredHere, name);
        return false;
      }
      index = found - parameters.begin();
    }
    if (index >= parameters.size()) {
      session.diagnostics
          .emit(call.range, diag::ArgumentCount, name.str(), parameterCount(*callee.item),
                call.arguments.size(), "")
          .note(declared, diag::DeclaredHere, name);
      return false;
    }
    if (result.given[index]) {
      session.diagnostics.emit(argument.name->range, diag::ArgumentTwice, name,
                               argument.name->name);
      return false;
    }
    result.given[index] = argument.value;
    result.written.push_back(index);
  }
  return requireAll(session, call, callee, result);
}

static const Expr *checkDefault(Session &session, FunctionEntry &callee, unsigned index,
                                const syntax::Parameter &parameter, Type type) {
  // The limit of calls in a default, because each use of the default repeats them.
  constexpr unsigned maxCalls = 256;
  NeededInside inside(session, nullptr, parameter.byDefault);
  if (inside.isTooDeep(parameter.name))
    return nullptr;
  ExpressionContext context(session, callee);
  const Expr *value = checkAlone(context, *parameter.byDefault, type);
  callee.defaultCalls[index] = context.callCount;
  if (!value || context.callCount <= maxCalls)
    return value;
  session.diagnostics.emit(parameter.byDefault->range, diag::DefaultTooLarge,
                           shown(parameter.name.name), context.callCount, maxCalls);
  return nullptr;
}

// A default is checked with the names of its file and the generic arguments of its instance.
const Expr *checkedDefault(Session &session, FunctionEntry &callee, unsigned parameter) {
  ArrayRef<syntax::Parameter> parameters = callee.item->parameters;
  if (callee.defaults.empty()) {
    // While the defaults are being checked they are null, so a default that uses itself, as in f(x
    // = f()), finds null.
    callee.defaults.assign(parameters.size(), nullptr);
    callee.defaultCalls.assign(parameters.size(), 0);
    InDeclaration here(session, callee);
    unsigned first = callee.function->parameters.size() - parameters.size();
    for (auto [index, written] : llvm::enumerate(parameters))
      if (written.byDefault)
        callee.defaults[index] = checkDefault(session, callee, index, written,
                                              callee.function->parameters[first + index]->type);
  }
  return callee.defaults[parameter];
}

//===-- The call --===//

/// Checks an argument that is given, or converts it if it is checked already.
static const Expr *checkArgument(ExpressionContext &context, const FunctionEntry &callee,
                                 CallArguments &arguments, unsigned index, const Local &parameter) {
  const Expr *value = arguments.checked[index];
  const Type expected = parameter.type;
  if (expected.isError())
    return value ? nullptr : checkAs(context, *arguments.given[index], expected);
  if (parameter.isReference) {
    const ReferenceExpr *reference =
        value ? llvm::cast<ReferenceExpr>(value)
              : checkReference(context, *arguments.given[index], callee,
                               callee.item->parameters[index], expected.element());
    return reference && requireReferenceTo(context.session, *reference, expected) ? reference
                                                                                  : nullptr;
  }
  if (!value)
    return checkAs(context, *arguments.given[index], expected);
  const bool isExact = llvm::is_contained(arguments.inferred, index);
  return isExact ? convertExact(context, value, expected) : convert(context, value, expected);
}

static const Expr *finishCall(ExpressionContext &context, const syntax::CallExpr &call,
                              unsigned callee, CallArguments &arguments) {
  FunctionEntry &target = context.session.functions[callee];
  const Function &function = *target.function;
  context.entry.calls.push_back({callee, call.range});
  ++context.callCount;
  bool isWrong = false;
  const unsigned first = arguments.self ? 1 : 0;
  for (unsigned index : arguments.written) {
    const Expr *&value = arguments.checked[index];
    if (arguments.given[index]) {
      value = checkArgument(context, target, arguments, index, *function.parameters[first + index]);
    } else {
      value = checkedDefault(context.session, target, index);
      context.callCount += target.defaultCalls[index];
    }
    isWrong |= !value;
  }
  if (arguments.self && function.parameters[0]->type.isError())
    isWrong = true;
  else if (arguments.self && function.parameters[0]->isReference)
    isWrong |= !(arguments.self =
                     makeReference(context, *arguments.self, function.parameters[0]->type.isMut(),
                                   arguments.self->range));
  if (isWrong || function.result.isError())
    return nullptr;
  if (arguments.self) { // self is the first argument and is evaluated first
    arguments.checked.insert(arguments.checked.begin(), arguments.self);
    for (unsigned &index : arguments.written)
      ++index;
    arguments.written.insert(arguments.written.begin(), 0);
  }
  requireDisjoint(context.session, context.sliceVals, target, arguments.checked);
  ArrayRef<unsigned> written = arguments.written;
  if (llvm::is_sorted(written))
    written = {};
  return context.make(CallExpr{{function.result, call.range},
                               &function,
                               ArrayRef<const Expr *>(arguments.checked).copy(context.arena),
                               written.copy(context.arena)});
}

const Expr *checkFunctionCall(ExpressionContext &context, const syntax::CallExpr &call,
                              unsigned callee, ArrayRef<const syntax::Expr *> generics,
                              const Expr *self) {
  FunctionEntry &target = context.session.functions[callee];
  StringRef name = shown(target.writtenName());
  if (target.function->isKernel) {
    context.diagnostics.emit(call.callee->range, diag::KernelCalled, name)
        .note(target.function->range, diag::DeclaredHere, name);
    return abandonCall(context, call);
  }
  if (!target.isGeneric() && !ensureSignature(context.session, target))
    return abandonCall(context, call);
  CallArguments arguments{.self = self};
  if (target.item->isBroken || !matchArguments(context.session, call, target, arguments))
    return abandonCall(context, call);
  if (!generics.empty() && !target.isGeneric()) {
    context.diagnostics.emit(call.callee->range, diag::NotGeneric, name, "")
        .note(target.function->range, diag::DeclaredHere, name);
    return abandonCall(context, call);
  }
  arguments.checked.assign(arguments.given.size(), nullptr);
  std::optional<unsigned> index = callee;
  if (target.isGeneric())
    index = inferInstance(context, call, callee, generics, arguments);
  if (!index)
    return abandonCall(context, call);
  return finishCall(context, call, *index, arguments);
}

} // namespace spl::sema
