// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The attributes of the dialect that hold data of spl/abi: kinds of faults, and signatures.
#include "mir/dialect/SplDialect.h"
#include "spl/abi/SignatureText.h"

using namespace mlir;
using namespace spl::mir;

//===-- #spl.fault --===//

Attribute FaultKindAttr::parse(AsmParser &parser, Type) {
  std::string name;
  if (parser.parseLess())
    return {};
  const llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseKeywordOrString(&name) || parser.parseGreater())
    return {};
  if (std::optional<spl::FaultKind> kind = spl::faultKindNamed(name))
    return get(parser.getContext(), *kind);
  parser.emitError(place) << "there is no fault '" << name << "'";
  return {};
}

void FaultKindAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printKeywordOrString(toString(getValue()));
  printer << '>';
}

//===-- #spl.signature --===//

llvm::hash_code spl::abi::hash_value(const Signature &signature) {
  return llvm::hash_combine(signature.name, signature.parameters.size(),
                            signature.contract ? signature.contract->steps.size() : 0);
}

Attribute SignatureAttr::parse(AsmParser &parser, Type) {
  std::string text;
  if (parser.parseLess())
    return {};
  const llvm::SMLoc place = parser.getCurrentLocation();
  if (parser.parseString(&text) || parser.parseGreater())
    return {};
  auto read = spl::abi::readSignature(text);
  if (auto *signature = std::get_if<spl::abi::Signature>(&read))
    return get(parser.getContext(), std::move(*signature));
  parser.emitError(place) << "the kernel signature is malformed: "
                          << std::get<spl::abi::SyntaxError>(read).str();
  return {};
}

void SignatureAttr::print(AsmPrinter &printer) const {
  printer << '<';
  printer.printString(writeSignature(getValue()));
  printer << '>';
}
