// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel of MIR text, with operations of no dialect ("test.unknown") for what nothing is known
// of.
#pragma once

#include "mir/dialect/Register.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "spl/abi/SignatureText.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include <string>

namespace spl::test {

inline mlir::MLIRContext &mirContext() {
  static mlir::MLIRContext *context = [] {
    auto *made = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    mir::loadDialects(*made);
    made->allowUnregisteredDialects();
    return made;
  }();
  return *context;
}

class ParsedKernel {
public:
  /// \p parameters as in "%n: i8 {spl.name = \"n\"}", \p body without its end. The signature has
  /// the same names and types.
  ParsedKernel(const std::string &parameters, const std::string &body)
      : text("spl.kernel @k(" + parameters + ") attributes {signature = #spl.signature<\"k(" +
             inSignature(parameters) + ")\">} {\n" + body + "  spl.return\n}\n"),
        module(mlir::parseSourceString<mlir::ModuleOp>(text, &mirContext())) {}

  explicit operator bool() const { return bool(module); }
  mir::KernelOp kernel() { return *module->getOps<mir::KernelOp>().begin(); }

  /// The values that are marked by an operation `"test.NAME"(%value, ...)`, in order.
  llvm::SmallVector<mlir::Value> marked(llvm::StringRef name) {
    llvm::SmallVector<mlir::Value> values;
    module->walk([&](mlir::Operation *op) {
      if (op->getName().getStringRef() == name)
        llvm::append_range(values, op->getOperands());
    });
    return values;
  }

  /// The text of a contract of this kernel; empty without conditions.
  std::string written(abi::Contract contract) {
    abi::Signature signature = kernel().getSignature();
    signature.contract = std::move(contract);
    return llvm::join(writeConditions(signature), " and ");
  }

  const std::string text;

private:
  /// "%n: i8 {...}, %m: i8 {...}" as "n: i8, m: i8".
  static std::string inSignature(llvm::StringRef parameters) {
    std::string result;
    llvm::SmallVector<llvm::StringRef> all;
    parameters.split(all, '%', /*MaxSplit=*/-1, /*KeepEmpty=*/false);
    for (llvm::StringRef parameter : all)
      result += (result.empty() ? "" : ", ") + parameter.split(" {").first.str();
    return result;
  }

  mlir::OwningOpRef<mlir::ModuleOp> module;
};

} // namespace spl::test
