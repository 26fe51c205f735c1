// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes the shortest text that reads back as the same float, as std::to_chars of C++ does. It is
// for devices, which have no C library. clang compiles it for the device, and natively for its
// test.
//
// The algorithm is that of Steele and White, How to print floating-point numbers accurately (PLDI
// 1990), in the form of Burger and Dybvig, Printing floating-point numbers quickly and accurately
// (PLDI 1996, free-format algorithm). The value is r / s. Half the distances to its neighbours are
// low / s and high / s. All four are whole numbers. Each division of r by s gives a digit, until
// the remainder is less than one of the distances.

typedef unsigned int u32;
typedef unsigned long long u64;

/// wordCount is enough for 2^1075 and 10^325, times 20.
enum { wordCount = 36, digitLimit = 17 };

/// A whole number, lowest word first. The words from count on are undefined.
typedef struct {
  int count;
  u32 words[wordCount];
} Whole;

static void setTo(Whole *number, u64 value, int shift) {
  number->count = shift / 32 + 3;
  for (int i = 0; i != number->count; ++i)
    number->words[i] = 0;
  const int bits = shift % 32;
  const u64 low = value << bits, high = bits ? value >> (64 - bits) : 0;
  number->words[shift / 32] = (u32)low;
  number->words[shift / 32 + 1] = (u32)(low >> 32);
  number->words[shift / 32 + 2] = (u32)high;
  while (number->count != 0 && number->words[number->count - 1] == 0)
    --number->count;
}

static void multiply(Whole *number, u32 factor) {
  u64 carry = 0;
  for (int i = 0; i != number->count; ++i) {
    carry += (u64)number->words[i] * factor;
    number->words[i] = (u32)carry;
    carry >>= 32;
  }
  if (carry)
    number->words[number->count++] = (u32)carry;
}

static void multiplyByPowerOf10(Whole *number, int power) {
  for (; power >= 9; power -= 9)
    multiply(number, 1000000000);
  for (; power > 0; --power)
    multiply(number, 10);
}

/// The sign of a + b - c.
static int compareSum(const Whole *a, const Whole *b, const Whole *c) {
  int count = a->count > b->count ? a->count : b->count;
  if (c->count > count)
    count = c->count;
  long long ahead = 0; // (a + b) - c so far, in units of the last word read
  for (int i = count; i-- != 0;) {
    ahead = ahead * 0x100000000LL + (i < a->count ? a->words[i] : 0) +
            (i < b->count ? b->words[i] : 0) - (i < c->count ? c->words[i] : 0);
    if (ahead > 0 || ahead < -2) // lower words of a and b add less than 2
      return ahead > 0 ? 1 : -1;
  }
  return ahead < 0 ? -1 : 0;
}

static void subtract(Whole *number, const Whole *less) {
  u64 borrow = 0;
  for (int i = 0; i != number->count; ++i) {
    const u64 word = (u64)number->words[i] - (i < less->count ? less->words[i] : 0) - borrow;
    number->words[i] = (u32)word;
    borrow = word >> 63;
  }
  while (number->count != 0 && number->words[number->count - 1] == 0)
    --number->count;
}

/// A finite float that is not 0, as mantissa * 2^exponent.
typedef struct {
  u64 mantissa;
  int exponent;
  int isLowerNear; ///< whether the next smaller float is half as far away as the next larger one
} Parts;

/// The digits of a value, as 0.digits * 10^point.
typedef struct {
  char digits[40];
  int count, point;
} Decimal;

