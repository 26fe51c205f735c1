// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values made of parts, and their parts: structs, tuples, arrays, vectors.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/TypoCorrection.h"

namespace spl::sema {

//===-- Making them --===//

const Expr *BodyChecker::build(Type type, SourceRange range, ArrayRef<const Expr *> parts,
                               ArrayRef<unsigned> written) {
  if (llvm::is_contained(parts, nullptr))
    return nullptr;
  return make(BuildExpr{{type, range}, parts.copy(arena), written.copy(arena)});
}

const Expr *BodyChecker::splat(const Expr *scalar, Type vector) {
  return build(vector, scalar->range, scalar);
}

// f32x4(a, b, c, d), f32x4(a)
const Expr *BodyChecker::checkVectorCall(const syntax::CallExpr &call, Type type) {
  if (!requirePositional(call))
    return abandonCall(call);
  size_t given = call.arguments.size();
  if (given != 1 && given != type.lanes()) {
    diagnostics.emit(call.range, diag::ArgumentCount, type.str(),
                     "1 or " + counted(type.lanes(), "argument"), given, "");
    return abandonCall(call);
  }
  llvm::SmallVector<const Expr *, 16> lanes;
  for (const syntax::Argument &argument : call.arguments)
    lanes.push_back(checkAs(*argument.value, type.element()));
  return build(type, call.range, lanes);
}

/// The field that an argument is for, of those of which so many came before it; none: reported.
std::optional<unsigned> BodyChecker::fieldFor(const syntax::Argument &argument,
                                              const StructInfo &info, unsigned before,
                                              bool sawName) {
  if (!argument.name) {
    if (!sawName)
      return before;
    diagnostics.emit(argument.value->range, diag::FieldOrder);
    return std::nullopt;
  }
  std::optional<unsigned> field = info.field(argument.name->name);
  if (!field) {
    TypoCorrection correction(argument.name->name);
    for (const StructInfo::Field &known : info.fields)
      correction.consider(known.name);
    diagnostics.emit(argument.name->range, diag::UnknownMember, ("'" + info.name + "'").str(),
                     shown(argument.name->name), didYouMean(correction.best()));
  }
  return field;
}

// Particle(p, mass: 2.0): in the order of the fields, then by name; what has a default may be left
// out.
const Expr *BodyChecker::checkStructCall(const syntax::CallExpr &call, Type type) {
  StructEntry &entry = *session.structEntries.lookup(&type.structInfo());
  if (!session.complete(entry))
    return abandonCall(call);
  const StructInfo &info = type.structInfo();
  llvm::SmallVector<const Expr *, 8> parts(info.fields.size());
  llvm::SmallVector<bool, 8> isGiven(info.fields.size());
  llvm::SmallVector<unsigned, 8> written;
  bool isWrong = false, sawName = false;
  for (const syntax::Argument &argument : call.arguments) {
    sawName |= argument.name.has_value();
    std::optional<unsigned> field = fieldFor(argument, info, written.size(), sawName);
    if (field && *field >= info.fields.size()) {
      diagnostics.emit(call.range, diag::ArgumentCount, shown(info.name).str(),
                       counted(info.fields.size(), "argument"), call.arguments.size(), "");
      return abandonCall(call);
    }
    if (field && isGiven[*field] && argument.name)
      diagnostics.emit(argument.name->range, diag::FieldTwice, shown(argument.name->name));
    if (!field || isGiven[*field]) {
      check(*argument.value);
      isWrong = true;
      continue;
    }
    isGiven[*field] = true;
    parts[*field] = checkAs(*argument.value, info.fields[*field].type);
    isWrong |= !parts[*field];
    written.push_back(*field);
  }
  for (unsigned field = 0; field != parts.size() && !isWrong; ++field) {
    if (isGiven[field])
      continue;
    parts[field] = entry.defaults[field];
    written.push_back(field);
    if (!parts[field]) {
      diagnostics.emit(call.range, diag::MissingField, shown(info.name),
                       shown(info.fields[field].name));
      isWrong = true;
    }
  }
  return isWrong ? nullptr : build(type, call.range, parts, written);
}

// Elements have one type: the expected one, else that of the first which has one of its own.
const Expr *BodyChecker::checkArray(const syntax::ArrayExpr &expr, Type expected) {
  const bool isWanted =
      expected && (expected.isArray() || (expected.isSlice() && expected.rank() == 1));
  Type element = isWanted ? expected.element() : Type();
  LiteralClass literals = LiteralClass::Int;
  llvm::SmallVector<const Expr *> parts(expr.elements.size());
  bool isWrong = false;
  for (auto [part, written] : llvm::zip_equal(parts, expr.elements)) {
    LiteralClass own = classify(*written);
    literals = std::max(literals, own);
    if (own != LiteralClass::Rigid)
      continue;
    part = element ? checkAs(*written, element) : checkValue(*written);
    isWrong |= !part;
    if (!element && part)
      element = part->type;
  }
  if (!element && literals != LiteralClass::Rigid)
    element = literalType(literals, {});
  for (auto [part, written] : llvm::zip_equal(parts, expr.elements))
    if (classify(*written) != LiteralClass::Rigid)
      isWrong |= !(part = checkAs(*written, element ? element : types.error()));
  const Expr *count = nullptr;
  if (expr.count) {
    count = checkLength(*expr.count);
    isWrong |= !count;
  }
  if (isWrong || (element && !session.requireHeld(element, expr.range, "an array")))
    return nullptr;
  Type type = !element ? session.array(types.get(TypeKind::I64), 0, expr.range)
              : count  ? session.array(element, *count, expr.range)
                       : session.array(element, parts.size(), expr.range);
  return type.isError() ? nullptr : build(type, expr.range, parts);
}

const Expr *BodyChecker::checkTuple(const syntax::TupleExpr &expr, Type expected) {
  ArrayRef<Type> wanted;
  if (expected && expected.isTuple() && expected.elements().size() == expr.elements.size())
    wanted = expected.elements();
  llvm::SmallVector<const Expr *> parts;
  llvm::SmallVector<Type> elements;
  for (auto [number, written] : llvm::enumerate(expr.elements)) {
    const Expr *part = wanted.empty() ? checkValue(*written) : checkAs(*written, wanted[number]);
    if (part && part->type.isSlice() && !session.requireHeld(part->type, part->range, "a tuple"))
      part = nullptr;
    parts.push_back(part);
    elements.push_back(part ? part->type : types.error());
  }
  if (llvm::is_contained(parts, nullptr))
    return nullptr;
  Type type = session.tuple(elements, expr.range);
  return type.isError() ? nullptr : build(type, expr.range, parts);
}

//===-- Their parts --===//

} // namespace spl::sema
