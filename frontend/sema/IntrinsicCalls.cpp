// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of gpu.* and math.*, by the signatures of the intrinsics table.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/Nearest.h"
#include "frontend/sema/Wording.h"
#include "llvm/ADT/SmallString.h"

namespace spl::sema {

using SlotKind = intrinsics::Signature::Kind;

static void writePath(const syntax::MemberExpr &member, llvm::SmallVectorImpl<char> &path) {
  StringRef base = static_cast<const syntax::NameExpr &>(*member.base).name;
  path.append(base.begin(), base.end());
  path.push_back('.');
  path.append(member.member.name.begin(), member.member.name.end());
}

/// Rows that MIR has and that are not checked here yet.
static bool isAhead(const intrinsics::Row &row) {
  using intrinsics::Id;
  return row.sync != intrinsics::Sync::None || row.id == Id::Uniform || row.id == Id::LaneId ||
         row.id == Id::WarpId;
}

const intrinsics::Row *findIntrinsic(const syntax::MemberExpr &member) {
  if (member.base->kind != syntax::Expr::Kind::Name ||
      !isModuleName(static_cast<const syntax::NameExpr &>(*member.base).name))
    return nullptr;
  llvm::SmallString<32> path;
  writePath(member, path);
  const intrinsics::Row *row = intrinsics::find(path);
  return row && !isAhead(*row) ? row : nullptr;
}

void BodyChecker::reportUnknownMember(const syntax::MemberExpr &member) {
  llvm::SmallString<32> path;
  writePath(member, path);
  StringRef module = path.str().take_until([](char c) { return c == '.'; });
  if (intrinsics::isLater(path) || intrinsics::find(path)) {
    diagnostics.emit(member.range, diag::NotYetSupported, ("'" + path + "'").str());
    return;
  }
  Nearest nearest(member.member.name);
  for (const intrinsics::Row &row : intrinsics::all())
    if (row.name.starts_with(path.str().take_front(module.size() + 1)))
      nearest.consider(row.name.drop_front(module.size() + 1));
  if (module == "math")
    for (StringRef name : {"PI", "E", "TAU", "INF", "NAN"})
      nearest.consider(name);
  std::string remedy;
  if (!nearest.best().empty())
    remedy = didYouMean((module + "." + nearest.best()).str());
  diagnostics.emit(member.member.range, diag::UnknownMember, ("'" + module + "'").str(),
                   shown(member.member.name), remedy);
}

static bool takes(const intrinsics::Signature::Slot &slot, Type type) {
  Type lane = type.lane();
  switch (slot.kind) {
  case SlotKind::Float:
    return lane.isFloat();
  case SlotKind::Number:
    return lane.isNumber();
  case SlotKind::Int:
  case SlotKind::AnyInt:
    return lane.isInt();
  case SlotKind::Any:
    return lane.isScalar();
  case SlotKind::Vector:
    return type.isVector() && lane.isFloat();
  case SlotKind::Quad:
    return type.lanes() == 4 && lane.isFloat();
  default: // checked already
    return true;
  }
}

static StringRef classText(SlotKind kind) {
  return kind == SlotKind::Vector                            ? "vectors of floats"
         : kind == SlotKind::Quad                            ? "vectors of four floats"
         : kind == SlotKind::Any                             ? "scalars and vectors"
         : kind == SlotKind::Float                           ? "floats"
         : kind == SlotKind::Int || kind == SlotKind::AnyInt ? "integers"
                                                             : "numbers";
}

/// The type of a slot where the row's letter stands for that type.
Type BodyChecker::slotType(const intrinsics::Signature::Slot &slot, Type letter) const {
  switch (slot.kind) {
  case SlotKind::Scalar:
    return types.scalarNamed(slot.scalar);
  case SlotKind::Mask:
    return letter ? truthOf(letter) : types.get(TypeKind::Bool);
  case SlotKind::Element:
    return letter.lane();
  default:
    return letter;
  }
}

Type BodyChecker::resultType(const intrinsics::Signature &signature, Type letter) const {
  llvm::SmallVector<Type, 2> results;
  for (const intrinsics::Signature::Slot &slot : signature.results)
    results.push_back(slotType(slot, letter));
  return results.empty() ? types.unit() : results.size() == 1 ? results[0] : types.tuple(results);
}

// "no arguments", "1 argument", "at most 1 argument" for an axis, which may be left out.
static std::string countText(const intrinsics::Signature &signature) {
  std::string text = counted(signature.parameters.size(), "argument");
  return signature.hasAxis() ? "at most " + text : text;
}

const Expr *BodyChecker::checkIntrinsic(const syntax::CallExpr &call, const intrinsics::Row &row,
                                        Type expected) {
  const intrinsics::Signature &signature = intrinsics::signature(row.id);
  if (signature.results.size() != 1) {
    diagnostics.emit(call.range, diag::NotYetSupported, ("'" + row.name + "'").str());
    return abandonCall(call);
  }
  size_t given = call.arguments.size(), most = signature.parameters.size();
  if (!requirePositional(call))
    return abandonCall(call);
  if (given > most || given + signature.hasAxis() < most) {
    diagnostics.emit(call.range, diag::ArgumentCount, row.name.str(), countText(signature), given);
    return abandonCall(call);
  }
  bool givesAxis = signature.hasAxis() && given == most;
  std::optional<unsigned> axis = 0;
  if (givesAxis)
    axis = checkAxis(*call.arguments[0].value, 3, "the literal 0, 1 or 2");

  llvm::SmallVector<const Expr *, 3> arguments(given - givesAxis);
  Type instance =
      checkIntrinsicArguments(call.arguments.drop_front(givesAxis), row, expected, arguments);
  if (!axis || !instance)
    return nullptr;
  Type result = resultType(signature, instance);
  return make(IntrinsicExpr{
      {result, call.range}, row.id, ArrayRef<const Expr *>(arguments).copy(arena), *axis});
}

// All uses of a row's letter have one type: that of the first argument that has one of its own, or
// of the first vector, beside which a scalar stands for all of its lanes.
Type BodyChecker::checkIntrinsicArguments(ArrayRef<syntax::Argument> given,
                                          const intrinsics::Row &row, Type expected,
                                          llvm::MutableArrayRef<const Expr *> checked) {
  const intrinsics::Signature &signature = intrinsics::signature(row.id);
  auto slots = ArrayRef(signature.parameters).drop_front(signature.hasAxis());
  LiteralClass literals = LiteralClass::Int;
  const Expr *first = nullptr;
  for (size_t i = 0; i != given.size(); ++i) {
    const syntax::Expr &argument = *given[i].value;
    LiteralClass own = classify(argument);
    if (slots[i].kind == SlotKind::Scalar)
      checked[i] = checkAs(argument, slotType(slots[i], Type()));
    else if (!slots[i].isLetter() || own == LiteralClass::Rigid)
      checked[i] = checkValue(argument);
    else
      literals =
          std::max({literals, own,
                    slots[i].kind == SlotKind::Float ? LiteralClass::Float : LiteralClass::Int});
    bool isFirst = !first || (checked[i] && checked[i]->type.isVector() && !first->type.isVector());
    if (isFirst && slots[i].isLetter())
      first = checked[i];
  }
  Type instance = first ? first->type : literalType(literals, expected);
  bool isWrong = false;
  for (size_t i = 0; i != given.size(); ++i) {
    if (slots[i].isLetter() && classify(*given[i].value) != LiteralClass::Rigid)
      checked[i] = checkValue(*given[i].value, instance);
    isWrong |= !checked[i];
  }
  for (size_t i = 0; i != given.size() && !isWrong; ++i) {
    checked[i] = fitted(slots[i], checked[i], instance);
    if (!checked[i])
      return {};
    const Expr &sets = first ? *first : *checked[i];
    isWrong = !requireClass(row, slots[i], *checked[i]) ||
              (slots[i].isLetter() && !requireSame(sets, *checked[i]));
  }
  return isWrong ? Type() : instance;
}

// The argument as the slot takes it, where the row's letter stands for that type; null: reported.
const Expr *BodyChecker::fitted(const intrinsics::Signature::Slot &slot, const Expr *argument,
                                Type instance) {
  Type type = argument->type;
  bool isCount = slot.kind == SlotKind::AnyInt && type.isInt();
  if (instance.isVector() && isCount)
    return splat(argument, types.vector(type, instance.lanes()));
  if (instance.isVector() && slot.isLetter() && type == instance.element())
    return splat(argument, instance);
  bool follows = slot.kind == SlotKind::Mask || slot.kind == SlotKind::Element;
  return follows ? convert(argument, slotType(slot, instance)) : argument;
}

bool BodyChecker::requireClass(const intrinsics::Row &row, const intrinsics::Signature::Slot &slot,
                               const Expr &argument) {
  if (takes(slot, argument.type))
    return true;
  Type wanted = types.get(slot.kind == SlotKind::Float ? TypeKind::F32 : TypeKind::I64);
  diagnostics.emit(argument.range, diag::ArgumentClass, row.name.str(), classText(slot.kind),
                   quoted(argument.range), argument.type.str(),
                   writeRemedy(castText(argument, wanted)));
  return false;
}

bool BodyChecker::requireSame(const Expr &first, const Expr &argument) {
  if (argument.type == first.type)
    return true;
  reportMismatch(syntax::BinaryOp::Lt, first, argument);
  return false;
}

std::optional<unsigned> BodyChecker::checkAxis(const syntax::Expr &expr, unsigned count,
                                               const std::string &wanted) {
  if (expr.kind == syntax::Expr::Kind::Int) {
    auto &literal = static_cast<const syntax::IntExpr &>(expr);
    if (literal.value < count)
      return unsigned(literal.value);
    diagnostics.emit(expr.range, diag::BadAxis, wanted);
  } else if (check(expr)) {
    diagnostics.emit(expr.range, diag::BadAxis, wanted);
  }
  return std::nullopt;
}

} // namespace spl::sema
