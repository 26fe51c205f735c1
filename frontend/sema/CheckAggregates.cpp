// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Values made of parts, and their parts: structs, tuples, arrays, vectors.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/Nearest.h"
#include "frontend/sema/Wording.h"

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
    Nearest nearest(argument.name->name);
    for (const StructInfo::Field &known : info.fields)
      nearest.consider(known.name);
    diagnostics.emit(argument.name->range, diag::UnknownMember, ("'" + info.name + "'").str(),
                     shown(argument.name->name), didYouMean(nearest.best()));
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

const Expr *BodyChecker::checkPart(const syntax::MemberExpr &expr, const Expr &base) {
  Type type = base.type;
  StringRef name = expr.member.name;
  if (type.isStruct()) {
    if (!session.complete(*session.structEntries.lookup(&type.structInfo())))
      return nullptr;
    if (std::optional<unsigned> field = type.structInfo().field(name))
      return make(FieldExpr{{type.structInfo().fields[*field].type, expr.range}, &base, *field});
  }
  unsigned number;
  if (type.isTuple() && !name.getAsInteger(10, number) && number < type.elements().size())
    return make(FieldExpr{{type.elements()[number], expr.range}, &base, number});
  size_t lane = name.size() == 1 ? StringRef("xyzw").find(name.front()) : StringRef::npos;
  if (type.isVector() && lane < type.lanes()) {
    const Expr *index =
        constant(types.get(TypeKind::I64), expr.member.range, llvm::APInt(64, lane));
    return make(LaneExpr{{type.element(), expr.range}, &base, index});
  }
  reportNoMember(expr, base);
  return nullptr;
}

// Level.High
const Expr *BodyChecker::checkEnumMember(const syntax::MemberExpr &expr, Type type) {
  if (const EnumInfo::Member *member = type.enumInfo().member(expr.member.name))
    return constant(type, expr.range, llvm::APInt(32, uint32_t(member->value)));
  Nearest nearest(expr.member.name);
  for (const EnumInfo::Member &member : type.enumInfo().members)
    nearest.consider(member.name);
  diagnostics.emit(expr.member.range, diag::UnknownMember, ("'" + shown(type.str()) + "'").str(),
                   shown(expr.member.name), didYouMean(nearest.best()));
  return nullptr;
}

// val (q, r) = e: the tuple, then a local for each element.
BodyChecker::Checked BodyChecker::checkLetTuple(const syntax::LetTupleStmt &stmt) {
  const Expr *value = checkValue(*stmt.value);
  if (value && (!value->type.isTuple() || value->type.elements().size() != stmt.names.size())) {
    diagnostics.emit(stmt.value->range, diag::TupleCount, quoted(value->range), value->type.str(),
                     stmt.names.size());
    value = nullptr;
  }
  SymbolKind kind = stmt.isVar ? SymbolKind::Var : SymbolKind::Val;
  llvm::SmallVector<const Stmt *> statements;
  const Local *whole = nullptr;
  if (value) {
    whole = make(Local{"$tuple", value->type, stmt.range, false});
    statements.push_back(make(LetStmt{{stmt.range}, whole, value}));
  }
  for (auto [number, name] : llvm::enumerate(stmt.names)) {
    Type type = value ? value->type.elements()[number] : types.error();
    const Local *local = declare(name, type, kind, nullptr);
    if (!value)
      continue;
    const Expr *tuple = make(LocalExpr{{whole->type, stmt.value->range}, whole});
    const Expr *part = make(FieldExpr{{type, name.range}, tuple, unsigned(number)});
    statements.push_back(make(LetStmt{{stmt.range}, local, part}));
  }
  return {nullptr, Flow::Continues, ArrayRef<const Stmt *>(statements).copy(arena)};
}

} // namespace spl::sema
