// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Parts.h"
#include "codegen/Pipeline.h"
#include "mir/dialect/Register.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace spl::test {
namespace {

using Names = std::vector<std::string>;

/// A kernel with some loads and stores, which no pass removes. It calls \p callee, if there is one.
std::string kernel(const std::string &name, unsigned accesses, const std::string &callee = "",
                   const std::string &attribute = "") {
  std::string text = "spl.kernel @" + name +
                     "(%x: !spl.slice<i64, mut> {spl.name = \"x\"}) attributes {" + attribute +
                     "signature = #spl.signature<\"" + name +
                     "(x: &mut [i64])\">} {\n  %c = arith.constant 0 : i64\n";
  for (unsigned access = 0; access != accesses; ++access)
    text += "  %v" + std::to_string(access) +
            " = spl.load %x[%c] : !spl.slice<i64, mut>\n  spl.store %v" + std::to_string(access) +
            ", %x[%c] : !spl.slice<i64, mut>\n";
  if (!callee.empty())
    text += "  %r = spl.call @" + callee +
            "(%c) : (i64) -> i64\n  spl.store %r, %x[%c] : "
            "!spl.slice<i64, mut>\n";
  return text + "  spl.return\n}\n";
}

std::string function(const std::string &name) {
  return "spl.func private @" + name +
         "(%a: i64 {spl.name = \"a\"}) -> i64 attributes {spl.noinline} {\n  spl.return %a : "
         "i64\n}\n";
}

class Parts : public testing::Test {
protected:
  Parts() { mir::loadDialects(context); }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context, "test.spl");
    EXPECT_TRUE(module);
    return module;
  }
  static Names namesIn(mlir::ModuleOp module) {
    Names names;
    for (mlir::Operation &op : *module.getBody())
      names.push_back(mlir::SymbolTable::getSymbolName(&op).str());
    return names;
  }
  static std::vector<Names> namesIn(const std::vector<codegen::Part> &parts) {
    std::vector<Names> names;
    for (const codegen::Part &part : parts)
      names.push_back(namesIn(*part.module));
    return names;
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
};

TEST_F(Parts, HaveTheLeastSizeAndTheOrderOfTheModule) {
  auto module =
      parse(kernel("a", 2) + kernel("b", 20) + kernel("c", 3) + kernel("d", 3) + kernel("e", 1));
  std::vector<codegen::Part> parts = codegen::splitModule(*module, 10, /*hasLater=*/false);
  EXPECT_EQ(namesIn(parts), (std::vector<Names>{{"a", "b"}, {"c", "d"}, {"e"}}));
  EXPECT_TRUE(module->getBody()->empty());
}

TEST_F(Parts, AreLargerInALargeModule) {
  std::string text;
  for (int number = 0; number != 1000; ++number)
    text += kernel("k" + std::to_string(number), 20);
  EXPECT_LE(codegen::splitModule(*parse(text), 10, /*hasLater=*/false).size(), 128u);
}

TEST_F(Parts, HoldAFunctionWithAllKernelsThatCallIt) {
  auto module =
      parse(kernel("a", 20, "f") + kernel("b", 20) + function("f") + kernel("c", 20, "f"));
  std::vector<codegen::Part> parts = codegen::splitModule(*module, 10, /*hasLater=*/false);
  EXPECT_EQ(namesIn(parts), (std::vector<Names>{{"a", "f", "c"}, {"b"}}));
}

TEST_F(Parts, AreOneForKernelsThatAreCompiledLater) {
  const std::string later = "spl.later = \"symbol\", ";
  const std::string text = kernel("a", 1) + kernel("b", 1, "", later) + kernel("c", 1) +
                           kernel("d", 1, "f", later) + function("f") + kernel("e", 1, "f");
  std::vector<codegen::Part> parts = codegen::splitModule(*parse(text), 1000, /*hasLater=*/true);
  // The function f is in the code that is compiled now, so d is too.
  EXPECT_EQ(namesIn(parts), (std::vector<Names>{{"a", "c", "d", "f", "e"}, {"b"}}));
  EXPECT_EQ(parts[0].later, "");
  EXPECT_EQ(parts[1].later, "symbol");
  EXPECT_EQ(namesIn(codegen::splitModule(*parse(text), 1000, /*hasLater=*/false)).size(), 1u);
}

TEST_F(Parts, AreOneForAnEmptyModule) {
  EXPECT_EQ(namesIn(codegen::splitModule(*parse(""), 10, /*hasLater=*/false)),
            std::vector<Names>{{}});
}

/// Runs the passes of MIR for sm_80.
llvm::Error runPasses(mlir::ModuleOp module, std::vector<codegen::SourceError> &warnings) {
  codegen::Options options;
  options.target = llvm::cantFail(codegen::TargetSpec::parse("sm_80"));
  return codegen::runMirPipeline(module, options,
                                 *options.target->outputFor(codegen::Output::Default), warnings);
}

// Three parts, of which the first one is not adjacent in the module.
TEST_F(Parts, ComeTogetherInTheOrderOfTheModule) {
  const std::string text = kernel("a", 200, "f") + kernel("b", 200) + function("f") +
                           kernel("c", 200, "f") + kernel("d", 1);
  EXPECT_EQ(namesIn(codegen::splitModule(*parse(text), codegen::leastPart, false)),
            (std::vector<Names>{{"a", "f", "c"}, {"b"}, {"d"}}));
  auto module = parse(text);
  std::vector<codegen::SourceError> warnings;
  EXPECT_FALSE(bool(runPasses(*module, warnings)));
  EXPECT_EQ(namesIn(*module), (Names{"a", "a$unchecked", "b", "b$unchecked", "f", "c",
                                     "c$unchecked", "d", "d$unchecked"}));
  EXPECT_TRUE(succeeded(mlir::verify(*module)));
}

/// A kernel with a barrier that not all work-items reach.
std::string divergent(const std::string &name) {
  std::string text = kernel(name, 200);
  text.resize(text.rfind("  spl.return"));
  return text + R"(
  %i = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %is = arith.cmpi eq, %i, %c : i64
  scf.if %is {
    spl.intrinsic "gpu.barrier" : () -> ()
  }
  spl.return
}
)";
}

TEST_F(Parts, ReportTheErrorsOfAllInTheirOrder) {
  auto module = parse(kernel("a", 200) + divergent("b") + kernel("c", 200) + divergent("d"));
  std::vector<codegen::SourceError> warnings;
  std::vector<unsigned> lines;
  llvm::handleAllErrors(runPasses(*module, warnings), [&](const codegen::SourceError &error) {
    EXPECT_EQ(error.diagnostic, mir::PassDiagnostic::DivergentBarrier);
    lines.push_back(error.line);
  });
  EXPECT_EQ(lines.size(), 2u);
  EXPECT_TRUE(llvm::is_sorted(lines));
}

} // namespace
} // namespace spl::test
