// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/GenericArguments.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/GenericStructs.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/FunctionCalls.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/References.h"

namespace spl::sema {

namespace {

/// Finds the arguments of one use of a generic.
class Inference {
public:
  Inference(ExpressionContext &context, const Generic &generic)
      : context(context), session(context.session), generic(generic),
        known(generic.parameters.size()) {}

  bool read(ArrayRef<const syntax::Expr *> brackets);
  bool checkRigid(CallArguments &arguments, llvm::function_ref<const Expr *(unsigned)> check);
  bool requireForms(const CallArguments &arguments);
  void useLiterals(const CallArguments &arguments);
  /// Reports a parameter whose argument is not known. Returns false if it reports one.
  bool requireAll(SourceRange range);

private:
  std::optional<unsigned> parameterNamed(StringRef name) const;
  /// The parameter that a type consists of, or nothing.
  std::optional<unsigned> parameterOf(const syntax::TypeExpr &type) const;
  bool mayMention(const syntax::TypeExpr &type);
  bool hasForm(const syntax::TypeExpr &written, Type type);
  void unify(const syntax::TypeExpr &written, GenericArgument argument);
  void bindLength(const syntax::Expr &written, uint64_t length);
  const syntax::TypeExpr *asType(const syntax::Expr &expr);

  ExpressionContext &context;
  Session &session;
  const Generic &generic;

public:
  llvm::SmallVector<GenericArgument, 4> known;
};

} // namespace

std::optional<unsigned> Inference::parameterNamed(StringRef name) const {
  for (auto [index, parameter] : llvm::enumerate(generic.parameters))
    if (parameter.name.name == name)
      return unsigned(index);
  return std::nullopt;
}

std::optional<unsigned> Inference::parameterOf(const syntax::TypeExpr &type) const {
  const bool isName = type.kind == syntax::TypeExpr::Kind::Named && type.arguments.empty();
  return isName ? parameterNamed(type.name) : std::nullopt;
}

/// Returns an expression in brackets as a type, or null if it is none. A name may also be that of a
/// constant.
const syntax::TypeExpr *Inference::asType(const syntax::Expr &expr) {
  using syntax::TypeExpr;
  TypeExpr type{.kind = TypeExpr::Kind::Named, .range = expr.range};
  if (auto *name = llvm::dyn_cast<syntax::NameExpr>(&expr)) {
    type.name = name->name;
  } else if (auto *index = llvm::dyn_cast<syntax::IndexExpr>(&expr);
             index && llvm::isa<syntax::NameExpr>(index->base)) {
    type.name = llvm::cast<syntax::NameExpr>(index->base)->name;
    type.arguments = index->indices;
  } else if (auto *array = llvm::dyn_cast<syntax::ArrayExpr>(&expr); array && array->count) {
    type.kind = TypeExpr::Kind::Array;
    type.element = asType(*array->elements.front());
    type.length = array->count;
    if (!type.element)
      return nullptr;
  } else if (auto *tuple = llvm::dyn_cast<syntax::TupleExpr>(&expr)) {
    type.kind = TypeExpr::Kind::Tuple;
    llvm::SmallVector<const TypeExpr *, 4> elements;
    for (const syntax::Expr *element : tuple->elements)
      elements.push_back(asType(*element));
    if (llvm::is_contained(elements, nullptr))
      return nullptr;
    type.elements = ArrayRef(elements).copy(session.arena);
  } else {
    return nullptr;
  }
  return session.make(type);
}

/// Whether the type may depend on the parameters. Constants that are not literals may.
bool Inference::mayMention(const syntax::TypeExpr &type) {
  auto isLiteral = [](const syntax::Expr &expr) { return expr.kind == syntax::Expr::Kind::Int; };
  if (type.length && !isLiteral(*type.length))
    return true;
  for (const syntax::Expr *argument : type.arguments) {
    const syntax::TypeExpr *part = asType(*argument);
    if (part ? mayMention(*part) : !isLiteral(*argument))
      return true;
  }
  return parameterOf(type) || (type.element && mayMention(*type.element)) ||
         llvm::any_of(type.elements, [&](auto *element) { return mayMention(*element); });
}

/// Infers a constant parameter from the length of an array.
void Inference::bindLength(const syntax::Expr &written, uint64_t length) {
  auto *name = llvm::dyn_cast<syntax::NameExpr>(&written);
  std::optional<unsigned> index = name ? parameterNamed(name->name) : std::nullopt;
  if (!index || known[*index].type || !generic.parameters[*index].constType)
    return;
  Type of = session.resolve(*generic.parameters[*index].constType);
  if (of.isInt() && llvm::isUIntN(of.bits() - of.isSignedInt(), length))
    known[*index] = {of, llvm::cast<ConstantExpr>(makeConstant(session, of, written.range,
                                                               llvm::APInt(of.bits(), length)))};
}

/// Infers arguments by comparing a type as written with the type of a value.
void Inference::unify(const syntax::TypeExpr &written, GenericArgument argument) {
  using Kind = syntax::TypeExpr::Kind;
  const Type type = argument.type;
  if (std::optional<unsigned> index = parameterOf(written)) {
    const syntax::TypeExpr *constType = generic.parameters[*index].constType;
    const bool fits =
        constType ? argument.value && session.resolve(*constType) == type : !argument.value;
    if (fits && !known[*index].type)
      known[*index] = argument;
    return;
  }
  if (argument.value)
    return;
  switch (written.kind) {
  case Kind::Named: {
    const GenericStruct *record = generic.names.genericStructs.lookup(written.name);
    if (!record || !isInstanceOf(session, type, *record))
      return;
    const Instance &instance = *session.structEntries.lookup(&type.structInfo())->instance;
    for (auto [part, of] : llvm::zip(written.arguments, instance.arguments))
      if (const syntax::TypeExpr *partType = asType(*part))
        unify(*partType, of);
    return;
  }
  case Kind::Slice:
    if ((type.isSlice() && type.rank() == written.rank) || (type.isArray() && written.rank == 1))
      unify(*written.element, {type.element()});
    return;
  case Kind::Reference: // the type of a ReferenceExpr
    return unify(*written.element, {type.element()});
  case Kind::Array:
    if (!type.isArray())
      return;
    unify(*written.element, {type.element()});
    bindLength(*written.length, type.length());
    return;
  case Kind::Tuple:
    if (type.isTuple() && type.elements().size() == written.elements.size())
      for (auto [part, of] : llvm::zip_equal(written.elements, type.elements()))
        unify(*part, {of});
    return;
  case Kind::Error:
    return;
  }
}

bool readGeneric(ExpressionContext &context, const syntax::GenericParameter &generic,
                 const syntax::Expr &expr, GenericArgument &result) {
  if (!generic.constType) {
    result.type = readType(context, expr);
    return !result.type.isError();
  }
  Type type = context.session.resolve(*generic.constType);
  const Expr *value = checkAs(context, expr, type);
  if (!value)
    return false;
  auto *constant = llvm::dyn_cast_if_present<ConstantExpr>(
      context.session.constantOf(*value, constantHint(context, expr)));
  result = {type, constant};
  return constant;
}

/// Reads the first arguments, which are given in brackets.
bool Inference::read(ArrayRef<const syntax::Expr *> brackets) {
  for (auto [index, written] : llvm::enumerate(brackets))
    if (!readGeneric(context, generic.parameters[index], *written, known[index]))
      return false;
  return true;
}

/// Checks the values with a type of their own, and infers from them.
bool Inference::checkRigid(CallArguments &arguments,
                           llvm::function_ref<const Expr *(unsigned)> check) {
  for (auto [index, type] : llvm::enumerate(generic.types))
    if (std::optional<unsigned> parameter = parameterOf(*type);
        parameter && !known[*parameter].type)
      arguments.inferred.push_back(index);
  bool isWrong = false;
  for (auto [index, given] : llvm::enumerate(arguments.given)) {
    const bool isReference = generic.types[index]->kind == syntax::TypeExpr::Kind::Reference;
    if (!given || !mayMention(*generic.types[index]) ||
        (!isReference && classify(context.literals, *given) != LiteralClass::Rigid))
      continue;
    const Expr *&value = arguments.checked[index];
    value = check(index);
    isWrong |= !value;
    if (value)
      unify(*generic.types[index], {value->type});
  }
  return !isWrong;
}

/// Gives parameters that are not known yet the types of literals.
void Inference::useLiterals(const CallArguments &arguments) {
  llvm::SmallVector<std::optional<LiteralClass>, 4> literals(known.size());
  for (auto [index, given] : llvm::enumerate(arguments.given)) {
    if (!given || arguments.checked[index])
      continue;
    if (std::optional<unsigned> parameter = parameterOf(*generic.types[index]))
      literals[*parameter] = std::max(literals[*parameter].value_or(LiteralClass::Int),
                                      classify(context.literals, *given));
  }
  for (auto [argument, literal] : llvm::zip_equal(known, literals))
    if (!argument.type && literal)
      argument.type = literalType(session, *literal, {});
}

/// Whether the outermost form of the type, such as a slice of rank 2, fits the written type of the
/// parameter.
bool Inference::hasForm(const syntax::TypeExpr &written, Type type) {
  using Kind = syntax::TypeExpr::Kind;
  switch (written.kind) {
  case Kind::Slice:
    return type.isSlice() ? type.rank() == written.rank : type.isArray() && written.rank == 1;
  case Kind::Array:
    return type.isArray();
  case Kind::Tuple:
    return type.isTuple() && type.elements().size() == written.elements.size();
  case Kind::Named: {
    const GenericStruct *record = generic.names.genericStructs.lookup(written.name);
    return !record || isInstanceOf(session, type, *record);
  }
  case Kind::Reference:
  case Kind::Error:
    return true;
  }
  llvm_unreachable("every kind is handled");
}

/// If a generic argument is still unknown, reports a call argument from which nothing can be
/// inferred because it has another form than its parameter. Returns false if it reports one.
bool Inference::requireForms(const CallArguments &arguments) {
  if (llvm::all_of(known, [](const GenericArgument &argument) { return bool(argument.type); }))
    return true;
  for (auto [written, value] : llvm::zip(generic.types, arguments.checked))
    if (value && mayMention(*written) && !hasForm(*written, value->type)) {
      const bool isSlice = written->kind == syntax::TypeExpr::Kind::Slice;
      context.diagnostics.emit(value->range, diag::TypeMismatch, quoted(value->range),
                               value->type.str(), written->range.text().str(),
                               isSlice ? rankHint(*value, written->rank) : std::string());
      return false;
    }
  return true;
}

bool Inference::requireAll(SourceRange range) {
  for (auto [parameter, argument] : llvm::zip_equal(generic.parameters, known)) {
    if (argument.type)
      continue;
    context.diagnostics
        .emit(range, diag::GenericUnknown, shown(parameter.name.name), shown(generic.name))
        .note(parameter.name.range, diag::DeclaredHere, shown(parameter.name.name));
    return false;
  }
  return true;
}

// Arguments with a type of their own are checked first. Literals then take the inferred types.
std::optional<llvm::SmallVector<GenericArgument, 4>>
inferArguments(ExpressionContext &context, const syntax::CallExpr &call, const Generic &generic,
               ArrayRef<const syntax::Expr *> brackets, CallArguments &arguments,
               llvm::function_ref<const Expr *(unsigned)> check) {
  const SourceRange range = call.callee->range;
  if (brackets.size() > generic.parameters.size()) {
    context.diagnostics.emit(range, diag::GenericCount, shown(generic.name),
                             counted(generic.parameters.size(), "generic argument"),
                             brackets.size());
    return std::nullopt;
  }
  Inference inference(context, generic);
  if (!inference.read(brackets))
    return std::nullopt;
  if (brackets.size() == generic.parameters.size()) // the values are checked with their types known
    return inference.known;
  if (!inference.checkRigid(arguments, check) || !inference.requireForms(arguments))
    return std::nullopt;
  inference.useLiterals(arguments);
  return inference.requireAll(range) ? std::optional(inference.known) : std::nullopt;
}

std::optional<unsigned> inferInstance(ExpressionContext &context, const syntax::CallExpr &call,
                                      unsigned callee, ArrayRef<const syntax::Expr *> brackets,
                                      CallArguments &arguments) {
  const FunctionEntry &target = context.session.functions[callee];
  const syntax::FunctionItem &item = *target.item;
  Generic generic{item.name.name, item.generics, *target.names};
  for (const syntax::Parameter &parameter : item.parameters)
    generic.types.push_back(parameter.type);
  auto known = inferArguments(context, call, generic, brackets, arguments,
                              [&](unsigned index) -> const Expr * {
                                const syntax::Parameter &parameter = item.parameters[index];
                                const syntax::Expr &given = *arguments.given[index];
                                if (parameter.type->kind == syntax::TypeExpr::Kind::Reference)
                                  return checkReference(context, given, target, parameter, Type());
                                return checkValue(context, given);
                              });
  return known ? context.session.instance(callee, *known, call.callee->range) : std::nullopt;
}

Type readType(ExpressionContext &context, const syntax::Expr &expr) {
  if (auto *name = llvm::dyn_cast<syntax::NameExpr>(&expr))
    return context.session.resolve(
        syntax::TypeExpr{syntax::TypeExpr::Kind::Named, name->range, name->name});
  if (auto *index = llvm::dyn_cast<syntax::IndexExpr>(&expr))
    if (auto *name = llvm::dyn_cast<syntax::NameExpr>(index->base))
      return context.session.resolve(syntax::TypeExpr{syntax::TypeExpr::Kind::Named, index->range,
                                                      name->name, index->indices});
  if (auto *array = llvm::dyn_cast<syntax::ArrayExpr>(&expr); array && array->count) {
    Type element = readType(context, *array->elements.front());
    const Expr *length = checkLength(context, *array->count);
    if (element.isError() || !length ||
        !context.session.requirePart(element, expr.range, "an array"))
      return context.types.error();
    return context.session.array(element, *length, expr.range);
  }
  if (auto *tuple = llvm::dyn_cast<syntax::TupleExpr>(&expr)) {
    llvm::SmallVector<Type, 4> elements;
    for (const syntax::Expr *element : tuple->elements)
      elements.push_back(readType(context, *element));
    return llvm::any_of(elements, [](Type type) { return type.isError(); })
               ? context.types.error()
               : context.session.tuple(elements, expr.range);
  }
  if (expr.kind != syntax::Expr::Kind::Error)
    context.diagnostics.emit(expr.range, diag::NotAType, quoted(expr.range));
  return context.types.error();
}

Type readTypeArgument(ExpressionContext &context, StringRef name, SourceRange callee,
                      ArrayRef<const syntax::Expr *> brackets, StringRef example) {
  if (brackets.size() == 1)
    return readType(context, *brackets.front());
  context.diagnostics.emit(callee, diag::TypeInBrackets, name,
                           (name + "[" + example + "](...)").str());
  return context.types.error();
}

} // namespace spl::sema
