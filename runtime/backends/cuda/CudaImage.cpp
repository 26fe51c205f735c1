// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/CudaImage.h"

#include "runtime/backends/cuda/PtxEntries.h"
#include "runtime/backends/cuda/PtxParts.h"
#include "runtime/launch/BundleError.h"
#include "spl/Error.h"
#include "spl/abi/Names.h"
#include "spl/fault_record.h"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <optional>
#include <set>

namespace spl::detail {

[[noreturn]] static void refuse(std::string message, std::string hint = "") {
  throw Error(
      {.code = ErrorCode::InvalidImage, .message = std::move(message), .hint = std::move(hint)});
}

/// Whether [offset, offset + size) lies within \p bytes.
static bool within(std::string_view bytes, std::uint64_t offset, std::uint64_t size) {
  return offset <= bytes.size() && size <= bytes.size() - offset;
}

/// Reads the T at \p offset, which must be within \p bytes. Copies it, because it may be unaligned.
template <typename T> static T read(std::string_view bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

/// A cubin is an ELF file. It is complete if every section is inside the file.
static bool isWholeCubin(std::string_view bytes) {
  if (bytes.size() < sizeof(Elf64_Ehdr))
    return false;
  auto header = read<Elf64_Ehdr>(bytes, 0);
  if (header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_ident[EI_DATA] != ELFDATA2LSB ||
      header.e_shentsize != sizeof(Elf64_Shdr) || header.e_shnum == 0 ||
      !within(bytes, header.e_shoff, std::uint64_t{header.e_shnum} * sizeof(Elf64_Shdr)) ||
      !within(bytes, header.e_phoff, std::uint64_t{header.e_phnum} * header.e_phentsize))
    return false;
  for (unsigned i = 0; i < header.e_shnum; ++i) {
    auto section = read<Elf64_Shdr>(bytes, header.e_shoff + i * sizeof(Elf64_Shdr));
    if (section.sh_type != SHT_NOBITS && !within(bytes, section.sh_offset, section.sh_size))
      return false;
  }
  return true;
}

static constexpr std::uint32_t fatbinMagic = 0xba55ed50;

/// A fatbin begins with its magic number, its version, the size of its header and the size of the
/// rest.
static bool isWholeFatbin(std::string_view bytes) {
  if (bytes.size() < 16)
    return false;
  auto headerSize = read<std::uint16_t>(bytes, 6);
  return headerSize >= 16 && within(bytes, headerSize, read<std::uint64_t>(bytes, 8));
}

/// Reads the signatures in the "// spl.kernel" lines of PTX.
static std::vector<Signature> kernelsInPtx(std::string_view text) {
  std::vector<Signature> kernels;
  while (!text.empty()) {
    std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r'))
      line.remove_suffix(1);
    if (line.starts_with(abi::signatureLine))
      kernels.push_back(Signature::parse(line.substr(abi::signatureLine.size())));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return kernels;
}

/// The part of a signature that every image of a kernel has.
static std::string sharedPart(const Signature &kernel) {
  return kernel.withoutContract().withoutFaultRecord().str();
}

/// Returns the signatures \p own that the PTX contains, or \p given if it contains none. Throws if
/// both exist and differ, except that those given may lack the launch contract and the fault
/// record.
static std::vector<Signature> agreed(std::vector<Signature> own, std::vector<Signature> given) {
  if (own.empty())
    return given;
  for (Signature &kernel : given) {
    auto same = std::find_if(own.begin(), own.end(),
                             [&](const Signature &each) { return each.name() == kernel.name(); });
    if (same == own.end())
      continue;
    const std::string ours = sharedPart(*same), theirs = sharedPart(kernel);
    if (ours != theirs)
      refuse("the signature that is given for kernel '" + kernel.name() + "', " + theirs +
                 ", is not the PTX's own, " + ours,
             "give none: PTX carries them");
    kernel = *same;
  }
  return given.empty() ? own : given;
}

static void requireDistinct(const std::vector<Signature> &kernels) {
  std::set<std::string> names;
  for (const Signature &kernel : kernels)
    if (!names.insert(kernel.name()).second)
      refuse("the image's signatures name kernel '" + kernel.name() + "' twice");
}

/// Without #[faults] no kernel gets a fault record. Where the image has checks, one would write to
/// a record that is not there. A kernel with grid barriers takes one too.
static void requireFaultRecords(std::string_view image, const std::vector<Signature> &kernels) {
  if (image.find(SPL_FAULT_TABLE_NAME) != image.npos &&
      std::none_of(kernels.begin(), kernels.end(),
                   [](const Signature &kernel) { return kernel.takesFaultRecord(); }))
    refuse("the image has a table of checks, but no signature has #[faults]",
           "pass the signatures as the compiler made them");
  for (const Signature &kernel : kernels)
    if (kernel.isCooperative() && !kernel.takesFaultRecord())
      refuse("the signature of kernel '" + kernel.name() + "' has #[cooperative] without #[faults]",
             "pass the signatures as the compiler made them");
}

CompiledCode readImage(const DeviceCode &code) {
  std::string_view bytes = code.bytes;
  bool isCubin = bytes.starts_with(ELFMAG);
  bool isFatbin = bytes.size() >= 4 && read<std::uint32_t>(bytes, 0) == fatbinMagic;
  if ((isCubin && !isWholeCubin(bytes)) || (isFatbin && !isWholeFatbin(bytes)))
    refuse(std::string("the ") + (isCubin ? "cubin" : "fatbin") + " is damaged or cut short");
  if (!isCubin && !isFatbin &&
      (bytes.find('\0') != bytes.npos || bytes.find(".version") == bytes.npos))
    refuse("the image is neither PTX nor a cubin nor a fatbin");

  std::vector<Signature> kernels;
  for (const std::string &text : code.signatures)
    kernels.push_back(Signature::parse(text));
  const bool isPtx = !isCubin && !isFatbin;
  std::vector<Signature> own;
  if (isPtx) {
    own = kernelsInPtx(bytes);
    kernels = agreed(own, std::move(kernels));
  }
  if (kernels.empty())
    refuse("the image does not say which kernels it has",
           isCubin || isFatbin ? "pass the kernels' signatures with a binary"
                               : "PTX needs a line '// spl.kernel NAME(...)' for each kernel");
  requireDistinct(kernels);
  if (isPtx)
    requireEntries(bytes, kernels);
  requireFaultRecords(bytes, own.empty() ? kernels : own); // those given may be a part
  if (isPtx)
    return splitPtx(code.bytes, std::move(kernels));
  return {.bytes = code.bytes, .kernels = std::move(kernels)};
}

/// The target of an image.
struct Architecture {
  int capability = 0;   ///< 90 for sm_90 and sm_90a
  bool isExact = false; ///< as for sm_90a, which no other capability can run
};

/// Returns nothing if \p text is no architecture.
static std::optional<Architecture> parseArchitecture(std::string_view text) {
  if (!text.starts_with("sm_"))
    return std::nullopt;
  text.remove_prefix(3);
  Architecture result{.isExact = text.ends_with('a')};
  text.remove_suffix(result.isExact);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result.capability);
  if (error != std::errc() || end != text.data() + text.size() || result.capability < 10)
    return std::nullopt;
  return result;
}

bool isArchitecture(std::string_view text) { return parseArchitecture(text).has_value(); }

/// Whether \p image is PTX, from which the driver can generate code for newer devices.
static bool isPtx(const BundleImage &image) {
  return !image.bytes.starts_with(ELFMAG) && image.bytes.find(".version") != std::string::npos;
}

DeviceCode chooseForGpu(std::vector<BundleImage> images, int capability,
                        const std::string &device) {
  BundleImage *best = nullptr;
  Architecture bestTarget;
  for (BundleImage &image : images) {
    const std::optional<Architecture> target = parseArchitecture(image.target);
    if (!target || target->capability > capability)
      continue;
    // A binary also runs on later devices of the same major capability. An exact image runs on its
    // own capability alone.
    if (target->isExact ? target->capability != capability
                        : !isPtx(image) && target->capability / 10 != capability / 10)
      continue;
    if (!best || std::pair(target->capability, target->isExact) >
                     std::pair(bestTarget.capability, bestTarget.isExact)) {
      best = &image;
      bestTarget = *target;
    }
  }
  if (!best)
    refuseBundle(images, device, "compile it for sm_" + std::to_string(capability) + " too");
  return {std::move(best->bytes), std::move(best->signatures)};
}

} // namespace spl::detail
