// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/FunctionBody.h"
#include "frontend/mirgen/Aggregates.h"
#include "frontend/mirgen/Statements.h"
#include "mir/dialect/SplDialect.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

void mirgen::emitBody(ModuleGen &module, const sema::Function &function,
                      Block::BlockArgListType arguments) {
  FunctionContext fn(module, function);
  unsigned number = 0; // slots are in the order of the parameters and their leaves
  for (const sema::Local *parameter : function.parameters)
    for (Slot leaf = 0; leaf != parameter->type.leafCount(); ++leaf)
      fn.env.set(fn.facts.slot(parameter) + leaf, arguments[number++]);
  if (function.result.isAggregate())
    fn.result = arguments.back();
  StatementQueue stream{function.body};
  emitStatements(fn, stream, /*isTail=*/true);

  Location location = module.location(function.range);
  if (!fn.returnsValue()) {
    mir::ReturnOp::create(module.builder, location);
    return;
  }
  // A function that never ends, an endless loop, has returned nothing here.
  Value result =
      fn.control.result ? fn.control.result : fn.noValue(module.type(function.result), location);
  mir::ReturnOp::create(module.builder, location, result);
}
