// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/Npy.h"
#include "tools/driver/Failure.h"
#include "tools/driver/OutputFile.h"
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

namespace spl::driver {
namespace {

constexpr std::string_view magic = "\x93" "NUMPY";

[[noreturn]] void refuse(const std::string &path, const std::string &why) {
  throw Failure(Failed, "cannot read '" + path + "': " + why);
}

std::string descriptor(ScalarType type) {
  return withScalar(type, [](auto zero) -> std::string {
    using T = decltype(zero);
    const char kind = std::is_same_v<T, bool>           ? 'b'
                      : std::is_floating_point_v<T>     ? 'f'
                      : std::is_signed_v<T>             ? 'i'
                                                        : 'u';
    return (sizeof(T) == 1 ? "|" : "<") + std::string(1, kind) + std::to_string(sizeof(T));
  });
}

ScalarType elementOf(const std::string &path, std::string_view text) {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE)                                                          \
  if (text == descriptor(ScalarType::NAME))                                                        \
    return ScalarType::NAME;
#include "spl/ScalarTypes.def"
  if (text.starts_with(">"))
    refuse(path, "its elements are big-endian ('" + std::string(text) +
                     "'); save it little-endian, as array.astype('<" +
                     std::string(text.substr(1)) + "')");
  refuse(path, "its elements are '" + std::string(text) +
                   "', which is no scalar type of the language");
}

// The text after 'key': in the header's Python dictionary.
std::string_view field(const std::string &path, std::string_view header, std::string_view key) {
  const std::size_t at = header.find("'" + std::string(key) + "':");
  if (at == std::string_view::npos)
    refuse(path, "its header has no '" + std::string(key) + "'");
  std::string_view rest = header.substr(at + key.size() + 3);
  while (rest.starts_with(' '))
    rest.remove_prefix(1);
  return rest;
}

std::vector<std::int64_t> shapeOf(const std::string &path, std::string_view text) {
  std::vector<std::int64_t> shape;
  if (!text.starts_with('('))
    refuse(path, "its shape is not a tuple");
  text.remove_prefix(1);
  for (;;) {
    while (text.starts_with(' ') || text.starts_with(','))
      text.remove_prefix(1);
    if (text.starts_with(')'))
      return shape;
    std::int64_t extent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), extent);
    if (error != std::errc() || extent < 0)
      refuse(path, "its shape is malformed");
    shape.push_back(extent);
    text.remove_prefix(end - text.data());
  }
}

// Bytes of an array of that shape; refused where they do not fit the address space.
std::size_t bytesOf(const std::string &path, const HostArray &array) {
  std::size_t bytes = sizeOf(array.element);
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
  const std::uint32_t size = length[0] | length[1] << 8 | length[2] << 16 |
                             static_cast<std::uint32_t>(length[3]) << 24;
  if (size > 1 << 20)
    refuse(path, "its header is damaged");
  std::string header(size, '\0');
  if (!file.read(header.data(), size))
    refuse(path, "it ends inside its header");
  return header;
}

} // namespace

HostArray readNpy(const std::string &path) {
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
  const std::string_view type = field(path, header, "descr");
  if (!type.starts_with('\''))
    refuse(path, "its elements are records");
  array.element = elementOf(path, type.substr(1, type.find('\'', 1) - 1));
  if (!field(path, header, "fortran_order").starts_with("False"))
    refuse(path, "it is in Fortran order; save it in C order, as numpy.ascontiguousarray(array)");
  array.shape = shapeOf(path, field(path, header, "shape"));

  const std::size_t bytes = bytesOf(path, array);
  const auto dataStart = file.tellg();
  file.seekg(0, std::ios::end);
  const auto present = static_cast<std::uint64_t>(file.tellg() - dataStart);
  if (present != bytes)
    refuse(path, "its shape needs " + std::to_string(bytes) + " bytes and the file holds " +
                     std::to_string(present));
  file.seekg(dataStart);
  array.bytes.resize(bytes);
  if (!file.read(reinterpret_cast<char *>(array.bytes.data()), static_cast<std::streamsize>(bytes)))
    refuse(path, "reading its elements failed");
  if (array.element == ScalarType::Bool)
    for (std::byte &value : array.bytes)
      value = std::byte(value != std::byte(0)); // the language's bool is 0 or 1
  return array;
}

void writeNpy(const std::string &path, const HostArray &array) {
  std::string shape = "(";
  for (std::int64_t extent : array.shape)
    shape += std::to_string(extent) + ",";
  shape += ")";
  std::string header = "{'descr': '" + descriptor(array.element) +
                       "', 'fortran_order': False, 'shape': " + shape + ", }";
  // The elements start at a multiple of 64 bytes; the header ends with a newline.
  const std::size_t prefix = magic.size() + 4;
  header.append(63 - (prefix + header.size()) % 64, ' ');
  header += '\n';

  const char length[] = {static_cast<char>(header.size() & 0xff),
                         static_cast<char>(header.size() >> 8)};
  constexpr char version[] = {1, 0};
  writeFile(path, {magic,
                   {version, sizeof version},
                   {length, sizeof length},
                   header,
                   {reinterpret_cast<const char *>(array.bytes.data()), array.bytes.size()}});
}

} // namespace spl::driver
