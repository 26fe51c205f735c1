// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Methods: functions of a struct, whose first parameter is the value that they are called on; and
// what is said of members that a value does not have.
#include "frontend/sema/BodyChecker.h"
#include "frontend/sema/Nearest.h"
#include "frontend/sema/Wording.h"

namespace spl::sema {

// A name that a field or another method has is not called, so that its first meaning stays.
void declareMethods(Session &session, StructEntry &entry, Type type) {
  llvm::DenseMap<StringRef, SourceRange> seen;
  for (const syntax::Field &field : entry.item->fields)
    seen.try_emplace(field.name.name, field.name.range);
  for (const syntax::FunctionItem *method : entry.item->methods) {
    const syntax::Identifier &name = method->name;
    std::string symbol = (entry.info->name + "." + name.name).str();
    unsigned index =
        addFunction(session, *method, StringRef(symbol).copy(session.program.arena), type);
    auto [first, isNew] = seen.try_emplace(name.name, name.range);
    if (isNew)
      entry.methods[name.name] = index;
    else
      session.diagnostics.emit(name.range, diag::DuplicateName, shown(name.name), "in this struct")
          .note(first->second, diag::DeclaredHere, shown(name.name));
  }
}

std::optional<unsigned> BodyChecker::methodOf(Type type, StringRef name) const {
  if (!type.isStruct())
    return std::nullopt;
  const auto &methods = session.structEntries.lookup(&type.structInfo())->methods;
  auto found = methods.find(name);
  return found == methods.end() ? std::nullopt : std::optional(found->second);
}

const Expr *BodyChecker::checkMethodCall(const syntax::CallExpr &call,
                                         const syntax::MemberExpr &callee, const Expr &base,
                                         ArrayRef<const syntax::Expr *> generics) {
  if (std::optional<unsigned> method = methodOf(base.type, callee.member.name))
    return checkFunctionCall(call, *method, generics, &base);
  if (const Expr *part = checkPart(callee, base))
    diagnostics.emit(part->range, diag::NotCallable, quoted(part->range), part->type.str(), "");
  return abandonCall(call);
}

static bool areLanes(StringRef name) { return name.find_first_not_of("xyzw") == StringRef::npos; }

// "f32x2(v.x, v.y)" for v.xy
static std::string lanesText(Type type, StringRef name) {
  std::string text;
  for (char lane : name)
    text += (text.empty() ? "v." : ", v.") + std::string(1, lane);
  return type.element().str() + "x" + std::to_string(name.size()) + "(" + text + ")";
}

bool BodyChecker::reportLimit(const syntax::MemberExpr &member) {
  auto *base = llvm::dyn_cast<syntax::NameExpr>(member.base);
  Type type = base && !scopes.find(base->name) ? session.typeNamed(base->name) : Type();
  std::string remedy = type ? limitRemedy(member.member.name, type) : std::string();
  if (remedy.empty())
    return false;
  if (session.bound(base->name)) // the limit of one instance alone
    remedy = "; take it as a parameter";
  diagnostics.emit(member.member.range, diag::UnknownMember, quoted(base->range),
                   shown(member.member.name), remedy);
  return true;
}

void BodyChecker::reportNoMember(const syntax::MemberExpr &member, const Expr &base) {
  StringRef name = member.member.name;
  Type type = base.type;
  if (methodOf(type, name)) {
    diagnostics.emit(member.range, diag::NotAValue, shown(name), "a method",
                     ("call it as '." + shown(name) + "(...)'").str());
    return;
  }
  std::string remedy = ", as its type is " + type.str();
  std::string function = "math." + name.take_front(64).str();
  if (type.isSlice())
    remedy = "; it has 'len' and 'dim'";
  else if (type.isArray())
    remedy = "; it has 'len'";
  else if (type.isVector() && (name.size() == 2 || name.size() == 4) && areLanes(name))
    remedy = "; write '" + lanesText(type, name) + "'";
  else if (type.lanes() >= 4 && name.size() == 1)
    remedy = "; its lanes are x, y, z and w, or 'v[i]'";
  else if (type.lane().isNumber() && intrinsics::find(function))
    remedy = "; write '" + function + "(...)'";
  if (std::string known = foreignRemedy(syntax::Foreign::Slice, name);
      !known.empty() && (type.isSlice() || type.isArray()))
    remedy = known;
  if (type.isStruct() && session.isListening()) {
    Nearest nearest(name);
    for (const StructInfo::Field &field : type.structInfo().fields)
      nearest.consider(field.name);
    for (const auto &[method, index] : session.structEntries.lookup(&type.structInfo())->methods)
      nearest.consider(method);
    if (!nearest.best().empty())
      remedy = didYouMean(nearest.best());
  }
  diagnostics.emit(member.member.range, diag::UnknownMember, quoted(base.range), shown(name),
                   remedy);
}

} // namespace spl::sema
