// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions: which argument is for which parameter, defaults, and what the parameters of a
// generic stand for.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/TypoCorrection.h"

namespace spl::sema {

//===-- Arguments to parameters --===//

static std::string parameterCount(const syntax::FunctionItem &item) {
  size_t maxCount = item.parameters.size();
  size_t minCount =
      llvm::count_if(item.parameters, [](const syntax::Parameter &p) { return !p.byDefault; });
  return minCount == maxCount ? counted(maxCount, "argument")
                              : std::to_string(minCount) + " to " + counted(maxCount, "argument");
}

// Each parameter's argument, null where it is left to its default; false where that was reported.
bool BodyChecker::matchArguments(const syntax::CallExpr &call, const FunctionEntry &callee,
                                 Arguments &result) {
  ArrayRef<syntax::Parameter> parameters = callee.item->parameters;
  StringRef name = shown(callee.function->name);
  SourceRange declared = callee.function->range;
  result.given.assign(parameters.size(), nullptr);
  bool isNamed = false;
  for (const syntax::Argument &argument : call.arguments) {
    size_t index = result.written.size();
    if (!argument.name && isNamed) {
      diagnostics.emit(argument.value->range, diag::UnnamedArgument, name);
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
        diagnostics
            .emit(argument.name->range, diag::UnknownParameter, name, shown(argument.name->name),
                  didYouMean(correction.best()))
            .note(declared, diag::DeclaredHere, name);
        return false;
      }
      index = found - parameters.begin();
    }
    if (index >= parameters.size()) {
      diagnostics
          .emit(call.range, diag::ArgumentCount, name.str(), parameterCount(*callee.item),
                call.arguments.size(), "")
          .note(declared, diag::DeclaredHere, name);
      return false;
    }
    if (result.given[index]) {
      diagnostics.emit(argument.name->range, diag::ArgumentTwice, name, argument.name->name);
      return false;
    }
    result.given[index] = argument.value;
    result.written.push_back(index);
  }
  return requireAll(call, callee, result);
}

bool BodyChecker::requireAll(const syntax::CallExpr &call, const FunctionEntry &callee,
                             Arguments &result) {
  StringRef name = shown(callee.function->name);
  bool isPlain = llvm::none_of(
      call.arguments, [](const syntax::Argument &argument) { return bool(argument.name); });
  for (auto [index, parameter] : llvm::enumerate(callee.item->parameters)) {
    if (result.given[index])
      continue;
    if (parameter.byDefault) {
      result.written.push_back(index);
      continue;
    }
    if (isPlain)
      diagnostics
          .emit(call.range, diag::ArgumentCount, name.str(), parameterCount(*callee.item),
                call.arguments.size(), "")
          .note(callee.function->range, diag::DeclaredHere, name);
    else
      diagnostics.emit(call.range, diag::MissingArgument, name, shown(parameter.name.name))
          .note(callee.function->range, diag::DeclaredHere, name);
    return false;
  }
  return true;
}

// A default is checked once, among the names of its file and the generics of its instance.
const Expr *BodyChecker::defaultOf(FunctionEntry &callee, unsigned parameter) {
  ArrayRef<syntax::Parameter> parameters = callee.item->parameters;
  if (callee.defaults.empty()) {
    callee.defaults.assign(parameters.size(), nullptr); // also while they are checked: f(x = f())
    callee.defaultCalls.assign(parameters.size(), 0);
    InFunction here(session, callee);
    unsigned first = callee.function->parameters.size() - parameters.size();
    for (auto [index, written] : llvm::enumerate(parameters))
      if (written.byDefault)
        callee.defaults[index] =
            checkDefault(callee, index, written, callee.function->parameters[first + index]->type);
  }
  return callee.defaults[parameter];
}

const Expr *BodyChecker::checkDefault(FunctionEntry &callee, unsigned index,
                                      const syntax::Parameter &parameter, Type type) {
  constexpr unsigned maxCalls = 256; // each use of the default makes them all
  NeededInside inside(session, nullptr, parameter.byDefault);
  if (inside.isTooDeep(parameter.name))
    return nullptr;
  BodyChecker checker(session, callee);
  const Expr *value = checker.checkAlone(*parameter.byDefault, type);
  callee.defaultCalls[index] = checker.callCount;
  if (!value || checker.callCount <= maxCalls)
    return value;
  diagnostics.emit(parameter.byDefault->range, diag::DefaultTooLarge, shown(parameter.name.name),
                   checker.callCount, maxCalls);
  return nullptr;
}

//===-- The call --===//

const Expr *BodyChecker::checkFunctionCall(const syntax::CallExpr &call, unsigned callee,
                                           ArrayRef<const syntax::Expr *> generics,
                                           const Expr *self) {
  FunctionEntry &target = session.functions[callee];
  StringRef name = shown(target.function->name);
  if (!entry.item) { // a declaration's constant, for which there are no signatures yet
    diagnostics.emit(call.range, diag::NotConstant, quoted(call.range), "");
    return nullptr;
  }
  if (target.function->isKernel) {
    diagnostics.emit(call.callee->range, diag::KernelCalled, name)
        .note(target.function->range, diag::DeclaredHere, name);
    return abandonCall(call);
  }
  if (!session.signaturesAreKnown) { // they want the constants first
    diagnostics.emit(call.range, diag::NotConstant, quoted(call.range), "");
    return abandonCall(call);
  }
  Arguments arguments{.self = self};
  if (target.item->isBroken || !matchArguments(call, target, arguments))
    return abandonCall(call);
  if (!generics.empty() && !target.isGeneric()) {
    diagnostics.emit(call.callee->range, diag::NotGeneric, name)
        .note(target.function->range, diag::DeclaredHere, name);
    return abandonCall(call);
  }
  arguments.checked.assign(arguments.given.size(), nullptr);
  std::optional<unsigned> index = callee;
  if (target.isGeneric())
    index = inferInstance(call, callee, generics, arguments);
  if (!index)
    return abandonCall(call);
  return finishCall(call, *index, arguments);
}

const Expr *BodyChecker::finishCall(const syntax::CallExpr &call, unsigned callee,
                                    Arguments &arguments) {
  FunctionEntry &target = session.functions[callee];
  const Function &function = *target.function;
  entry.calls.push_back({callee, call.range});
  ++callCount;
  bool isWrong = false;
  const unsigned first = arguments.self ? 1 : 0;
  for (unsigned index : arguments.written) {
    const Expr *&value = arguments.checked[index];
    Type wanted = function.parameters[first + index]->type;
    if (!arguments.given[index]) {
      value = defaultOf(target, index);
      callCount += target.defaultCalls[index];
    } else if (!value) {
      value = checkAs(*arguments.given[index], wanted);
    } else {
      value = wanted.isError() ? nullptr : convert(value, wanted);
    }
    isWrong |= !value;
  }
  if (isWrong || function.result.isError())
    return nullptr;
  if (arguments.self) { // comes first, and is evaluated first
    arguments.checked.insert(arguments.checked.begin(), arguments.self);
    for (unsigned &index : arguments.written)
      ++index;
    arguments.written.insert(arguments.written.begin(), 0);
  }
  requireDisjoint(target, arguments.checked);
  ArrayRef<unsigned> written = arguments.written;
  if (llvm::is_sorted(written))
    written = {};
  return make(CallExpr{{function.result, call.range},
                       &function,
                       ArrayRef<const Expr *>(arguments.checked).copy(arena),
                       written.copy(arena)});
}

} // namespace spl::sema
