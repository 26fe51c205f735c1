// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Generates blocks, declarations and assignments.
#include "test/generator/Context.h"

namespace spl::generator {

std::string indented(const std::string &text) {
  std::string result;
  for (std::size_t at = 0; at != text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    result += "    " + text.substr(at, end - at);
    at = end;
  }
  return result;
}

std::string withBody(const std::string &line, const std::string &body) {
  return line + ":\n" + indented(body);
}

Name declare(Context &context, Type type, bool isMutable, bool isUniform) {
  context.names.push_back({context.fresh("v"), type, isMutable, isUniform});
  return context.names.back();
}

std::string declaration(Context &context) {
  const Type type = context.is(Flavour::Groups) ? i32 : anyType(context);
  // Sometimes a constant, so that operations on the variable are folded.
  const std::string x = !type.isVector() && context.oneIn(6)
                            ? constant(context, type)
                            : value(context, type, context.is(Flavour::Groups) ? 2 : 3);
  const Name made = declare(context, type, context.oneIn(2));
  return (made.isMutable ? "var " : "val ") + made.text + " = " + x + "\n";
}

std::string assignment(Context &context) {
  std::vector<Name> targets;
  for (const Name &name : context.names)
    if (name.isMutable)
      targets.push_back(name);
  if (targets.empty())
    return declaration(context);
  const Name target = context.oneIn(2) ? targets.back() : context.oneOf(targets);
  const std::string op = context.oneOf({"", "", "+", "-", "*"});
  const std::string x =
      op.empty() || context.oneIn(2) ? value(context, target.type, 2) : leaf(context, target.type);
  return target.text + " " + op + "= " + x + "\n";
}

static std::string statement(Context &context, const Place &place) {
  const bool mayNest = place.depth < 3 && context.budget > 0;
  const Statement kind = chooseStatement(context, mayNest, place.isUniform && !place.inFunction);
  if (kind >= Statement::Guarded)
    --context.budget;
  const bool inKernel = !place.inFunction;
  switch (kind) {
  case Statement::Declaration:
    return declaration(context);
  case Statement::Assignment:
    return assignment(context);
  case Statement::Access:
    return inKernel ? access(context) : assignment(context);
  case Statement::StoreTotal:
    return inKernel ? storeTotal(context) : assignment(context);
  case Statement::Bounded:
    return inKernel ? bounded(context) : assignment(context);
  case Statement::Call:
    return callStatement(context);
  case Statement::Assertion: {
    const std::string c =
        context.oneIn(4) && context.program.mayFault ? compare(context, 1) : "gpu.global_id() >= 0";
    return "assert " + c + (context.oneIn(2) ? ", \"at {gpu.global_id()}\"\n" : "\n");
  }
  case Statement::OwnArray:
    return inKernel ? ownArray(context) : assignment(context);
  case Statement::EmptyLoop:
    return place.isUniform ? assignment(context) : emptyLoop(context, place);
  case Statement::CountedLoop:
    return inKernel ? countedLoop(context) : assignment(context);
  case Statement::Leaving:
    return leaving(context, place);
  case Statement::OwnRun:
    return inKernel ? ownRun(context) : assignment(context);
  case Statement::FlatStore:
    return inKernel ? flatStore(context) : assignment(context);
  case Statement::Edge:
    return inKernel ? edgeStatement(context) : assignment(context);
  case Statement::WideAccess:
    return inKernel ? wideAccess(context) : assignment(context);
  case Statement::StructElement:
    return inKernel ? structElement(context) : assignment(context);
  case Statement::DynamicShared:
    return inKernel ? dynamicShared(context) : assignment(context);
  case Statement::Lane:
    return laneAssignment(context);
  case Statement::Record:
    return recordStatement(context);
  case Statement::Pair:
    return pairStatement(context);
  case Statement::TupleAssignment:
    return tupleAssignment(context, inKernel);
  case Statement::Reference:
    return referenceStatement(context, inKernel);
  case Statement::Rows:
    return inKernel ? rowsStatement(context) : assignment(context);
  case Statement::Atomic:
    return inKernel ? atomicUpdate(context) : assignment(context);
  case Statement::Print:
    return printStatement(context);
  case Statement::Level:
    return levelStatement(context, place);
  case Statement::GroupStep:
    return groupStep(context);
  case Statement::Guarded:
    return inKernel ? guarded(context, place) : branch(context, place);
  case Statement::Branch:
    return branch(context, place);
  case Statement::Match:
    return matching(context, place);
  case Statement::ElementLoop:
    return elementLoop(context, place);
  case Statement::WhileLoop:
    return whileLoop(context, place);
  case Statement::Part:
    return part(context, place);
  case Statement::ForLoop:
    return forLoop(context, place);
  case Statement::CarryingLoop:
    return inKernel ? carryingLoop(context, place) : forLoop(context, place);
  case Statement::MemoryRange:
    return inKernel ? memoryRange(context, place) : forLoop(context, place);
  }
  return "";
}

std::string block(Context &context, const Place &place, int most) {
  const Scope scope(context);
  std::string text;
  for (int count = 1 + context.below(most); count != 0; --count)
    text += statement(context, place);
  if (const std::optional<std::string> last = exitAt(context, place))
    text += *last;
  return text;
}

} // namespace spl::generator
