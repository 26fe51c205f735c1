// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a print. Floats are formatted by trying decimals with more and more digits, so that
// nothing is shared with the runtime.
#include "test/reference/Item.h"

#include <cstdio>

using namespace spl;
using namespace spl::reference;

namespace {

/// A positive decimal: 0.DIGITS * 10^exponent.
struct Decimal {
  std::string digits;
  int exponent;
};

std::string printedBy(const char *format, int precision, double value) {
  char text[512]; // 309 digits before the point and 100 after it
  std::snprintf(text, sizeof text, format, precision, value);
  return text;
}

bool readsBack(const Decimal &decimal, const llvm::APFloat &value) {
  llvm::APFloat read(value.getSemantics());
  llvm::cantFail(
      read.convertFromString("0." + decimal.digits + "e" + std::to_string(decimal.exponent),
                             llvm::APFloat::rmNearestTiesToEven));
  return read.bitwiseIsEqual(value);
}

/// The decimal with that many digits that is nearest to the value.
Decimal nearest(double value, int digits) {
  std::string text = printedBy("%.*e", digits - 1, value);
  const std::size_t e = text.find('e');
  const int exponent = std::stoi(text.substr(e + 1)) + 1;
  text.resize(e);
  std::erase(text, '.');
  return {text, exponent};
}

/// The decimal whose digits, as a number, differ by \p by. They stay as many.
Decimal moved(const Decimal &decimal, long long by) {
  return {std::to_string(std::stoll(decimal.digits) + by), decimal.exponent};
}

/// The decimal with the fewest digits that reads back as the value, which is positive. Zeros at the
/// end do not count, so a power of ten has the fewest.
Decimal shortest(const llvm::APFloat &value, double number) {
  for (int digits = 1;; ++digits) {
    const Decimal first = nearest(number, digits);
    if (const Decimal ten{"1", first.exponent + 1}; digits == 1 && readsBack(ten, value))
      return ten;
    // Below a power of two the floats are closer together than above it, so that the nearest
    // decimal may not read back although the next one does.
    for (const Decimal &tried : {first, moved(first, 1), moved(first, -1)})
      if (tried.digits.size() == first.digits.size() && tried.digits != "0" &&
          readsBack(tried, value))
        return tried;
  }
}

/// The shorter one of the notations with and without an exponent.
std::string written(const Decimal &decimal, double number) {
  const auto &[digits, exponent] = decimal;
  const int count = static_cast<int>(digits.size()), power = exponent - 1;
  char suffix[16];
  std::snprintf(suffix, sizeof suffix, "e%c%02d", power < 0 ? '-' : '+', std::abs(power));
  const std::string scientific =
      digits.substr(0, 1) + (count == 1 ? "" : "." + digits.substr(1)) + suffix;
  std::string fixed;
  if (exponent <= 0)
    fixed = "0." + std::string(static_cast<std::size_t>(-exponent), '0') + digits;
  else if (exponent < count)
    fixed = digits.substr(0, static_cast<std::size_t>(exponent)) + "." +
            digits.substr(static_cast<std::size_t>(exponent));
  else
    fixed = printedBy("%.*f", 0, number); // with all digits of a whole number
  return fixed.size() <= scientific.size() ? fixed : scientific;
}

std::string textOfFloat(sema::Type type, Bits bits, int precision) {
  llvm::APFloat value = toFloat(type, bits);
  if (value.isNaN())
    return "nan";
  const std::string sign = value.isNegative() ? "-" : "";
  value.clearSign();
  if (value.isInfinity())
    return sign + "inf";
  llvm::APFloat wide = value;
  bool isInexact = false;
  wide.convert(llvm::APFloat::IEEEdouble(), llvm::APFloat::rmNearestTiesToEven, &isInexact);
  const double number = wide.convertToDouble();
  if (precision >= 0)
    return sign + printedBy("%.*f", precision, number);
  return sign + (number == 0 ? "0" : written(shortest(value, number), number));
}

std::string textOf(sema::Type type, Bits bits, int precision) {
  if (type.isBool())
    return bits ? "true" : "false";
  if (type.isFloat())
    return textOfFloat(type, bits, precision);
  return type.isUnsignedInt() ? std::to_string(bits) : std::to_string(asInteger(type, bits));
}

} // namespace

std::string reference::formatted(Item &item, llvm::ArrayRef<sema::FormatPiece> pieces) {
  std::string text;
  for (const sema::FormatPiece &piece : pieces) {
    text += piece.text;
    if (!piece.value)
      continue;
    const sema::Type type = piece.value->type;
    const Value value = evaluate(item, *piece.value);
    if (!type.isVector()) {
      text += textOf(type, value.bits, piece.precision);
      continue;
    }
    for (const Value &lane : value.parts)
      text += (&lane == value.parts.data() ? "(" : ", ") +
              textOf(type.lane(), lane.bits, piece.precision);
    text += ")";
  }
  return text;
}

void reference::print(Item &item, const sema::PrintStmt &stmt) {
  std::vector<std::string> &lines = item.group.launch.lines;
  lines.push_back(formatted(item, stmt.format));
  if (lines.size() > item.group.launch.launch.maxLines)
    throw TooLong();
}
