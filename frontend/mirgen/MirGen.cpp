// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/MirGen.h"
#include "frontend/mirgen/FunctionGen.h"
#include "mir/dialect/Register.h"
#include "mir/dialect/SplDialect.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

/// The kernel's signature as the runtime reads it: "scale(alpha: f32, x: &mut [f32])".
static std::string signatureText(const sema::Function &function) {
  std::string text;
  llvm::raw_string_ostream os(text);
  os << function.name << '(';
  llvm::interleaveComma(function.parameters, os, [&](const sema::Local *parameter) {
    os << parameter->name << ": " << parameter->type.str();
  });
  os << ')';
  return text;
}

/// What the arguments are called; structs come to a kernel by value.
static ArrayAttr argumentAttributes(Builder &builder, const sema::Function &function) {
  SmallVector<Attribute> all;
  for (const sema::Local *parameter : function.parameters) {
    NamedAttrList attributes;
    attributes.set(mir::SplDialect::nameAttr, builder.getStringAttr(parameter->name));
    if (function.isKernel && parameter->type.isAggregate())
      attributes.set(mir::SplDialect::byValueAttr, builder.getUnitAttr());
    all.push_back(attributes.getDictionary(builder.getContext()));
  }
  if (function.result.isAggregate())
    all.push_back(builder.getDictionaryAttr({}));
  return builder.getArrayAttr(all);
}

static void emitFunction(ModuleGen &module, const sema::Function &function) {
  OpBuilder &builder = module.builder;
  Location location = module.location(function.range);
  auto name = builder.getStringAttr(function.name);
  ArrayAttr argAttrs = argumentAttributes(builder, function);

  SmallVector<Type> inputs, results;
  for (const sema::Local *parameter : function.parameters)
    inputs.push_back(module.valueType(parameter->type, /*isMut=*/false));
  if (function.result.isAggregate())
    inputs.push_back(module.valueType(function.result, /*isMut=*/true));
  else if (!function.result.isUnit())
    results.push_back(module.type(function.result));
  auto type = TypeAttr::get(builder.getFunctionType(inputs, results));

  Region *body;
  if (function.isKernel)
    body = &mir::KernelOp::create(builder, location, name, type,
                                  builder.getStringAttr(signatureText(function)), argAttrs,
                                  /*res_attrs=*/ArrayAttr())
                .getBody();
  else
    body = &mir::FuncOp::create(builder, location, name, type, argAttrs, /*res_attrs=*/ArrayAttr(),
                                builder.getStringAttr("private"))
                .getBody();

  SmallVector<Location> locations;
  for (const sema::Local *parameter : function.parameters)
    locations.push_back(module.location(parameter->range));
  locations.resize(inputs.size(), location);
  OpBuilder::InsertionGuard guard(builder);
  Block *block = builder.createBlock(body, {}, inputs, locations);
  FunctionGen(module, function).emitBody(block->getArguments());
}

OwningOpRef<ModuleOp> spl::mirgen::generate(const sema::Program &program,
                                            const diag::SourceManager &sources,
                                            MLIRContext &context) {
  mir::loadDialects(context);
  ModuleGen module(sources, context);
  for (const sema::Function *function : program.functions)
    emitFunction(module, *function);
  module.emitHelpers();
  return std::move(module.module);
}
