// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/FunctionFacts.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;
using namespace spl;
using namespace spl::mirgen;

const sema::Local *FunctionFacts::assignedLocal(const sema::Expr *place) const {
  if (auto *lane = dyn_cast<sema::LaneExpr>(place))
    place = lane->base;
  auto *local = dyn_cast<sema::LocalExpr>(place);
  return local && !isInMemory(local->local) ? local->local : nullptr;
}

FunctionFacts::FunctionFacts(const sema::Function &function) : function(function) {
  for (const sema::Local *parameter : function.parameters)
    declare(parameter);
  visit(function.body);
}

bool FunctionFacts::alwaysExits(sema::Block block) const {
  return any_of(block, [&](const sema::Stmt *stmt) { return alwaysExits(*stmt); });
}

bool FunctionFacts::alwaysExits(const sema::Stmt &stmt) const {
  using Kind = sema::Stmt::Kind;
  switch (stmt.kind) {
  case Kind::Break:
  case Kind::Continue:
  case Kind::Return:
    return true;
  case Kind::If:
    return exitingIfs.contains(&stmt);
  case Kind::Let:
  case Kind::Assign:
  case Kind::Expr:
  case Kind::While:
  case Kind::For:
  case Kind::Print:
  case Kind::Assert:
    return false;
  }
  llvm_unreachable("a statement has a kind");
}

void FunctionFacts::visit(sema::Block block) {
  for (const sema::Stmt *stmt : block)
    visit(*stmt);
}

void FunctionFacts::visit(const sema::Stmt &stmt) {
  using Kind = sema::Stmt::Kind;
  switch (stmt.kind) {
  case Kind::Let:
    return declare(cast<sema::LetStmt>(&stmt)->local);
  case Kind::Assign:
    if (const sema::Local *local = assignedLocal(cast<sema::AssignStmt>(&stmt)->place);
        local && innermost)
      innermost->assigned.push_back(slot(local));
    return;
  case Kind::Expr:
  case Kind::Continue:
  case Kind::Print:
  case Kind::Assert:
    return;
  case Kind::Break:
    innermost->breaks = true;
    return;
  case Kind::Return:
    if (innermost)
      innermost->returns = true;
    return;
  case Kind::If:
    return visitIf(*cast<sema::IfStmt>(&stmt));
  case Kind::While:
    return visitLoop(stmt, nullptr, cast<sema::WhileStmt>(&stmt)->body);
  case Kind::For:
    return visitLoop(stmt, cast<sema::ForStmt>(&stmt)->variable, cast<sema::ForStmt>(&stmt)->body);
  }
}

void FunctionFacts::visitIf(const sema::IfStmt &stmt) {
  bool exits = true;
  for (const sema::IfArm &arm : stmt.arms) {
    visit(arm.body);
    exits = exits && alwaysExits(arm.body);
  }
  visit(stmt.otherwise);
  if (exits && alwaysExits(stmt.otherwise))
    exitingIfs.insert(&stmt);
}

void FunctionFacts::visitLoop(const sema::Stmt &stmt, const sema::Local *variable,
                              sema::Block body) {
  LoopFacts facts;
  facts.firstSlot = slotCount();
  if (variable)
    declare(variable);

  LoopFacts *outer = std::exchange(innermost, &facts);
  visit(body);
  innermost = outer;

  erase_if(facts.assigned, [&](Slot slot) { return slot >= facts.firstSlot; });
  llvm::sort(facts.assigned);
  facts.assigned.erase(llvm::unique(facts.assigned), facts.assigned.end());
  if (outer) {
    outer->assigned.append(facts.assigned);
    outer->returns |= facts.returns;
  }
  loops.try_emplace(&stmt, std::move(facts));
}
