// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions' bodies, sequences of statements, and the statements without control flow.
#include "frontend/mirgen/FunctionGen.h"
#include "mir/dialect/SplDialect.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

FunctionGen::FunctionGen(ModuleGen &module, const sema::Function &function)
    : module(module), builder(module.builder), function(function), facts(function),
      env(facts.slotCount()) {}

void FunctionGen::emitBody(Block::BlockArgListType arguments) {
  for (auto [parameter, argument] : llvm::zip(function.parameters, arguments))
    env.set(facts.slot(parameter), argument);
  if (function.result.isAggregate())
    result = arguments.back();
  Stream stream{function.body};
  emitStream(stream, /*tail=*/true);

  Location location = module.location(function.range);
  if (!returnsValue()) {
    mir::ReturnOp::create(builder, location);
    return;
  }
  // A function that never ends, an endless loop, has returned nothing here.
  Value result = flow.result ? flow.result : noValue(module.type(function.result), location);
  mir::ReturnOp::create(builder, location, result);
}

const sema::Stmt *FunctionGen::Stream::next() {
  if (block.empty())
    return rest ? rest->next() : nullptr;
  const sema::Stmt *stmt = block.front();
  block = block.drop_front();
  return stmt;
}

void FunctionGen::emitStream(Stream &stream, bool tail) {
  while (const sema::Stmt *stmt = stream.next()) {
    bool isLast = stream.empty();
    auto *branch = dyn_cast<sema::IfStmt>(stmt);
    if (branch && !isLast && guardDepth < maxGuardDepth && canContinueInside(*branch)) {
      ++guardDepth;
      emitIf(*branch, 0, &stream, tail);
      --guardDepth;
      return;
    }
    emitStmt(*stmt, tail && isLast);
    if (!flow.reachable || stream.empty())
      return;
    if (!flow.mayHaveLeft())
      continue;
    if (guardDepth < maxGuardDepth) {
      ++guardDepth;
      emitGuarded(locationOf(*stmt), visibleAfter(tail), [&] { emitStream(stream, tail); });
      --guardDepth;
      return;
    }
    return emitSegments(locationOf(*stmt), stream);
  }
}

void FunctionGen::emitStmt(const sema::Stmt &stmt, bool tail) {
  using Kind = sema::Stmt::Kind;
  switch (stmt.kind) {
  case Kind::Let: {
    auto &let = *cast<sema::LetStmt>(&stmt);
    if (!let.local->type.isAggregate())
      return env.set(facts.slot(let.local), emitExpr(*let.value));
    Value memory = emitLocal(let.local->type, locationOf(stmt));
    emitInto(*let.value, wholeOf(memory, locationOf(stmt)));
    return env.set(facts.slot(let.local), memory);
  }
  case Kind::Assign:
    return emitAssign(*cast<sema::AssignStmt>(&stmt));
  case Kind::Expr:
    emitExpr(*cast<sema::ExprStmt>(&stmt)->value);
    return;
  case Kind::If:
    return emitIf(*cast<sema::IfStmt>(&stmt), 0, nullptr, tail);
  case Kind::While:
    return emitWhile(*cast<sema::WhileStmt>(&stmt));
  case Kind::For:
    return emitFor(*cast<sema::ForStmt>(&stmt));
  case Kind::Print:
    return emitPrint(cast<sema::PrintStmt>(&stmt)->format, /*isMessage=*/false, locationOf(stmt));
  case Kind::Assert:
    return emitAssert(*cast<sema::AssertStmt>(&stmt));
  case Kind::Break:
    return flow.leave(Exit::Break);
  case Kind::Continue:
    return flow.leave(Exit::Continue);
  case Kind::Return:
    return emitReturn(*cast<sema::ReturnStmt>(&stmt));
  }
}

// Left to right: the place first, once, then the value, then the store. A struct's value may read
// the place, so that it is computed elsewhere.
void FunctionGen::emitAssign(const sema::AssignStmt &stmt) {
  Location location = locationOf(*stmt.place);
  Place target = emitPlace(*stmt.place);
  if (stmt.place->type.isAggregate())
    return copy(emitPlace(*stmt.value), target, location);
  place = target;
  write(emitExpr(*stmt.value), target, location);
}

void FunctionGen::emitReturn(const sema::ReturnStmt &stmt) {
  if (stmt.value && result)
    emitInto(*stmt.value, wholeOf(result, locationOf(stmt)));
  else if (stmt.value)
    flow.result = emitExpr(*stmt.value);
  flow.leave(Exit::Return);
}
