// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the text of a signature from left to right. Lives as long as the parsing; refers to the
// text.
#ifndef SPL_RUNTIME_LAUNCH_SIGNATUREREADER_H
#define SPL_RUNTIME_LAUNCH_SIGNATUREREADER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace spl::detail {

/// Each function takes what it is named after, with the space before it, or throws InvalidImage
/// with the column.
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

  /// Where the next thing begins, and how to go back there.
  std::size_t position();
  void goTo(std::size_t position) { at = position; }

  [[noreturn]] void fail(const std::string &wanted) const;

private:
  void skipSpace();

  std::string_view text;
  std::size_t at = 0;
};

} // namespace spl::detail

#endif
