// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Calls of functions. Arguments are evaluated in their order. Each call has its own variables.
#include "test/reference/Item.h"

using namespace spl;
using namespace spl::reference;

void reference::enter(Frame &frame, const sema::Local &local, Value value) {
  if (local.type.isSlice()) {
    frame.slices[&local] = std::move(value.slice);
    return;
  }
  Pointer memory = allocate(local.type.layout().size);
  store(local.type, value, memory);
  frame.memory[&local] = std::move(memory);
}

Value reference::call(Item &item, const sema::CallExpr &expr) {
  std::vector<Value> arguments(expr.arguments.size());
  for (size_t i = 0; i != arguments.size(); ++i) {
    const size_t at = expr.written.empty() ? i : expr.written[i];
    arguments[at] = evaluate(item, *expr.arguments[at]);
  }
  Frame frame;
  for (size_t i = 0; i != arguments.size(); ++i)
    enter(frame, *expr.callee->parameters[i], std::move(arguments[i]));
  Frame *const caller = std::exchange(item.frame, &frame);
  const Place *const assigned = std::exchange(item.assigned, nullptr);
  {
    Arm arm(item, 0);
    execute(item, expr.callee->body);
  }
  item.frame = caller;
  item.assigned = assigned;
  return std::move(frame.result);
}
