// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Modules.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Scopes.h"

namespace spl::sema {

bool isModuleName(StringRef name) { return name == "gpu" || name == "math"; }

bool isModule(Scopes &scopes, const syntax::Expr &expr) {
  if (auto *member = llvm::dyn_cast<syntax::MemberExpr>(&expr))
    return isFastModule(*member);
  return expr.kind == syntax::Expr::Kind::Name &&
         isModuleName(static_cast<const syntax::NameExpr &>(expr).name) &&
         !scopes.find(static_cast<const syntax::NameExpr &>(expr).name);
}

bool isFastModule(const syntax::MemberExpr &member) {
  auto *base = llvm::dyn_cast<syntax::NameExpr>(member.base);
  return base && base->name == "math" && member.member.name == "fast";
}

// Returns "gpu.name", "math.name" or "math.fast.name". Returns an empty text for other members.
static llvm::SmallString<32> modulePath(const syntax::MemberExpr &member) {
  llvm::SmallString<32> path;
  if (auto *module = llvm::dyn_cast<syntax::NameExpr>(member.base);
      module && isModuleName(module->name))
    path = module->name;
  else if (auto *fast = llvm::dyn_cast<syntax::MemberExpr>(member.base);
           fast && isFastModule(*fast))
    path = "math.fast";
  if (!path.empty())
    (path += ".") += member.member.name;
  return path;
}

const intrinsics::Row *findIntrinsic(const syntax::MemberExpr &member) {
  return intrinsics::find(modulePath(member));
}

const intrinsics::MemoryRow *findMemory(const syntax::MemberExpr &member) {
  return intrinsics::findMemory(modulePath(member));
}

void reportUnknownMember(Session &session, const syntax::MemberExpr &member,
                         ArrayRef<StringRef> arguments) {
  llvm::SmallString<32> path = modulePath(member);
  StringRef module = path.str().rsplit('.').first;
  if (isFastModule(member)) {
    session.diagnostics.emit(member.range, diag::NotAValue, path, "a module",
                             "call one of its functions, as in 'math.fast.exp(x)'");
    return;
  }
  if (path == "gpu.grid_stride") {
    session.diagnostics.emit(member.range, diag::GridStrideHere);
    return;
  }
  if (intrinsics::isUnimplemented(path)) {
    session.diagnostics.emit(member.range, diag::NotYetSupported, ("'" + path + "'").str());
    return;
  }
  std::string hint =
      foreignHint(syntax::Foreign::Gpu, module == "gpu" ? member.member.name : "", arguments);
  if (hint.empty()) // as in math.fmaxf(x, y) and gpu.atomicAdd(&a[i], 1)
    hint = foreignHint(syntax::Foreign::Function, member.member.name, arguments);
  if (hint.empty()) // as in math.FLT_MAX and gpu.threadIdx
    hint = foreignHint(syntax::Foreign::Value, member.member.name, arguments);
  if (!hint.empty()) {
    session.diagnostics.emit(member.member.range, diag::UnknownMember, ("'" + module + "'").str(),
                             shown(member.member.name), hint);
    return;
  }
  TypoCorrection correction(member.member.name);
  auto consider = [&](StringRef name) {
    if (name.starts_with(path.str().take_front(module.size() + 1)))
      correction.consider(name.drop_front(module.size() + 1));
  };
  for (const intrinsics::Row &row : intrinsics::all())
    consider(row.name);
  for (const intrinsics::MemoryRow &row : intrinsics::allMemory())
    consider(row.name);
  if (module == "math")
    for (StringRef name : {"PI", "E", "TAU", "INF", "NAN"})
      correction.consider(name);
  if (!correction.best().empty())
    hint = didYouMean((module + "." + correction.best()).str());
  session.diagnostics.emit(member.member.range, diag::UnknownMember, ("'" + module + "'").str(),
                           shown(member.member.name), hint);
}

} // namespace spl::sema
