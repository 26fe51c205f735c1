// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Scans numbers. A number includes all characters that look like a part of it, so that a malformed
// number is one error:
//     integers   1_000 0xff 0b1010, with suffixes i8..i64 u8..u64
//     floats     1.5 1e5 1.5e-3 and, in decimal, any number with a suffix f16 bf16 f32 f64
// A point belongs to the number only before a digit (0..n is a range, 1.x a member). An underscore
// is only valid between two digits, after 0x or 0b, or before a suffix, and never beside another
// one. A decimal integer has no leading zeros, because other languages read 010 as 8.

#include "frontend/lex/Lexer.h"
#include "llvm/ADT/StringSwitch.h"

using llvm::StringRef;

namespace spl::lex {

/// The maximum length of a float, which limits the time of its conversion. It exceeds the number of
/// digits of the exact value of any float.
static constexpr size_t maxFloatLength = 1000;

static bool isIntSuffix(StringRef text) {
  return llvm::StringSwitch<bool>(text)
      .Cases({"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"}, true)
      .Default(false);
}

static bool isFloatSuffix(StringRef text) {
  return llvm::StringSwitch<bool>(text).Cases({"f16", "bf16", "f32", "f64"}, true).Default(false);
}

static unsigned digitValue(char c) {
  if (isDigit(c))
    return c - '0';
  char lower = c | 0x20;
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

static void malformed(Number &number, StringRef why) {
  if (number.problem != Number::Problem::None)
    return;
  number.problem = Number::Problem::Malformed;
  number.why = why;
}

/// Sets the value of an integer from its digits, and checks the underscores.
static void evaluate(Number &number, StringRef digits, unsigned base) {
  bool tooLarge = false;
  for (char c : digits) {
    if (c == '_')
      continue;
    unsigned digit = digitValue(c);
    if (digit >= base)
      return malformed(number, base == 2 ? "a digit of a binary number is 0 or 1"
                                         : "it contains a character that is not a digit");
    uint64_t shifted;
    tooLarge |= __builtin_mul_overflow(number.value, uint64_t(base), &shifted);
    tooLarge |= __builtin_add_overflow(shifted, uint64_t(digit), &number.value);
  }
  if (tooLarge && number.problem == Number::Problem::None)
    number.problem = Number::Problem::TooLarge;
}

static void checkUnderscores(Number &number, StringRef text, bool hasSuffix) {
  if (text.contains("__"))
    malformed(number, "two underscores in a row");
  else if (text.ends_with("_") && !hasSuffix)
    malformed(number, "it ends with an underscore");
  else if (text.contains("_.") || text.contains("_e") || text.contains("_E"))
    malformed(number, "an underscore must be between digits");
}

static void setSuffix(Number &number, StringRef suffix, bool isValid, StringRef valid) {
  number.suffixLength = suffix.size() <= 4 ? suffix.size() : 0;
  if (suffix.empty() || isValid)
    return;
  if (number.problem != Number::Problem::None)
    return;
  number.problem = Number::Problem::Suffix;
  number.problemBegin = suffix.begin();
  number.why = valid;
}

static constexpr const char *intSuffixes = "the suffixes are i8 to i64 and u8 to u64";
static constexpr const char *decimalSuffixes =
    "the suffixes are i8 to i64, u8 to u64, f16, bf16, f32 and f64";

/// Scans 0x... and 0b...: the prefix, then all characters that can be in a number or a name.
static Number scanPrefixed(const char *begin, unsigned base) {
  const char *digitsBegin = begin + 2;
  const char *place = digitsBegin;
  auto isDigitHere = [&](char c) {
    // In 0b12 the 2 is a wrong digit and not a suffix.
    return c == '_' || (base == 16 ? digitValue(c) < 16 : isDigit(c));
  };
  while (isDigitHere(*place))
    ++place;
  const char *suffixBegin = place;
  while (isIdentifierPart(*place))
    ++place;
  Number number{place};
  StringRef digits(digitsBegin, suffixBegin - digitsBegin),
      suffix(suffixBegin, place - suffixBegin);
  if (digits.find_first_not_of('_') == StringRef::npos)
    malformed(number, "it has no digits after its prefix");
  checkUnderscores(number, digits, !suffix.empty());
  setSuffix(number, suffix, isIntSuffix(suffix), intSuffixes);
  evaluate(number, digits, base);
  return number;
}

static const char *skipDigits(const char *place) {
  while (isDigit(*place) || *place == '_')
    ++place;
  return place;
}

static Number scanDecimal(const char *begin) {
  const char *place = skipDigits(begin);
  bool isFloat = false, lacksExponent = false;
  if (*place == '.' && isDigit(place[1])) {
    isFloat = true;
    place = skipDigits(place + 1);
  }
  if (*place == 'e' || *place == 'E') {
    isFloat = true;
    bool isSigned = place[1] == '+' || place[1] == '-';
    lacksExponent = !isDigit(place[isSigned ? 2 : 1]);
    place = lacksExponent ? place + 1 : skipDigits(place + (isSigned ? 2 : 1));
  }
  const char *suffixBegin = place;
  while (isIdentifierPart(*place))
    ++place;
  StringRef digits(begin, suffixBegin - begin), suffix(suffixBegin, place - suffixBegin);
  Number number{place, isFloat || isFloatSuffix(suffix) ? TokenKind::Float : TokenKind::Int};
  if (lacksExponent)
    malformed(number, "its exponent has no digits");
  checkUnderscores(number, digits, !suffix.empty());
  if (number.kind == TokenKind::Float) {
    if (digits.size() > maxFloatLength)
      malformed(number, "a float has at most 1000 characters");
    setSuffix(number, suffix, isFloatSuffix(suffix), "the suffixes are f16, bf16, f32 and f64");
    return number;
  }
  setSuffix(number, suffix, isIntSuffix(suffix), decimalSuffixes);
  if (digits.size() > 1 && digits[0] == '0' && digits.find_first_not_of("0_") != StringRef::npos)
    malformed(number, "an integer cannot have leading zeros");
  evaluate(number, digits, 10);
  return number;
}

Number scanNumber(const char *begin, const char *end) {
  if (*begin == '0' && begin[1] == 'x')
    return scanPrefixed(begin, 16);
  if (*begin == '0' && begin[1] == 'b' &&
      !StringRef(begin + 1, end - begin - 1).starts_with("bf16"))
    return scanPrefixed(begin, 2);
  Number number = scanDecimal(begin);
  if (*begin == '0' && (begin[1] == 'X' || begin[1] == 'B' || (begin[1] | 0x20) == 'o')) {
    number.problem = Number::Problem::None;
    malformed(number, "the only prefixes are 0x and 0b");
  }
  return number;
}

std::string literalForForeign(StringRef digits, StringRef suffix, bool isFloat) {
  std::string lower = suffix.lower();
  if (lower == "f")
    return digits.str() + (isFloat ? "" : ".0");
  StringRef ours = llvm::StringSwitch<StringRef>(lower)
                       .Case("h", "f16")
                       .Case("d", "f64")
                       .Case("u", "u32")
                       .Cases({"l", "ll"}, isFloat ? "f64" : "i64")
                       .Cases({"ul", "lu", "ull", "llu", "uz", "zu"}, "u64")
                       .Default("");
  bool isOurs = !ours.empty() && (!isFloat || ours.front() == 'f');
  return isOurs ? (digits + ours).str() : std::string();
}

} // namespace spl::lex
