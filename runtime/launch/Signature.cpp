// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Signature.h"

#include "runtime/launch/LaunchContract.h"
#include "runtime/system/Names.h"
#include "spl/Error.h"
#include "spl/abi/SignatureText.h"

#include <utility>

namespace spl {

Signature::Signature(abi::Signature made) : data(std::move(made)) {
  if (data.contract)
    compiled = std::make_shared<detail::LaunchContract>(data);
}

Signature Signature::parse(std::string_view text) {
  auto read = abi::readSignature(text);
  if (const auto *error = std::get_if<abi::SyntaxError>(&read))
    throw Error({.code = ErrorCode::InvalidImage,
                 .message = "the kernel signature " + detail::quoted(text) +
                            " is malformed: " + error->str()});
  return Signature(std::get<abi::Signature>(std::move(read)));
}

const std::string &Signature::contract() const {
  static const std::string none;
  return compiled ? compiled->str() : none;
}

Signature Signature::withoutContract() const {
  Signature result = *this;
  result.data.contract.reset();
  result.compiled = nullptr;
  return result;
}

Signature Signature::withoutFaultRecord() const {
  Signature result = *this;
  result.data.takesFaultRecord = false;
  return result;
}

std::string Signature::str() const { return abi::writeSignature(data); }

std::string Signature::prototype() const { return abi::writePrototype(data); }

} // namespace spl
