// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Npy.h"
#include "cli/Elements.h"
#include "cli/Failure.h"
#include "cli/OutputFile.h"
#include <algorithm>
#include <bit>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <system_error>
#include <type_traits>

static_assert(std::endian::native == std::endian::little, ".npy bytes are copied as they are");

namespace spl::cli {
namespace {

constexpr std::string_view magic = "\x93"
                                   "NUMPY";

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
  throw Failure(Failed, "cannot read '" + path + "': " + why);
}

std::string descriptor(ScalarType type) {
  if (type == ScalarType::BF16) // NumPy has no bf16
    type = ScalarType::U16;
  return withScalar(type, [](auto zero) -> std::string {
    using T = decltype(zero);
    const char kind = std::is_same_v<T, bool>  ? 'b'
                      : !std::is_integral_v<T> ? 'f'
                      : std::is_signed_v<T>    ? 'i'
                                               : 'u';
    return (sizeof(T) == 1 ? "'|" : "'<") + std::string(1, kind) + std::to_string(sizeof(T)) + "'";
  });
}

// A type in NumPy: a descriptor, and additional axes within each element.
struct NumpyType {
  std::string descriptor;
  std::vector<std::int64_t> axes;
};

NumpyType numpyType(const ElementType &type);

// A tuple in Python, as in "(4, 3, )".
std::string tuple(const std::vector<std::int64_t> &extents) {
  std::string text = "(";
  for (std::int64_t extent : extents)
    text += std::to_string(extent) + ", ";
  return text + ")";
}

// The descriptor of a record in NumPy's form. Padding is a field without a name.
std::string record(const ElementType &type) {
  std::string text = "[";
  std::size_t end = 0;
  auto pad = [&](std::size_t offset) {
    if (offset != end)
      text += "('', '|V" + std::to_string(offset - end) + "'), ";
  };
  for (const auto &[name, field, offset] : type.fields()) {
    pad(offset);
    const NumpyType part = numpyType(field);
    text += "('" + name + "', " + part.descriptor +
            (part.axes.empty() ? "" : ", " + tuple(part.axes)) + "), ";
    end = offset + field.size();
  }
  pad(type.size());
  return text + "]";
}

NumpyType numpyType(const ElementType &type) {
  switch (type.kind()) {
  case ElementType::Kind::Scalar:
  case ElementType::Kind::Enum:
    return {descriptor(type.scalar()), {}};
  case ElementType::Kind::Vector:
    return {descriptor(type.scalar()), {type.length()}};
  case ElementType::Kind::Array: {
    NumpyType inner = numpyType(type.element());
    inner.axes.insert(inner.axes.begin(), type.length());
    return inner;
  }
  case ElementType::Kind::Struct:
    return {record(type), {}};
  case ElementType::Kind::Opaque:
    break;
  }
  return {"'|V" + std::to_string(type.size()) + "'", {}};
}

// Removes spaces, and commas before a closing bracket, which do not change the meaning of a
// descriptor. '=' for the order of the machine becomes '<'.
std::string canonical(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c == ' ' || c == '\n')
      continue;
    if (c == '=' && result.ends_with('\'')) // the order of this machine
      c = '<';
    if ((c == ')' || c == ']') && result.ends_with(','))
      result.pop_back();
    result += c;
  }
  return result;
}

// The descriptor at the start of the text: a string, or a list of fields.
std::string_view descriptorAt(const std::string &path, std::string_view text) {
  int depth = 0;
  bool isQuoted = false;
  for (std::size_t i = 0; i != text.size(); ++i) {
    isQuoted ^= text[i] == '\'';
    if (!isQuoted)
      depth += (text[i] == '[' || text[i] == '(') - (text[i] == ']' || text[i] == ')');
    if (!isQuoted && depth <= 0)
      return text.substr(0, i + 1);
  }
  refuse(path, std::string("its header's 'descr' has a ") + (isQuoted ? "string" : "bracket") +
                   " that does not end");
}

// If the shape ends with the axes, removes them and returns true.
bool takeAxes(std::vector<std::int64_t> &shape, const std::vector<std::int64_t> &axes) {
  if (shape.size() < axes.size() || !std::equal(axes.rbegin(), axes.rend(), shape.rbegin()))
    return false;
  shape.resize(shape.size() - axes.size());
  return true;
}

ElementType elementOf(const std::string &path, std::string_view text, const ElementType &expected,
                      std::vector<std::int64_t> &shape) {
  const NumpyType numpy = numpyType(expected);
  if (canonical(text) == canonical(numpy.descriptor) && takeAxes(shape, numpy.axes))
    return expected;
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, ...)                                                     \
  if (ScalarType::NAME != ScalarType::BF16 && canonical(text) == descriptor(ScalarType::NAME))     \
    return ScalarType::NAME;
#include "spl/ScalarTypes.def"
  if (text.starts_with("'>"))
    refuse(path, "its elements are big-endian (" + std::string(text) +
                     "); save it little-endian, as array.astype('<" + std::string(text.substr(2)) +
                     ")");
  const std::string held = "its elements are " + std::string(text) + ", ";
  if (!expected.isScalar())
    refuse(path, held + "and " + expected.str() + " is " + canonical(numpy.descriptor));
  refuse(path, held + (text.starts_with("'") ? "which is no scalar type of the language"
                                             : "and the parameter's are " + expected.str()));
}

// The text after 'key': in the header's Python dictionary.
std::string_view field(const std::string &path, std::string_view header, std::string_view key) {
  const std::string quoted = "'" + std::string(key) + "':";
  const std::size_t at = header.find(quoted);
  if (at == std::string_view::npos)
    refuse(path, "its header has no '" + std::string(key) + "'");
  if (header.find(quoted, at + 1) != std::string_view::npos)
    refuse(path, "its header has two '" + std::string(key) + "'");
  std::string_view rest = header.substr(at + key.size() + 3);
  while (rest.starts_with(' '))
    rest.remove_prefix(1);
  return rest;
}

