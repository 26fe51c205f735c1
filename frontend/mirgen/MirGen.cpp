// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/MirGen.h"
#include "frontend/mirgen/FunctionBody.h"
#include "frontend/mirgen/KernelSignature.h"
#include "frontend/sema/Leaves.h"
#include "mir/dialect/FastMath.h"
#include "mir/dialect/Register.h"
#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

/// What the arguments are called. Structs come to a kernel by value.
static ArrayAttr argumentAttributes(Builder &builder, const sema::Function &function) {
  SmallVector<Attribute> all;
  for (const sema::Local *parameter : function.parameters)
    for (const sema::Leaf &leaf : sema::leavesOf(parameter->type)) {
      NamedAttrList attributes;
      attributes.set(mir::SplDialect::nameAttr, builder.getStringAttr(parameter->name + leaf.path));
      if (function.isKernel && leaf.type.isAggregate())
        attributes.set(mir::SplDialect::byValueAttr, builder.getUnitAttr());
      all.push_back(attributes.getDictionary(builder.getContext()));
    }
  if (function.result.isAggregate())
    all.push_back(builder.getDictionaryAttr({}));
  return builder.getArrayAttr(all);
}

static void setTraits(Operation *op, const sema::FunctionTraits &traits, Builder &builder) {
  if (traits.minBlocks != 0)
    op->setDiscardableAttr(mir::SplDialect::minBlocksAttr,
                           builder.getI64IntegerAttr(traits.minBlocks));
  if (traits.isInline)
    op->setDiscardableAttr(mir::SplDialect::inlineAttr, builder.getUnitAttr());
  if (traits.isNoinline)
    op->setDiscardableAttr(mir::SplDialect::noinlineAttr, builder.getUnitAttr());
}

static void emitFunction(ModuleGen &module, const sema::Function &function) {
  OpBuilder &builder = module.builder;
  Location location = module.location(function.range);
  auto name = builder.getStringAttr(function.name);
  ArrayAttr argAttrs = argumentAttributes(builder, function);

  SmallVector<Type> inputs, results;
  SmallVector<Location> locations;
  for (const sema::Local *parameter : function.parameters) {
    for (const sema::Leaf &leaf : sema::leavesOf(parameter->type))
      inputs.push_back(module.valueType(leaf.type, /*isMut=*/false));
    locations.resize(inputs.size(), module.location(parameter->range));
  }
  if (function.result.isAggregate())
    inputs.push_back(module.valueType(function.result, /*isMut=*/true));
  else if (!function.result.isUnit())
    results.push_back(module.type(function.result));
  auto type = TypeAttr::get(builder.getFunctionType(inputs, results));

  Region *body;
  if (function.isKernel)
    body = &mir::KernelOp::create(
                builder, location, name, type,
                mir::SignatureAttr::get(builder.getContext(), signatureOf(function)), argAttrs,
                /*res_attrs=*/ArrayAttr())
                .getBody();
  else
    body = &mir::FuncOp::create(builder, location, name, type, argAttrs, /*res_attrs=*/ArrayAttr(),
                                builder.getStringAttr("private"))
                .getBody();

  locations.resize(inputs.size(), location);
  OpBuilder::InsertionGuard guard(builder);
  if (!function.isKernel && function.writtenName != function.name)
    body->getParentOp()->setDiscardableAttr(mir::SplDialect::nameAttr,
                                            builder.getStringAttr(function.writtenName));
  Block *block = builder.createBlock(body, {}, inputs, locations);
  setTraits(body->getParentOp(), function.traits, builder);
  emitBody(module, function, block->getArguments());
  if (function.traits.isFastMath)
    body->walk(mir::allowFastMath);
}

OwningOpRef<ModuleOp> spl::mirgen::generate(const sema::Program &program,
                                            const diag::SourceManager &sources,
                                            const Checks &checks, MLIRContext &context) {
  mir::loadDialects(context);
  ModuleGen module(sources, checks, context);
  for (const sema::Function *function : program.functions)
    emitFunction(module, *function);
  module.emitHelpers();
  return std::move(module.module);
}
