// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the text of a signature from left to right. Refers to the text.
#ifndef SPL_RUNTIME_LAUNCH_SIGNATUREREADER_H
#define SPL_RUNTIME_LAUNCH_SIGNATUREREADER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace spl::detail {

/// Each function reads the element that it is named after, and the space before it. Throws
/// InvalidImage with the column for any other text.
class SignatureReader {
public:
  explicit SignatureReader(std::string_view text) : text(text) {}

  std::string identifier();
  std::int64_t number(std::int64_t min, std::int64_t max);
  void expect(std::string_view token);
  void end();

  /// Consume nothing and return false if something else follows. A word must end there.
  bool take(std::string_view token);
  bool takeWord(std::string_view word);

  bool isAtDigit();

  /// The position of the next element, and a way back to it.
  std::size_t position();
  void goTo(std::size_t position) { at = position; }

  [[noreturn]] void fail(const std::string &expected) const;

private:
  void skipSpace();

  std::string_view text;
  std::size_t at = 0;
};

} // namespace spl::detail

#endif
