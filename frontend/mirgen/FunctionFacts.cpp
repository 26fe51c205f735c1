// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/FunctionFacts.h"
#include "frontend/sema/Leaves.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"

using namespace llvm;
using namespace spl;
using namespace spl::mirgen;

namespace {

/// A place in a local that may be in slots. Several offsets are those of the elements that an index
/// known only at run time may mean.
struct SlotRange {
  const sema::Local *local;
  SmallVector<unsigned, 1> offsets; ///< the numbers of leaves before the place
};

} // namespace

static std::optional<SlotRange> rangeOf(const sema::Expr *place) {
  if (auto *local = dyn_cast<sema::LocalExpr>(place))
    return SlotRange{local->local, {0}};
  auto *field = dyn_cast<sema::FieldExpr>(place);
  auto *index = dyn_cast<sema::IndexExpr>(place);
  const sema::Expr *base = field ? field->base : index ? index->base : nullptr;
  if (!base || !base->type.holdsSlices())
    return std::nullopt;
  std::optional<SlotRange> range = rangeOf(base);
  if (!range)
    return range;
  SmallVector<unsigned, 1> offsets;
  for (unsigned before : range->offsets)
    for (uint64_t part : partsOf(*place))
      offsets.push_back(before + unsigned(sema::leavesBefore(base->type, part)));
  range->offsets = std::move(offsets);
  return range;
}

SmallVector<uint64_t, 1> mirgen::partsOf(const sema::Expr &place) {
  if (auto *field = dyn_cast<sema::FieldExpr>(&place))
    return {field->field};
  auto &index = *cast<sema::IndexExpr>(&place);
  if (auto *known = dyn_cast<sema::ConstantExpr>(index.indices.front()))
    return {known->intValue.getLimitedValue()};
  return llvm::to_vector<1>(llvm::seq<uint64_t>(0, index.base->type.length()));
}

void FunctionFacts::declare(const sema::Local *local) {
  if (slots.try_emplace(local, count).second)
    count += unsigned(local->type.leafCount());
}

void FunctionFacts::assign(const sema::Expr *place) {
  if (auto *lane = dyn_cast<sema::LaneExpr>(place))
    place = lane->base;
  std::optional<SlotRange> range = rangeOf(place);
  if (!range || !innermost)
    return;
  for (unsigned offset : range->offsets)
    for (auto [number, leaf] : llvm::enumerate(sema::leavesOf(place->type)))
      if (!isInMemory(range->local, leaf.type))
        innermost->assigned.push_back(slot(range->local) + offset + unsigned(number));
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
    return assign(cast<sema::AssignStmt>(&stmt)->place);
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
