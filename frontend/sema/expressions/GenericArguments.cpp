// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/GenericArguments.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/FunctionCalls.h"
#include "frontend/sema/expressions/LiteralTypes.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/References.h"

namespace spl::sema {

/// Returns the index of the generic parameter called `name`, or nothing.
static std::optional<unsigned> genericNamed(const syntax::FunctionItem &item, StringRef name) {
  for (auto [index, generic] : llvm::enumerate(item.generics))
    if (generic.name.name == name)
      return unsigned(index);
  return std::nullopt;
}

// Infers generic arguments by comparing the type of a parameter with the type of an argument.
static void unify(Session &session, const syntax::FunctionItem &item,
                  const syntax::TypeExpr &written, Type type,
                  llvm::MutableArrayRef<GenericArgument> known) {
  using Kind = syntax::TypeExpr::Kind;
  switch (written.kind) {
  case Kind::Named:
    if (std::optional<unsigned> index = genericNamed(item, written.name))
      if (!known[*index].type)
        known[*index].type = type;
    return;
  case Kind::Slice:
    if ((type.isSlice() && type.rank() == written.rank) || (type.isArray() && written.rank == 1))
      unify(session, item, *written.element, type.element(), known);
    return;
  case Kind::Reference: // the type of a ReferenceExpr
    return unify(session, item, *written.element, type.element(), known);
  case Kind::Array:
    if (!type.isArray())
      return;
    unify(session, item, *written.element, type.element(), known);
    if (auto *length = llvm::dyn_cast<syntax::NameExpr>(written.length))
      if (std::optional<unsigned> index = genericNamed(item, length->name);
          index && !known[*index].type && item.generics[*index].constType) {
        Type of = session.resolve(*item.generics[*index].constType);
        if (of.isInt() && llvm::isUIntN(of.bits() - of.isSignedInt(), type.length()))
          known[*index] = {
              of, llvm::cast<ConstantExpr>(makeConstant(session, of, written.range,
                                                        llvm::APInt(of.bits(), type.length())))};
      }
    return;
  case Kind::Tuple:
    if (type.isTuple() && type.elements().size() == written.elements.size())
      for (auto [part, of] : llvm::zip_equal(written.elements, type.elements()))
        unify(session, item, *part, of, known);
    return;
  case Kind::Error:
    return;
  }
}

// Evaluates an expression to a constant. Returns null if it reports an error.
static const ConstantExpr *requireConstant(Session &session, const Expr *expr) {
  return llvm::dyn_cast_if_present<ConstantExpr>(session.constantOf(*expr));
}

static bool readGeneric(ExpressionContext &context, const syntax::GenericParameter &generic,
                        const syntax::Expr &expr, GenericArgument &result) {
  if (!generic.constType) {
    result.type = readType(context, expr);
    return !result.type.isError();
  }
  Type type = context.session.resolve(*generic.constType);
  const Expr *value = checkAs(context, expr, type);
  if (!value)
    return false;
  const ConstantExpr *constant = requireConstant(context.session, value);
  result = {type, constant};
  return constant;
}

// Arguments with a type of their own are checked first. Literals then take the inferred types.
std::optional<unsigned> inferInstance(ExpressionContext &context, const syntax::CallExpr &call,
                                      unsigned callee, ArrayRef<const syntax::Expr *> generics,
                                      CallArguments &arguments) {
  const FunctionEntry &target = context.session.functions[callee];
  const syntax::FunctionItem &item = *target.item;
  StringRef name = shown(target.function->name);
  llvm::SmallVector<GenericArgument, 4> known(item.generics.size());
  if (generics.size() > known.size()) {
    context.diagnostics.emit(call.callee->range, diag::GenericCount, name,
                             counted(known.size(), "generic argument"), generics.size());
    return std::nullopt;
  }
  for (auto [index, generic] : llvm::enumerate(generics))
    if (!readGeneric(context, item.generics[index], *generic, known[index]))
      return std::nullopt;

  for (auto [index, parameter] : llvm::enumerate(item.parameters))
    if (parameter.type->kind == syntax::TypeExpr::Kind::Named)
      if (std::optional<unsigned> generic = genericNamed(item, parameter.type->name);
          generic && !known[*generic].type)
        arguments.inferred.push_back(index);

  bool isWrong = false;
  for (auto [index, given] : llvm::enumerate(arguments.given)) {
    const syntax::Parameter &parameter = item.parameters[index];
    const bool isReference = parameter.type->kind == syntax::TypeExpr::Kind::Reference;
    if (!given || (!isReference && classify(context.literals, *given) != LiteralClass::Rigid))
      continue;
    const Expr *&value = arguments.checked[index];
    value = isReference ? checkReference(context, *given, target, parameter, Type())
                        : checkValue(context, *given);
    isWrong |= !value;
    if (value)
      unify(context.session, item, *parameter.type, value->type, known);
  }
  if (isWrong)
    return std::nullopt;
  llvm::SmallVector<std::optional<LiteralClass>, 4> literals(known.size());
  for (auto [index, given] : llvm::enumerate(arguments.given)) {
    const syntax::TypeExpr &type = *item.parameters[index].type;
    if (!given || arguments.checked[index] || type.kind != syntax::TypeExpr::Kind::Named)
      continue;
    if (std::optional<unsigned> generic = genericNamed(item, type.name))
      literals[*generic] = std::max(literals[*generic].value_or(LiteralClass::Int),
                                    classify(context.literals, *given));
  }
  for (auto [index, generic] : llvm::enumerate(item.generics)) {
    if (!known[index].type && literals[index])
      known[index].type = literalType(context.session, *literals[index], {});
    if (known[index].type)
      continue;
    context.diagnostics
        .emit(call.callee->range, diag::GenericUnknown, shown(generic.name.name),
              shown(item.name.name))
        .note(generic.name.range, diag::DeclaredHere, shown(generic.name.name));
    return std::nullopt;
  }
  return context.session.instance(callee, known, call.callee->range);
}

Type readType(ExpressionContext &context, const syntax::Expr &expr) {
  if (auto *name = llvm::dyn_cast<syntax::NameExpr>(&expr))
    return context.session.resolve(
        syntax::TypeExpr{syntax::TypeExpr::Kind::Named, name->range, name->name});
  if (auto *array = llvm::dyn_cast<syntax::ArrayExpr>(&expr); array && array->count) {
    Type element = readType(context, *array->elements.front());
    const Expr *length = checkLength(context, *array->count);
    if (element.isError() || !length ||
        !context.session.requireHeld(element, expr.range, "an array"))
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