/// If exactDigits is 0, writes the fewest digits that read back as the value. Otherwise writes
/// exactDigits digits without rounding; a whole number has that many digits before its point.
static void findDigits(Parts value, int exactDigits, Decimal *result) {
  Whole zero;
  zero.count = 0;
  const int near = value.isLowerNear ? 2 : 1;
  const int up = value.exponent > 0 ? value.exponent : 0, down = up - value.exponent;
  Whole r, s, low, high;
  setTo(&r, value.mantissa * 2 * near, up);
  setTo(&s, 2 * near, down);
  setTo(&low, 1, up);
  setTo(&high, near, up);

  // Finds point, so that 10^point is above the value. The estimate is at most one too small.
  int top = 63;
  while (!(value.mantissa >> top))
    --top;
  int point = (int)(((long long)(top + value.exponent) * 1292913986LL) >> 32) + 1; // log10(2) 2^32
  multiplyByPowerOf10(&s, point);
  multiplyByPowerOf10(&r, -point);
  multiplyByPowerOf10(&low, -point);
  multiplyByPowerOf10(&high, -point);
  const int isEven =
      value.mantissa % 2 == 0; // then a text halfway to a neighbour reads as this value
  while (compareSum(&r, exactDigits ? &zero : &high, &s) >= (isEven || exactDigits ? 0 : 1)) {
    multiply(&s, 10);
    ++point;
  }

  int count = 0, isDone = 0;
  while (!isDone) {
    multiply(&r, 10);
    multiply(&low, 10);
    multiply(&high, 10);
    int digit = 0;
    for (; compareSum(&r, &zero, &s) >= 0; ++digit)
      subtract(&r, &s);
    if (exactDigits) {
      isDone = count + 1 == exactDigits;
    } else {
      const int isLow = compareSum(&r, &zero, &low) < (isEven ? 1 : 0);
      const int isHigh = compareSum(&r, &high, &s) >= (isEven ? 0 : 1);
      isDone = isLow || isHigh;
      const int toNearest = compareSum(&r, &r, &s); // if both digits are equally near, the even one
      if (isHigh && (!isLow || toNearest > 0 || (toNearest == 0 && digit % 2 == 1)))
        ++digit;
    }
    result->digits[count++] = (char)('0' + digit);
  }
  result->count = count;
  result->point = point;
}

static char *writeExponent(char *out, int exponent) {
  *out++ = 'e';
  *out++ = exponent < 0 ? '-' : '+';
  if (exponent < 0)
    exponent = -exponent;
  if (exponent >= 100)
    *out++ = (char)('0' + exponent / 100);
  *out++ = (char)('0' + exponent / 10 % 10);
  *out++ = (char)('0' + exponent % 10);
  return out;
}

/// Whether the text without an exponent is not longer than the one with. wholeDigits is the number
/// of digits of a whole number, otherwise 0.
static int isShorterFixed(const Decimal *value, int wholeDigits) {
  if (wholeDigits)
    return wholeDigits <= (value->count == 1 ? 5 : value->count + 5);
  const int exponent = value->point - value->count; // the exponent of the last digit
  return exponent <= 0 && exponent >= (value->count == 1 ? -3 : -value->count - 3);
}

static char *writeDigits(char *out, Parts parts) {
  Decimal value, whole;
  findDigits(parts, 0, &value);
  whole.point = 0;
  // A whole number without an exponent is written to its last digit. 99840 as a bf16, which 1e+05
  // rounds to, has a digit less than the rounded number.
  if (value.point > value.count && value.point - value.count <= 5)
    findDigits(parts, value.point, &whole);
  if (!isShorterFixed(&value, whole.point)) {
    *out++ = value.digits[0];
    if (value.count > 1)
      *out++ = '.';
    for (int i = 1; i < value.count; ++i)
      *out++ = value.digits[i];
    return writeExponent(out, value.point - 1);
  }
  if (whole.point) {
    value = whole;
    value.count = whole.point;
  }
  int place = value.point;
  if (place <= 0) {
    *out++ = '0';
    *out++ = '.';
    for (; place < 0; ++place)
      *out++ = '0';
    place = -1;
  }
  for (int i = 0; i != value.count; ++i) {
    if (i == place)
      *out++ = '.';
    *out++ = value.digits[i];
  }
  return out;
}

/// Writes the float with this encoding, and a NUL. out must have 32 bytes. mantissaBits (without
/// the leading one) and exponentBits are those of the format: 10 and 5, 7 and 8, 23 and 8, or 52
/// and 11.
__attribute__((noinline)) void spl_shortest_text(char *out, u64 encoding, int mantissaBits,
                                                 int exponentBits) {
  const u64 field = encoding & ((1ULL << mantissaBits) - 1);
  const int largest = (1 << exponentBits) - 1, bias = largest / 2 + mantissaBits;
  const int exponent = (int)(encoding >> mantissaBits) & largest;
  const int isNan = exponent == largest && field != 0;
  if (!isNan && encoding >> (mantissaBits + exponentBits) & 1)
    *out++ = '-';
  if (exponent == largest || (exponent == 0 && field == 0)) {
    const char *text = isNan ? "nan" : exponent ? "inf" : "0";
    while (*text)
      *out++ = *text++;
  } else {
    Parts parts = {field, 1 - bias, 0};
    if (exponent != 0) {
      parts.mantissa += 1ULL << mantissaBits;
      parts.exponent = exponent - bias;
      parts.isLowerNear = field == 0 && exponent > 1;
    }
    out = writeDigits(out, parts);
  }
  *out = 0;
}