// Parses a shape in Python's syntax: (2, 3) and (6,) are tuples, (6) is a number.
std::vector<std::int64_t> shapeOf(const std::string &path, std::string_view text) {
  const auto skip = [&text](char c) {
    const bool found = text.starts_with(c);
    text.remove_prefix(found ? 1 : 0);
    return found;
  };
  const auto skipSpaces = [&] {
    while (skip(' '))
      ;
  };
  if (!skip('('))
    refuse(path, "its shape is not a tuple");
  std::vector<std::int64_t> shape;
  bool hasComma = true;
  for (skipSpaces(); !skip(')'); skipSpaces()) {
    std::int64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc() || extent < 0 || !hasComma)
      refuse(path, "its shape is malformed");
    shape.push_back(extent);
    text.remove_prefix(end - text.data());
    skipSpaces();
    hasComma = skip(',');
  }
  if (shape.size() == 1 && !hasComma) {
    const std::string number = std::to_string(shape.front());
    refuse(path, "its shape (" + number + ") is a number, not a tuple; of one axis it is (" +
                     number + ",)");
  }
  return shape;
}

// The size of an array in bytes. Throws Failure if the size exceeds the address space.
std::size_t bytesOf(const std::string &path, const HostArray &array) {
  std::size_t bytes = array.element.size();
  bool empty = false;
  for (std::int64_t extent : array.shape) {
    empty |= extent == 0;
    if (extent != 0 && __builtin_mul_overflow(bytes, static_cast<std::size_t>(extent), &bytes))
      refuse(path, "its shape is too large");
  }
  return empty ? 0 : bytes;
}

std::string readHeader(const std::string &path, std::istream &file) {
  char start[8];
  if (!file.read(start, sizeof start) || std::string_view(start, magic.size()) != magic)
    refuse(path, "it is not a .npy file");
  const int major = static_cast<unsigned char>(start[6]);
  if (major < 1 || major > 3)
    refuse(path, "it has .npy version " + std::to_string(major) + "; 1 to 3 are known");
  unsigned char length[4] = {};
  if (!file.read(reinterpret_cast<char *>(length), major == 1 ? 2 : 4))
    refuse(path, "it ends inside its header");
  const std::uint32_t size =
      length[0] | length[1] << 8 | length[2] << 16 | static_cast<std::uint32_t>(length[3]) << 24;
  if (size > 1 << 20)
    refuse(path, "its header takes " + std::to_string(size) + " bytes; the maximum is 1 MiB");
  std::string header(size, '\0');
  if (!file.read(header.data(), size))
    refuse(path, "it ends inside its header");
  return header;
}

} // namespace

HostArray readNpy(const std::string &path, const ElementType &expected) {
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (std::filesystem::is_directory(status))
    refuse(path, "it is a folder");
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status))
    refuse(path, "it is not a regular file");
  std::ifstream file(path, std::ios::binary);
  if (!file)
    refuse(path, std::strerror(errno));
  const std::string header = readHeader(path, file);

  HostArray array;
  const std::string_view order = field(path, header, "fortran_order");
  if (!order.starts_with("True") && !order.starts_with("False"))
    refuse(path, "its 'fortran_order' is neither True nor False");
  if (order.starts_with("True"))
    refuse(path, "it is in Fortran order; save it in C order, as numpy.ascontiguousarray(array)");
  array.shape = shapeOf(path, field(path, header, "shape"));
  array.element =
      elementOf(path, descriptorAt(path, field(path, header, "descr")), expected, array.shape);

  const std::size_t bytes = bytesOf(path, array);
  const auto dataStart = file.tellg();
  file.seekg(0, std::ios::end);
  const auto present = static_cast<std::uint64_t>(file.tellg() - dataStart);
  if (present != bytes)
    refuse(path, "its shape needs " + std::to_string(bytes) + " bytes and the file holds " +
                     std::to_string(present));
  file.seekg(dataStart);
  array.allocate(bytes);
  if (!file.read(reinterpret_cast<char *>(array.bytes.data()), static_cast<std::streamsize>(bytes)))
    refuse(path, "reading its elements failed");
  for (std::int64_t i = 0; i != array.size() && array.element.size() != 0; ++i)
    forEachNumber(array.element, 0, [&](const ElementType &number, std::size_t offset) {
      if (number == ScalarType::Bool) // a bool of the language must be 0 or 1
        array.at(i)[offset] = std::byte(array.at(i)[offset] != std::byte(0));
    });
  return array;
}

void writeNpy(const std::string &path, const HostArray &array) {
  const NumpyType numpy = numpyType(array.element);
  std::vector<std::int64_t> shape = array.shape;
  shape.insert(shape.end(), numpy.axes.begin(), numpy.axes.end());
  std::string header = "{'descr': " + numpy.descriptor +
                       ", 'fortran_order': False, 'shape': " + tuple(shape) + ", }";
  // The elements must start at a multiple of 64 bytes, and the header must end with a newline. The
  // length of the header has two bytes in version 1 and four in version 2.
  const bool isLong = header.size() > 0xff00;
  const std::size_t prefix = magic.size() + (isLong ? 6 : 4);
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';

  const char version[] = {static_cast<char>(isLong ? 2 : 1), 0};
  char length[4];
  for (int i = 0; i != 4; ++i)
    length[i] = static_cast<char>(header.size() >> 8 * i & 0xff);
  writeFile(path, {magic,
                   {version, sizeof version},
                   {length, isLong ? 4u : 2u},
                   header,
                   {reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size()}});
}

} // namespace spl::cli
