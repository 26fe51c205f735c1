// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/launch/FaultTable.h"

#include "runtime/launch/PrintFormat.h"

#include <algorithm>
#include <cstring>
#include <optional>

namespace spl::detail {

namespace {

/// Reads a table from left to right.
class TableReader {
public:
  explicit TableReader(std::string_view bytes) : rest(bytes) {}

  std::uint32_t word() {
    std::uint32_t value = 0;
    const std::string_view bytes = take(sizeof value);
    for (std::size_t i = sizeof value; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
  }
  /// A number in ULEB128.
  std::uint32_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 35; shift += 7) {
      const auto byte = static_cast<unsigned char>(take(1)[0]);
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if (!(byte & 0x80) && value <= UINT32_MAX)
        return static_cast<std::uint32_t>(value);
    }
    fail();
  }
  /// A number of things that take at least a byte each.
  std::uint32_t count() {
    const std::uint32_t value = number();
    if (value > rest.size())
      fail();
    return value;
  }
  std::string_view take(std::size_t size) {
    if (size > rest.size())
      fail();
    const std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }
  [[noreturn]] static void fail() {
    throw Error({.code = ErrorCode::InvalidImage,
                 .message = "the image's table of checks is damaged",
                 .hint = "compile it again"});
  }

private:
  std::string_view rest;
};

} // namespace

static std::string otherVersion(std::uint32_t version) {
  return "of version " + std::to_string(version) + "; this runtime reads version " +
         std::to_string(SPL_FAULT_VERSION);
}

/// Whether the text has a NUL other than the number of digits of a value (cpu_abi.h,
/// spl_cpu_print).
static bool hasNul(std::string_view text) {
  for (std::size_t at = 0; at < text.size(); ++at)
    if (text[at] == '\0')
      return true;
    else if (text[at] == '\1' && text.substr(at + 1, 1) != std::string_view("\0", 1))
      at += 2;
  return false;
}

/// Whether the place is unknown, or a line and a column.
static bool isPlace(const spl_fault_site &site) {
  return site.line <= INT32_MAX && site.column <= INT32_MAX &&
         (site.line == 0) == (site.column == 0);
}

FaultTable::FaultTable(std::string_view bytes) {
  TableReader reader(bytes);
  if (reader.word() != SPL_FAULT_TABLE_MAGIC)
    TableReader::fail();
  if (const std::uint32_t version = reader.word(); version != SPL_FAULT_VERSION)
    throw Error({.code = ErrorCode::InvalidImage,
                 .message = "the image's table of checks is " + otherVersion(version),
                 .hint = "compile it again"});
  sites.resize(reader.count());
  for (spl_fault_site &site : sites) {
#define SPL_FAULT_SITE_FIELD(NAME) site.NAME = reader.number();
#include "spl/FaultSite.def"
  }
  std::vector<std::uint32_t> sizes(reader.count());
  for (std::uint32_t &size : sizes)
    size = reader.number();
  for (std::uint32_t size : sizes)
    texts.emplace_back(reader.take(size));
  if (std::any_of(texts.begin(), texts.end(), hasNul))
    TableReader::fail();
  for (const spl_fault_site &site : sites)
    if (site.file >= texts.size() || site.subject >= texts.size() || !isPlace(site) ||
        (texts[site.file] + texts[site.subject]).find('\0') != std::string::npos)
      TableReader::fail();
}

static std::optional<FaultKind> kindOf(std::uint32_t number) {
  switch (number) {
#define SPL_FAULT_KIND(NAME, NUMBER, TEXT, SENTENCE)                                               \
  case NUMBER:                                                                                     \
    return FaultKind::NAME;
#include "spl/FaultKinds.def"
  default:
    return std::nullopt;
  }
}

std::variant<Fault, std::string> FaultTable::read(const spl_fault_record &record,
                                                  const Geometry &geometry) const {
  const std::array<std::int64_t, 3> &localSize = geometry.localSize;
  constexpr std::uint32_t versions = 0xfff; // of the bits of a seal
  const std::uint32_t seal = record.seal[0];
  if (seal != SPL_FAULT_SEAL && (seal | versions) == (SPL_FAULT_SEAL | versions))
    return "the fault record is " + otherVersion(seal & versions);
  const bool isInside = std::equal(
      localSize.begin(), localSize.end(), std::begin(record.localId),
      [](std::int64_t size, std::uint32_t id) { return static_cast<std::int64_t>(id) < size; });
  if (seal != SPL_FAULT_SEAL || record.claimed[0] != 1 || record.site[0] >= sites.size() ||
      record.message[0] > texts.size() || !isInside)
    return "the fault record is damaged";
  const spl_fault_site &site = sites[record.site[0]];
  const std::optional<FaultKind> kind = kindOf(site.kind);
  if (!kind)
    return "the failed check is of kind " + std::to_string(site.kind) +
           ", which this runtime does not know";

  Fault fault;
  fault.kind = *kind;
  fault.isValueUnsigned = site.isValueUnsigned != 0;
  fault.file = texts[site.file];
  fault.line = static_cast<std::int32_t>(site.line);
  fault.column = static_cast<std::int32_t>(site.column);
  fault.subject = texts[site.subject];
  if (record.message[0] != 0)
    fault.subject = printedMessage(texts[record.message[0] - 1], record.values);
  fault.value = record.value[0];
  fault.bound = record.bound[0];
  for (std::size_t axis = 0; axis < 3; ++axis) {
    fault.group[axis] = record.groupId[axis];
    fault.workItem[axis] = record.groupId[axis] * localSize[axis] + record.localId[axis];
  }
  fault.requested = geometry.workItems;
  fault.localSize = localSize;
  return fault;
}

Error FaultTable::errorOf(const spl_fault_record &record, const Geometry &geometry,
                          const std::string &kernel, const std::string &device) const {
  const std::string context = kernel + " on " + device;
  const std::variant<Fault, std::string> result = read(record, geometry);
  if (const auto *problem = std::get_if<std::string>(&result))
    return Error({.code = ErrorCode::KernelFault,
                  .message = "a check failed, but " + *problem,
                  .context = context,
                  .hint = "run the kernel on the CPU to see where"});
  const Fault &fault = std::get<Fault>(result);
  return Error({.code = ErrorCode::KernelFault,
                .message = fault.sentence(),
                .context = context,
                .fault = fault});
}

} // namespace spl::detail
