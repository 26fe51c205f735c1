// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the body of a function.
#include "frontend/sema/statements/Body.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/declarations/GenericInstances.h"
#include "frontend/sema/expressions/FunctionCalls.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/sema/lifetimes/Lifetimes.h"
#include "frontend/sema/statements/Statements.h"

namespace spl::sema {

static void requireReturn(Session &session, const Function &function, Completion completion) {
  if (completion == Completion::Continues && !function.result.isUnit() &&
      !function.result.isError())
    session.diagnostics.emit(function.range, diag::MissingReturn, shown(function.name),
                             function.result.str());
}

static void checkBody(Session &session, FunctionEntry &entry) {
  InDeclaration here(session, entry);
  BodyContext context(session, entry);
  session.locals = &context.scopes;
  Function &function = *entry.function;
  // Parameters have a scope of their own, so that the body may shadow them: var n = n.
  context.scopes.enter();
  for (const Local *parameter : function.parameters)
    context.scopes.declare({parameter, SymbolKind::Parameter});
  if (llvm::any_of(entry.item->parameters, [](auto &parameter) { return parameter.byDefault; }))
    checkedDefault(session, entry, 0); // checks all defaults, even if no call uses them
  Completion completion = checkBlock(context, entry.item->body, function.body);
  // A body without statements is a docstring, or a block that could not be parsed.
  if (!entry.item->body.empty() || !entry.item->doc.empty())
    requireReturn(session, function, completion);
  leaveScope(context);
  checkLifetimes(session.diagnostics, function);
}

bool ensureBody(Session &session, FunctionEntry &entry) {
  using State = FunctionEntry::State;
  if (entry.body == State::Open)
    session.diagnostics.emit(entry.function->range, diag::CyclicDefinition,
                             shown(entry.writtenName()));
  if (entry.body == State::New) {
    entry.body = State::Open;
    const unsigned before = session.diagnostics.errorCount();
    if (!entry.item->isBroken)
      checkBody(session, entry);
    entry.isBodyWrong = entry.item->isBroken || session.diagnostics.errorCount() != before;
    entry.body = State::Done;
  }
  return entry.body == State::Done && !entry.isBodyWrong;
}

} // namespace spl::sema
