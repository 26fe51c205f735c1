// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the text of a signature from left to right. Refers to the text.
#ifndef SPL_ABI_SCANNER_H
#define SPL_ABI_SCANNER_H

#include "spl/abi/SignatureText.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace spl::abi {

/// Each function reads the element that it is named after, and the space before it. The first other
/// element is an error, which is kept. After it the rest of the text is empty: nothing is taken, so
/// that every loop of a reader ends.
class Scanner {
public:
  explicit Scanner(std::string_view text) : text(text) {}

  std::string identifier();
  /// An identifier with the arguments of an instance, if there are any: Ring[[f32; 4], 8].
  std::string nameWithArguments();
  std::int64_t number(std::int64_t min, std::int64_t max);
  void expect(std::string_view token);
  void end();

  /// Consume nothing and return false if something else follows. A word must end there.
  bool take(std::string_view token);
  bool takeWord(std::string_view word);

  /// Adds ".field" or "[2]" to the name of a parameter, if that follows.
  bool takePart(std::string &name);

  bool isAtDigit();

  /// The position of the next element, and a way back to it.
  std::size_t position();
  void goTo(std::size_t position) { at = position; }

  /// Reports that \p expected was expected here, or at \p position.
  void fail(const std::string &expected);
  void failAt(std::size_t position, const std::string &expected);
  const std::optional<SyntaxError> &error() const { return first; }

private:
  void skipSpace();

  std::string_view text;
  std::size_t at = 0;
  std::optional<SyntaxError> first;
};

} // namespace spl::abi

#endif
