// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests that the MIR dialect matches the table of intrinsics: every row makes a valid operation,
// and an operation is expanded if its row says so.
#include "codegen/Pipeline.h"
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/Register.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Passes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Pass/Pass.h"
#include "mlir/Pass/PassManager.h"
#include "gtest/gtest.h"

using namespace spl;
using namespace mlir;

namespace {

class Tables : public testing::Test {
protected:
  Tables() : builder(&context) {
    mir::loadDialects(context);
    module = ModuleOp::create(builder.getUnknownLoc());
  }

  // The test uses f32, or a vector of it, for most letters, and i64 for types that the table names.
  Type typeOf(const intrinsics::Signature::Slot &slot) {
    using Kind = intrinsics::Signature::Kind;
    switch (slot.kind) {
    case Kind::Int:
    case Kind::Word:
    case Kind::AnyInt:
      return builder.getI32Type();
    case Kind::Mask:
      return builder.getI1Type();
    case Kind::Vector:
    case Kind::Quad:
      return VectorType::get(4, builder.getF32Type());
    case Kind::Lanes:
      return VectorType::get(4, builder.getI1Type());
    case Kind::Index:
      return builder.getI64Type();
    case Kind::Scalar:
      return slot.scalar == "bool"  ? builder.getI1Type()
             : slot.scalar == "u32" ? builder.getI32Type()
                                    : builder.getI64Type();
    default:
      return builder.getF32Type();
    }
  }

  /// Adds a function that has the row's parameters and returns the intrinsic's first result.
  void addFunction(const intrinsics::Row &row) {
    const intrinsics::Signature &signature = intrinsics::signature(row.id);
    SmallVector<Type> parameters;
    for (const auto &slot : signature.values())
      parameters.push_back(typeOf(slot));
    SmallVector<Type> results;
    for (const auto &slot : signature.results)
      results.push_back(typeOf(slot));
    Location loc = builder.getUnknownLoc();

    builder.setInsertionPointToEnd(module->getBody());
    auto function = mir::FuncOp::create(
        builder, loc, row.name,
        builder.getFunctionType(parameters, ArrayRef(results).take_front(1)), {}, {}, {});
    Block *body = &function.getBody().emplaceBlock();
    for (Type parameter : parameters)
      body->addArgument(parameter, loc);
    builder.setInsertionPointToEnd(body);
    IntegerAttr axis = signature.hasAxis() ? builder.getI64IntegerAttr(0) : IntegerAttr();
    using Kind = intrinsics::Signature::Kind;
    auto op = mir::IntrinsicOp::create(builder, loc, results, row.name, body->getArguments(), axis);
    if (signature.has(Kind::Scope))
      op.setScope(mir::MemoryScope::Device);
    op.setExclusive(signature.has(Kind::Exclusive));
    mir::ReturnOp::create(builder, loc, op.getResults().take_front(1));
  }

  MLIRContext context{MLIRContext::Threading::DISABLED};
  OpBuilder builder;
  OwningOpRef<ModuleOp> module;
};

TEST_F(Tables, EveryRowMakesAValidOperation) {
  for (const intrinsics::Row &row : intrinsics::all())
    addFunction(row);
  EXPECT_TRUE(succeeded(verify(*module)));
}

TEST_F(Tables, WhatATargetExpandsIsExpanded) {
  for (const codegen::Target *target : codegen::allTargets()) {
    module = ModuleOp::create(builder.getUnknownLoc());
    for (const intrinsics::Row &row : intrinsics::all())
      addFunction(row);
    PassManager passes(&context);
    passes.addPass(mir::createExpandIntrinsics(codegen::expansionFor(*target)));
    EXPECT_TRUE(succeeded(passes.run(*module)));
    module->walk([&](mir::IntrinsicOp op) {
      const intrinsics::Row &row = op.getRow();
      EXPECT_NE(target->lowering(row.id).kind, codegen::IntrinsicLowering::Kind::Expand)
          << row.name.str();
    });
  }
}

} // namespace
