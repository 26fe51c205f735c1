// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Values.h"
#include "cli/Elements.h"
#include "cli/Failure.h"
#include "cli/Npy.h"
#include "cli/Numbers.h"
#include "cli/Random.h"
#include "cli/Reporting.h"
#include "llvm/ADT/StringRef.h"
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstring>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>

namespace spl::cli {
namespace {

[[noreturn]] void wrong(const std::string &message) { throw Failure(WrongUsage, message); }

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0;;) {
    const std::size_t at = text.find(separator, start);
    parts.push_back(text.substr(start, at == text.npos ? at : at - start));
    if (at == text.npos)
      return parts;
    start = at + 1;
  }
}

template <class Int> Int wholeNumber(std::string_view text, const std::string &what) {
  Int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size() || value < 0)
    wrong("'" + std::string(text) + "' is not a " + what);
  return value;
}

std::vector<std::string_view> numbersOf(std::string_view text) {
  std::vector<std::string_view> numbers = split(text, ',');
  for (std::string_view &number : numbers)
    number = trimmed(number);
  return numbers;
}

// Reports brackets around the numbers of a value, or of a list of values.
void requireNoBrackets(std::string_view text, const ElementType &type) {
  const std::size_t at = text.find_first_of("[({");
  if (at == text.npos)
    return;
  const std::size_t count = type.isScalar() ? 3 : std::min<std::size_t>(numbersIn(type), 4);
  std::string example = "1";
  for (std::size_t i = 2; i <= count; ++i)
    example += "," + std::to_string(i);
  wrong("'" + std::string(text) + "' has a '" + text[at] + "'; write the numbers alone, as in '" +
        example + "'");
}

// A count as text, as in "3 numbers".
std::string counted(std::size_t count) {
  return std::to_string(count) + (count == 1 ? " number" : " numbers");
}

[[noreturn]] void wrongCount(std::string_view text, std::size_t count, const ElementType &type) {
  wrong("'" + std::string(text) + "' has " + counted(count) + "; " + type.str() + " is made of " +
        std::to_string(numbersIn(type)));
}

Value valueOf(const std::string &text, const ElementType &type) {
  Value value(type, std::vector<std::byte>(type.size()));
  if (type.isScalar()) {
    parseNumber(text, type.scalar(), value.bytes.data());
    return value;
  }
  requireNoBrackets(text, type);
  const std::vector<std::string_view> numbers = numbersOf(text);
  if (numbers.size() != numbersIn(type))
    wrongCount(text, numbers.size(), type);
  parseElement(numbers, type, value.bytes.data());
  return value;
}

// Reports text that other tools accept as a list, with the correct form as the hint.
void requireList(std::string_view text, std::span<const std::string_view> numbers,
                 const ElementType &element) {
  if (trimmed(text).empty())
    wrong("the value is empty; a slice without elements is '" + element.str() + "[0]'");
  requireNoBrackets(text, element);
  if (text == "iota" || text.starts_with("random:"))
    wrong("'" + std::string(text) + "' fills a shape, as in '" + element.str() +
          "[8]=" + std::string(text) + "'");
  if (plainTypeNamed(text))
    wrong("'" + std::string(text) + "' is a type without a length; write '" + element.str() +
          "[1]' for one element");
  if (text.ends_with(".npy"))
    wrong("'" + std::string(text) + "' is not a list; a file is '@" + std::string(text) + "'");
  for (std::string_view number : numbers)
    if (number.find(' ') != number.npos)
      wrong("'" + std::string(number) + "' has spaces; the numbers of a list are between commas");
}

// Reads all elements from the numbers, which are those of each in its turn.
void parseElements(std::span<const std::string_view> numbers, HostArray &array) {
  const std::size_t each = numbersIn(array.element);
  for (std::int64_t i = 0; i != array.size(); ++i)
    parseElement(numbers.subspan(static_cast<std::size_t>(i) * each, each), array.element,
                 array.at(i));
}

HostArray listOf(std::string_view text, const ElementType &element) {
  const std::vector<std::string_view> numbers = numbersOf(text);
  requireList(text, numbers, element);
  const std::size_t each = numbersIn(element);
  if (each == 0 || numbers.size() % each != 0)
    wrongCount(text, numbers.size(), element);
  HostArray array{element, {static_cast<std::int64_t>(numbers.size() / each)}, {}};
  array.allocate(static_cast<std::size_t>(array.size()) * element.size());
  parseElements(numbers, array);
  return array;
}

