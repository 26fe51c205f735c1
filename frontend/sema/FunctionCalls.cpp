// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions: which argument is for which parameter, defaults, and what the parameters of a
// generic stand for.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/Nearest.h"
#include "frontend/sema/Wording.h"

namespace spl::sema {

//===-- Arguments to parameters --===//

static std::string parameterCount(const syntax::FunctionItem &item) {
  size_t most = item.parameters.size();
  size_t least =
      llvm::count_if(item.parameters, [](const syntax::Parameter &p) { return !p.byDefault; });
  return least == most ? counted(most, "argument")
                       : std::to_string(least) + " to " + counted(most, "argument");
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
        Nearest nearest(argument.name->name);
        for (const syntax::Parameter &parameter : parameters)
          nearest.consider(parameter.name.name);
        diagnostics
            .emit(argument.name->range, diag::UnknownParameter, name, shown(argument.name->name),
                  didYouMean(nearest.best()))
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
  constexpr unsigned mostCalls = 256; // each use of the default makes them all
  NeededInside inside(session, nullptr, parameter.byDefault);
  if (inside.isTooDeep(parameter.name))
    return nullptr;
  BodyChecker checker(session, callee);
  const Expr *value = checker.checkAlone(*parameter.byDefault, type);
  callee.defaultCalls[index] = checker.callCount;
  if (!value || checker.callCount <= mostCalls)
    return value;
  diagnostics.emit(parameter.byDefault->range, diag::DefaultTooLarge, shown(parameter.name.name),
                   checker.callCount, mostCalls);
  return nullptr;
}

const Expr *BodyChecker::checkAlone(const syntax::Expr &expr, Type wanted) {
  scopes.enter();
  const Expr *value = wanted ? checkAs(expr, wanted) : checkValue(expr);
  scopes.leave();
  return value;
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

//===-- What generics stand for --===//

/// The number of the generic parameter that a type as written is, or none.
static std::optional<unsigned> genericNamed(const syntax::FunctionItem &item, StringRef name) {
  for (auto [index, generic] : llvm::enumerate(item.generics))
    if (generic.name.name == name)
      return unsigned(index);
  return std::nullopt;
}

// What the type of an argument says of the generics in its parameter's type.
void BodyChecker::unify(const syntax::FunctionItem &item, const syntax::TypeExpr &written,
                        Type type, llvm::MutableArrayRef<GenericArgument> known) {
  using Kind = syntax::TypeExpr::Kind;
  switch (written.kind) {
  case Kind::Named:
    if (std::optional<unsigned> index = genericNamed(item, written.name))
      if (!known[*index].type)
        known[*index].type = type;
    return;
  case Kind::Slice:
    if ((type.isSlice() && type.rank() == written.rank) || (type.isArray() && written.rank == 1))
      unify(item, *written.element, type.element(), known);
    return;
  case Kind::Array:
    if (!type.isArray())
      return;
    unify(item, *written.element, type.element(), known);
    if (auto *length = llvm::dyn_cast<syntax::NameExpr>(written.length))
      if (std::optional<unsigned> index = genericNamed(item, length->name);
          index && !known[*index].type && item.generics[*index].constType) {
        Type of = session.resolve(*item.generics[*index].constType);
        if (of.isInt() && llvm::isUIntN(of.bits() - of.isSignedInt(), type.length()))
          known[*index] = {of, llvm::cast<ConstantExpr>(constant(
                                   of, written.range, llvm::APInt(of.bits(), type.length())))};
      }
    return;
  case Kind::Tuple:
    if (type.isTuple() && type.elements().size() == written.elements.size())
      for (auto [part, of] : llvm::zip_equal(written.elements, type.elements()))
        unify(item, *part, of, known);
    return;
  case Kind::Error:
    return;
  }
}

// Arguments with types of their own speak first; literals take what is known then.
std::optional<unsigned> BodyChecker::inferInstance(const syntax::CallExpr &call, unsigned callee,
                                                   ArrayRef<const syntax::Expr *> generics,
                                                   Arguments &arguments) {
  const FunctionEntry &target = session.functions[callee];
  const syntax::FunctionItem &item = *target.item;
  StringRef name = shown(target.function->name);
  llvm::SmallVector<GenericArgument, 4> known(item.generics.size());
  if (generics.size() > known.size()) {
    diagnostics.emit(call.callee->range, diag::GenericCount, name,
                     counted(known.size(), "generic argument"), generics.size());
    return std::nullopt;
  }
  for (auto [index, generic] : llvm::enumerate(generics))
    if (!readGeneric(item.generics[index], *generic, known[index]))
      return std::nullopt;

  bool isWrong = false;
  for (auto [index, given] : llvm::enumerate(arguments.given)) {
    if (!given || classify(*given) != LiteralClass::Rigid)
      continue;
    const Expr *&value = arguments.checked[index];
    value = checkValue(*given);
    isWrong |= !value;
    if (value)
      unify(item, *item.parameters[index].type, value->type, known);
  }
  if (isWrong)
    return std::nullopt;
  llvm::SmallVector<std::optional<LiteralClass>, 4> literals(known.size());
  for (auto [index, given] : llvm::enumerate(arguments.given)) {
    const syntax::TypeExpr &type = *item.parameters[index].type;
    if (!given || arguments.checked[index] || type.kind != syntax::TypeExpr::Kind::Named)
      continue;
    if (std::optional<unsigned> generic = genericNamed(item, type.name))
      literals[*generic] =
          std::max(literals[*generic].value_or(LiteralClass::Int), classify(*given));
  }
  for (auto [index, generic] : llvm::enumerate(item.generics)) {
    if (!known[index].type && literals[index])
      known[index].type = literalType(*literals[index], {});
    if (known[index].type)
      continue;
    diagnostics
        .emit(call.callee->range, diag::GenericUnknown, shown(generic.name.name),
              shown(item.name.name))
        .note(generic.name.range, diag::DeclaredHere, shown(generic.name.name));
    return std::nullopt;
  }
  return session.instance(callee, known, call.callee->range);
}

bool BodyChecker::readGeneric(const syntax::GenericParameter &generic, const syntax::Expr &expr,
                              GenericArgument &result) {
  if (!generic.constType) {
    result.type = readType(expr);
    return !result.type.isError();
  }
  Type type = session.resolve(*generic.constType);
  const Expr *value = checkAs(expr, type);
  if (!value)
    return false;
  const ConstantExpr *constant = constantInteger(value);
  result = {type, constant};
  return constant;
}

// The type that an expression is, as an argument of a generic: i32, Particle, [f32; 4], (i32, i32).
Type BodyChecker::readType(const syntax::Expr &expr) {
  if (auto *name = llvm::dyn_cast<syntax::NameExpr>(&expr))
    return session.resolve(
        syntax::TypeExpr{syntax::TypeExpr::Kind::Named, name->range, name->name});
  if (auto *array = llvm::dyn_cast<syntax::ArrayExpr>(&expr); array && array->count) {
    Type element = readType(*array->elements.front());
    const Expr *length = checkLength(*array->count);
    if (element.isError() || !length || !session.requireHeld(element, expr.range, "an array"))
      return types.error();
    return session.array(element, *length, expr.range);
  }
  if (auto *tuple = llvm::dyn_cast<syntax::TupleExpr>(&expr)) {
    llvm::SmallVector<Type, 4> elements;
    for (const syntax::Expr *element : tuple->elements)
      elements.push_back(readType(*element));
    return llvm::any_of(elements, [](Type type) { return type.isError(); })
               ? types.error()
               : session.tuple(elements, expr.range);
  }
  if (expr.kind != syntax::Expr::Kind::Error)
    diagnostics.emit(expr.range, diag::NotAType, quoted(expr.range));
  return types.error();
}

// The value of a constant expression; null where it was reported that it is none.
const ConstantExpr *BodyChecker::constantInteger(const Expr *expr) {
  return llvm::dyn_cast_if_present<ConstantExpr>(session.constantOf(*expr));
}

} // namespace spl::sema
