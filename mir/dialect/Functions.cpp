// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsers, printers and verifiers of spl.kernel, spl.func, spl.return and spl.call.
#include "mir/dialect/SplDialect.h"
#include "mlir/Interfaces/FunctionImplementation.h"

using namespace mlir;
using namespace spl::mir;

namespace {

template <typename OpT> ParseResult parseFunction(OpAsmParser &parser, OperationState &result) {
  auto buildType = [](Builder &builder, ArrayRef<Type> inputs, ArrayRef<Type> results,
                      function_interface_impl::VariadicFlag,
                      std::string &) -> Type { return builder.getFunctionType(inputs, results); };
  return function_interface_impl::parseFunctionOp(
      parser, result, /*allowVariadic=*/false, OpT::getFunctionTypeAttrName(result.name), buildType,
      OpT::getArgAttrsAttrName(result.name), OpT::getResAttrsAttrName(result.name));
}

template <typename OpT> void printFunction(OpT op, OpAsmPrinter &printer) {
  function_interface_impl::printFunctionOp(printer, op, /*isVariadic=*/false,
                                           op.getFunctionTypeAttrName(), op.getArgAttrsAttrName(),
                                           op.getResAttrsAttrName());
}

// Uses the names of the source for arguments in printed MIR, such as %src instead of %arg0.
void nameArguments(Region &body, OpAsmSetValueNameFn setName) {
  auto function = cast<FunctionOpInterface>(body.getParentOp());
  for (BlockArgument argument : body.getArguments())
    if (auto name =
            function.getArgAttrOfType<StringAttr>(argument.getArgNumber(), SplDialect::nameAttr))
      setName(argument, name);
}

// Passes split and join bodies. They require that a body is one block with one return at its end.
template <typename OpT> LogicalResult verifyFunction(OpT op) {
  Region &body = op.getBody();
  if (!body.hasOneBlock() || body.front().empty() || !isa<ReturnOp>(body.front().back()))
    return op.emitOpError("needs a body of one block that ends in 'spl.return'");
  for (Type type : llvm::concat<const Type>(op.getArgumentTypes(), op.getResultTypes()))
    if (!isa<SliceType>(type) && !isPlain(type))
      return op.emitOpError() << "cannot take or return a value of type " << type;
  return success();
}

} // namespace

StringRef spl::mir::writtenName(FunctionOpInterface function) {
  if (auto kernel = dyn_cast<KernelOp>(*function))
    return kernel.getSignature().name;
  auto name = function->getAttrOfType<StringAttr>(SplDialect::nameAttr);
  return name ? name.getValue() : function.getName();
}

StringRef spl::mir::writtenCallee(CallOp call) {
  return writtenName(SymbolTable::lookupNearestSymbolFrom<FuncOp>(call, call.getCalleeAttr()));
}

//===-- spl.kernel --===//

ParseResult KernelOp::parse(OpAsmParser &parser, OperationState &result) {
  const llvm::SMLoc place = parser.getCurrentLocation();
  if (parseFunction<KernelOp>(parser, result))
    return failure();
  Attribute signature = result.attributes.get(getSignatureAttrName(result.name));
  if (signature && !isa<SignatureAttr>(signature))
    return parser.emitError(place, "'signature' must be '#spl.signature<...>', not ") << signature;
  return success();
}
void KernelOp::print(OpAsmPrinter &printer) { printFunction(*this, printer); }
void KernelOp::getAsmBlockArgumentNames(Region &body, OpAsmSetValueNameFn setName) {
  nameArguments(body, setName);
}

LogicalResult KernelOp::verify() {
  if (getFunctionType().getNumResults() != 0)
    return emitOpError("returns nothing");
  return verifyFunction(*this);
}

//===-- spl.func --===//

ParseResult FuncOp::parse(OpAsmParser &parser, OperationState &result) {
  return parseFunction<FuncOp>(parser, result);
}
void FuncOp::print(OpAsmPrinter &printer) { printFunction(*this, printer); }
void FuncOp::getAsmBlockArgumentNames(Region &body, OpAsmSetValueNameFn setName) {
  nameArguments(body, setName);
}

LogicalResult FuncOp::verify() {
  if (getFunctionType().getNumResults() > 1)
    return emitOpError("returns at most one value");
  return verifyFunction(*this);
}

//===-- spl.return --===//

LogicalResult ReturnOp::verify() {
  auto function = cast<FunctionOpInterface>((*this)->getParentOp());
  if (getOperandTypes() != function.getResultTypes())
    return emitOpError() << "must return what '" << function.getName()
                         << "' declares: " << function.getResultTypes();
  return success();
}

//===-- spl.call --===//

LogicalResult CallOp::verifySymbolUses(SymbolTableCollection &symbols) {
  Operation *symbol = symbols.lookupNearestSymbolFrom(*this, getCalleeAttr());
  if (!symbol)
    return emitOpError() << "calls '" << getCallee() << "', which does not exist";
  auto callee = dyn_cast<FuncOp>(symbol);
  if (!callee)
    return emitOpError() << "calls '" << getCallee() << "', which is no spl.func";
  FunctionType type = callee.getFunctionType();
  if (getOperandTypes() != type.getInputs() || getResultTypes() != type.getResults())
    return emitOpError() << "does not fit '" << getCallee() << "' of type " << type;
  return success();
}

#define GET_OP_CLASSES
#include "mir/dialect/SplOps.cpp.inc"