// Sets every number of the array to value(zero of its type, index), in order.
template <class F> void generate(HostArray &array, F &&value) {
  std::int64_t count = 0;
  for (std::int64_t i = 0; i != array.size(); ++i)
    forEachNumber(array.element, 0, [&](const ElementType &number, std::size_t offset) {
      withScalar(number.scalar(), [&](auto zero) {
        const decltype(zero) made = value(zero, count++);
        std::memcpy(array.at(i) + offset, &made, sizeof made);
      });
    });
}

// Throws Failure if fits(type) is false for a number of the elements.
template <class F>
void requireNumbers(const HostArray &array, const std::string &why, const F &fits) {
  forEachNumber(array.element, 0, [&](const ElementType &number, std::size_t) {
    if (!fits(number))
      wrong(why + number.str());
  });
}

void fillIota(HostArray &array) {
  requireNumbers(array, "iota counts; it cannot fill an array of ", [](const ElementType &number) {
    return number.isScalar() && number.scalar() != ScalarType::Bool;
  });
  generate(array, [](auto zero, std::int64_t i) {
    using T = decltype(zero);
    if constexpr (std::is_arithmetic_v<T>)
      return static_cast<T>(i);
    else
      return T(static_cast<double>(i));
  });
}

// Fills with random numbers. The text is SEED or SEED:LOW..HIGH.
void fillRandom(HostArray &array, std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view seed = trimmed(text.substr(0, colon));
  if (seed.empty())
    wrong("'random:" + std::string(text) + "' lacks its seed; write 'random:7', for example");
  std::mt19937_64 generator(
      wholeNumber<std::uint64_t>(seed, "seed, which is a whole number from 0"));
  const std::string_view range = colon == text.npos ? "" : trimmed(text.substr(colon + 1));
  if (colon != text.npos && range.empty())
    wrong("'random:" + std::string(text) + "' ends in ':'; a range is LOW..HIGH");
  struct Part {
    std::size_t offset;
    RandomNumber number;
  };
  std::vector<Part> parts; // of an element
  forEachNumber(array.element, 0, [&](const ElementType &type, std::size_t offset) {
    parts.push_back({offset, RandomNumber(type, range)});
  });
  for (std::int64_t i = 0; i != array.size(); ++i)
    for (const auto &[offset, number] : parts)
      number.make(generator, array.at(i) + offset);
}

// Whether the text is a word, such as "ones", and not a value that is a word, such as "inf", "nan"
// or "true".
bool isWord(std::string_view text) {
  if (text.empty() || !std::isalpha(static_cast<unsigned char>(text.front())))
    return false;
  const llvm::StringRef word = text;
  return !word.starts_with_insensitive("inf") && !word.starts_with_insensitive("nan") &&
         !word.starts_with("true") && !word.starts_with("false");
}

// Fills all numbers with one number, all elements with the numbers of one element, or each number
// with its own.
void fillWith(HostArray &array, std::string_view fill) {
  fill = trimmed(fill);
  if (fill == "iota")
    return fillIota(array);
  if (fill.starts_with("random:"))
    return fillRandom(array, fill.substr(7));
  if (array.element.isScalar() && isWord(fill)) // other elements may contain names of enum members
    wrong("'" + std::string(fill) + "' is not a fill; a fill is a value, iota or random:SEED");
  requireNoBrackets(fill, array.element);
  std::vector<std::string_view> numbers = numbersOf(fill);
  const std::size_t each = numbersIn(array.element);
  const std::size_t all = each * static_cast<std::size_t>(array.size());
  if (numbers.size() == all && all != 0)
    return parseElements(numbers, array);
  if (numbers.size() == 1)
    numbers.resize(each, numbers.front());
  if (numbers.size() != each)
    wrong("'" + std::string(fill) + "' has " + counted(numbers.size()) + "; the shape takes " +
          (each == 1 ? "" : std::to_string(each) + " for each element, ") + "1 for all, or " +
          std::to_string(all));
  std::vector<std::byte> one(array.element.size());
  parseElement(numbers, array.element, one.data());
  for (std::int64_t i = 0; i != array.size() && !one.empty(); ++i)
    std::memcpy(array.at(i), one.data(), one.size());
}

// Whether the text is one whole number above 1. For an array it is often meant as the length.
bool isLength(std::string_view text) {
  return text.find_first_not_of("0123456789") == text.npos && text != "0" && text != "1" &&
         !text.empty();
}

