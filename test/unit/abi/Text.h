// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading the text of signatures in tests.
#pragma once

#include <spl/abi/SignatureText.h>

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <variant>

namespace spl::test {

/// The signature; a failure of the test if the text is malformed.
inline abi::Signature read(std::string_view text) {
  auto result = abi::readSignature(text);
  if (const auto *error = std::get_if<abi::SyntaxError>(&result)) {
    ADD_FAILURE() << text << ": " << error->str();
    return {};
  }
  return std::get<abi::Signature>(std::move(result));
}

/// The error of malformed text; empty for a signature.
inline std::string errorIn(std::string_view text) {
  const auto result = abi::readSignature(text);
  const auto *error = std::get_if<abi::SyntaxError>(&result);
  return error ? error->str() : "";
}

} // namespace spl::test
