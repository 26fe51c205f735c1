// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/c/Text.h"

#include "runtime/c/Calls.h"
#include "runtime/system/Names.h"
#include "spl/Signature.h"
#include "spl/c/device.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <limits>
#include <string>

namespace spl::capi {

Backend backendNamed(const char *name) { return chooseBackend(requirePointer(name, "backend")); }

/// Parses "bytes(SIZE, ALIGN)". Returns nothing for any other text.
static std::optional<ElementType> opaqueType(std::string_view text) {
  if (!text.starts_with("bytes(") || !text.ends_with(")"))
    return std::nullopt;
  const char *const end = text.data() + text.size() - 1;
  std::uint32_t size = 0, align = 0;
  const auto first = std::from_chars(text.data() + 6, end, size);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != ',')
    return std::nullopt;
  const char *next = first.ptr + 1;
  while (next != end && *next == ' ')
    ++next;
  const auto second = std::from_chars(next, end, align);
  if (second.ec != std::errc() || second.ptr != end || size == 0 || !std::has_single_bit(align) ||
      size % align != 0)
    return std::nullopt;
  return ElementType::opaque(size, align);
}

ElementType elementNamed(const char *name) {
  const std::string_view text = requirePointer(name, "element");
  if (std::optional<ElementType> plain = plainTypeNamed(text))
    return *plain;
  if (std::optional<ElementType> opaque = opaqueType(text))
    return *opaque;
  // All other types are parsed as a signature: the definitions, then one parameter of the type.
  const std::size_t definitions = text.rfind(')') + 1; // 0 if there are none
  std::string signature(text.substr(0, definitions));
  signature += " k(x: " + std::string(text.substr(definitions)) + ")";
  try {
    const Signature parsed = Signature::parse(signature);
    if (parsed.parameters().size() == 1 && parsed.block().empty()) {
      const Parameter &parameter = parsed.parameters().front();
      if (!parameter.type.isSlice() && !parameter.isAlias && parsed.name() == "k")
        return parameter.type.element;
    }
  } catch (const Error &error) {
    if (error.code() != ErrorCode::InvalidImage)
      throw;
  }
  throw Error({.code = ErrorCode::InvalidArgument,
               .message = "there is no element type " + detail::quoted(text),
               .hint = "give one of the language, such as \"f32\", \"f32x4\", \"[f32; 3]\" or "
                       "\"struct Body(mass: f32) Body\", or \"bytes(SIZE, ALIGN)\""});
}

Shape shapeOf(std::int32_t rank, const std::int64_t *extents) {
  if (rank < 1 || rank > 4)
    refuse("'rank' is " + std::to_string(rank) + ", not 1 to 4");
  return Shape::of({requirePointer(extents, "extents"), static_cast<std::size_t>(rank)});
}

/// Copies \p text and a null byte to \p target. Truncates text that does not fit.
template <std::size_t Size> static void copyText(char (&target)[Size], const std::string &text) {
  const std::size_t length = std::min(text.size(), Size - 1);
  std::memcpy(target, text.data(), length);
  target[length] = 0;
}

void write(const DeviceInfo &device, spl_device_info *info) {
  const DeviceLimits &limits = device.limits;
  *info = {};
  info->backend = toString(device.backend).data();
  info->index = device.index;
  copyText(info->name, device.name);
  copyText(info->uuid, device.uuid);
  info->memory_total = device.memoryTotal;
  info->memory_free = device.memoryFree.value_or(std::numeric_limits<std::uint64_t>::max());
  info->compute_units = device.computeUnits;
  info->capability = device.capability;
  info->driver_version = device.driverVersion;
  info->max_group_size = limits.groupSize;
  std::copy(limits.localSize.begin(), limits.localSize.end(), info->max_local);
  std::copy(limits.numGroups.begin(), limits.numGroups.end(), info->max_groups);
  info->max_shared_bytes = limits.sharedBytes;
  info->unit_size = limits.unitSize;
  copyText(info->problem, device.problem);
}

} // namespace spl::capi