// The warning for a list of one number that is often meant as a length. Empty for other lists.
std::string lengthHint(std::string_view text, const HostArray &array) {
  text = trimmed(text);
  if (!isLength(text))
    return "";
  const std::string type = "'" + array.element.str() + "[";
  return "'" + std::string(text) + "' is an array of one element; write " + type +
         std::string(text) + "]' for the length " + std::string(text) + ", or " + type +
         "1]=" + std::string(text) + "' for one element";
}

// The text without the spaces beside punctuation: "Pair[i8,5]" for "Pair[i8, 5]".
std::string withoutSpaces(std::string_view text) {
  const auto isPartOfWord = [&](std::size_t at) {
    return at < text.size() &&
           (std::isalnum(static_cast<unsigned char>(text[at])) || text[at] == '_');
  };
  std::string result;
  for (std::size_t at = 0; at != text.size(); ++at)
    if (text[at] != ' ' || (isPartOfWord(at - 1) && isPartOfWord(at + 1)))
      result += text[at];
  return result;
}

// The position of the bracket after the name of the type at the start of the text. The name may
// have brackets and spaces of its own. std::nullopt if the text does not begin with the name and a
// bracket.
std::optional<std::size_t> bracketAfter(const ElementType &type, std::string_view text) {
  const std::string name = withoutSpaces(type.str());
  for (std::size_t at = text.find('['); at != text.npos; at = text.find('[', at + 1)) {
    const std::string before = withoutSpaces(text.substr(0, at));
    if (before == name)
      return at;
    if (before.size() > name.size())
      break;
  }
  return std::nullopt;
}

// Parses f32[64,64] or f32[64,64]=FILL, with the known type or a type without a definition. Returns
// std::nullopt for text of another form.
std::optional<HostArray> shapeWithFill(std::string_view text, const ElementType *known) {
  const std::optional<std::size_t> behind = known ? bracketAfter(*known, text) : std::nullopt;
  const std::size_t open = behind.value_or(text.find('['));
  if (open == text.npos)
    return std::nullopt;
  if (open == 0)
    wrong("'" + std::string(text) + "' begins with '['; a list is '1,2,3', zeros are '" +
          (known ? known->str() : "f32") + "[3]'");
  const std::optional<ElementType> element = behind ? *known : plainTypeNamed(text.substr(0, open));
  if (!element)
    wrong("'" + std::string(text.substr(0, open)) + "' is not an element type" +
          (known ? "; that of the parameter is '" + known->str() + "'" : ""));
  const std::size_t close = text.find(']', open);
  if (close == text.npos)
    wrong("'" + std::string(text) + "' lacks a closing ']'");
  HostArray array{*element, {}, {}};
  std::size_t bytes = element->size();
  const std::string_view lengths = text.substr(open + 1, close - open - 1);
  if (lengths.find_first_of("x*") != lengths.npos &&
      lengths.find_first_not_of("0123456789x* ") == lengths.npos) {
    std::string commas(lengths);
    std::ranges::replace_if(commas, [](char c) { return c == 'x' || c == '*'; }, ',');
    wrong("'" + std::string(lengths) + "' is not a length; commas separate the lengths of axes: '" +
          element->str() + "[" + commas + "]'");
  }
  for (std::string_view extent : split(lengths, ',')) {
    array.shape.push_back(wholeNumber<std::int64_t>(trimmed(extent), "length"));
    if (__builtin_mul_overflow(bytes, static_cast<std::size_t>(array.shape.back()), &bytes) ||
        bytes > std::size_t(1) << 48)
      wrong("'" + std::string(text) + "' is larger than any memory");
  }
  array.allocate(bytes);
  const std::string_view rest = trimmed(text.substr(close + 1));
  if (rest.starts_with('='))
    fillWith(array, rest.substr(1));
  else if (!rest.empty())
    wrong("expected '=' and a fill after ']', found '" + std::string(rest) + "'");
  return array;
}

// The path in '@file.npy'.
std::string fileIn(const std::string &text) {
  if (text == "@")
    wrong("'@' lacks the name of a file; write '@file.npy'");
  return text.substr(1);
}

// The shape of the array for a hint, such as "f32[4]". If the ranks differ, it has example extents.
std::string shapeText(const Parameter &parameter, const HostArray &array) {
  const bool isAsLong = static_cast<int>(array.shape.size()) == parameter.type.rank;
  std::string text = parameter.type.element.str() + "[";
  for (int axis = 0; axis != parameter.type.rank; ++axis)
    text += (axis == 0 ? "" : ",") + (isAsLong ? std::to_string(array.shape[axis]) : "64");
  return text + "]";
}

// "; convert it with array.astype('float32') of NumPy" for a file with other numbers of the same
// shape. Empty for types that NumPy does not have.
std::string conversion(const HostArray &array, const Parameter &parameter) {
  const ElementType &type = parameter.type.element;
  const bool hasNumbers = array.element.isScalar() && type.isScalar();
  if (!hasNumbers || type.scalar() == ScalarType::BF16 || type.scalar() == ScalarType::Bool)
    return "";
  const std::string name = type.str(); // f32, i32 or u32
  const char *kind = name[0] == 'f' ? "float" : name[0] == 'i' ? "int" : "uint";
  return "; convert it with array.astype('" + (kind + name.substr(1)) + "') of NumPy";
}

// Throws Failure if the array does not have the type of the parameter. For a file the status is
// Failed, for the command line WrongUsage.
void requireFit(const HostArray &array, const Parameter &parameter, const std::string &source) {
  const int rank = static_cast<int>(array.shape.size());
  const bool isFile = source.starts_with('@');
  if (array.element != parameter.type.element || rank != parameter.type.rank)
    throw Failure(isFile ? Failed : WrongUsage,
                  "'" + source + "' holds " + array.element.str() + " of rank " +
                      std::to_string(rank) + "; expected " + parameter.type.element.str() +
                      " of rank " + std::to_string(parameter.type.rank) +
                      (!isFile ? ", as in '" + shapeText(parameter, array) + "'"
                       : array.element != parameter.type.element && rank == parameter.type.rank
                           ? conversion(array, parameter)
                           : ""));
}

} // namespace

ParsedValue parseValue(const std::string &text, const Parameter &parameter) {
  const ElementType &element = parameter.type.element;
  if (!parameter.type.isSlice())
    return valueOf(text, element);
  if (text == "=")
    wrong("'=' lacks the name of the argument whose buffer is meant");
  if (text.starts_with('='))
    return SameAs{text.substr(1)};
  HostArray array;
  if (text.starts_with('@'))
    array = readNpy(fileIn(text), element);
  else if (std::optional<HostArray> filled = shapeWithFill(text, &element))
    array = std::move(*filled);
  else
    array = listOf(text, element);
  requireFit(array, parameter, text);
  return array;
}

// How to write what is often meant by an argument that is refused, after "; ". Empty if nothing is
// known.
static std::string meaningHint(const std::string &text, const Signature &signature,
                               std::size_t index) {
  const Parameter &parameter = signature.parameters()[index];
  if (!parameter.type.isSlice())
    return "";
  if (const std::string_view number = trimmed(text); parameter.type.rank == 1 && isLength(number))
    return "; write '" + parameter.type.element.str() + "[" + std::string(number) +
           "]' for the length " + std::string(number);
  const std::optional<std::size_t> other = signature.indexOf(text);
  if (!other || *other == index || !signature.parameters()[*other].type.isSlice())
    return "";
  return "; write '--arg " + parameter.name + "==" + text + "' for the buffer of '" + text + "'";
}

ParsedValue parseArgument(const std::string &text, const Signature &signature, std::size_t index) {
  const Parameter &parameter = signature.parameters()[index];
  const std::string prefix = "argument " + std::to_string(index + 1) + " (" + parameter.name +
                             ": " + parameter.type.str() + "): ";
  try {
    ParsedValue value = parseValue(text, parameter);
    if (const auto *array = std::get_if<HostArray>(&value))
      warnOfLength(text, *array, prefix);
    return value;
  } catch (const Failure &failure) {
    throw Failure(failure.status, prefix + failure.what() + meaningHint(text, signature, index));
  } catch (const Error &error) {
    throw withPrefix(error, prefix);
  }
}

void warnOfLength(std::string_view text, const HostArray &array, const std::string &prefix) {
  if (const std::string hint = lengthHint(text, array); !hint.empty())
    reportWarning(prefix + hint);
}

HostArray parseBuffer(const std::string &text, const Parameter *use) {
  const ElementType *element = use ? &use->type.element : nullptr;
  if (text.starts_with('@'))
    return readNpy(fileIn(text), element ? *element : ScalarType::F32);
  if (std::optional<HostArray> filled = shapeWithFill(text, element))
    return std::move(*filled);
  if (element && !(element->isScalar() && isWord(text)))
    return listOf(text, *element);
  wrong(
      "'" + text + "' is neither a file (@x.npy) nor a shape with a fill (f32[1024]=1.5)" +
      (element ? " nor a list (1,2,3)" : "; a list needs its type, as no launch uses the buffer"));
}

} // namespace spl::cli
