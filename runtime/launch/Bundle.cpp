// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A bundle is, all numbers little-endian: eight bytes of magic with the version, the XXH3 digest
// (64 bits) of all that follows; the number of images (32 bits), and of each its target, the number
// of its signatures (32 bits) and they, and its bytes. A text is its size (64 bits) and its bytes.
#include "spl/Bundle.h"

#include "runtime/backends/Registry.h"
#include "runtime/launch/BundleError.h"
#include "runtime/system/Checks.h"
#include "runtime/system/Names.h"
#include "spl/Error.h"
#include "spl/abi/BundleMagic.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <cstdint>
#include <set>

namespace spl {

static constexpr std::string_view magic = abi::bundleMagic;

static void putNumber(std::string &out, std::uint64_t value, int bytes) {
  for (int i = 0; i < bytes; ++i)
    out += static_cast<char>(value >> (8 * i));
}

static void putText(std::string &out, std::string_view text) {
  putNumber(out, text.size(), 8);
  out += text;
}

static std::uint64_t digest(std::string_view bytes) {
  return XXH3_64bits(bytes.data(), bytes.size());
}

[[noreturn]] static void refuseDamaged() {
  throw Error({.code = ErrorCode::InvalidImage,
               .message = "the bundle is damaged or cut short",
               .hint = "compile it again"});
}

namespace {

/// Takes numbers and texts off the front of bytes; damaged where they are not there.
class Reader {
public:
  explicit Reader(std::string_view bytes) : rest(bytes) {}

  std::string_view take(std::uint64_t size) {
    if (size > rest.size())
      refuseDamaged();
    std::string_view taken = rest.substr(0, size);
    rest.remove_prefix(size);
    return taken;
  }
  std::uint64_t number(int bytes) {
    const std::string_view taken = take(static_cast<std::uint64_t>(bytes));
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i)
      value |= std::uint64_t{static_cast<unsigned char>(taken[i])} << (8 * i);
    return value;
  }
  std::string text() { return std::string(take(number(8))); }

  std::string_view rest;
};

} // namespace

/// Whether a backend has images for this target.
static bool isTarget(std::string_view text) {
  return std::ranges::any_of(detail::registeredBackends(),
                             [&](const auto &row) { return row.entry->isImageTarget(text); });
}

bool isBundle(std::string_view bytes) noexcept { return bytes.starts_with(magic); }

std::string writeBundle(std::span<const BundleImage> images) {
  if (images.empty())
    detail::refuse("a bundle without images");
  std::string body;
  putNumber(body, images.size(), 4);
  std::set<std::string> targets;
  for (const BundleImage &image : images) {
    if (!isTarget(image.target))
      detail::refuse(detail::quoted(image.target) + " is no target of a bundle",
                     "take an architecture, such as sm_90, or a level of the CPU, such as "
                     "cpu:x86-64-v3");
    if (!targets.insert(image.target).second)
      detail::refuse("a bundle has one image for " + image.target + ", not two");
    if (image.bytes.empty())
      detail::refuse("the image for " + image.target + " is empty");
    putText(body, image.target);
    putNumber(body, image.signatures.size(), 4);
    for (const std::string &signature : image.signatures)
      putText(body, signature);
    putText(body, image.bytes);
  }
  std::string result(magic);
  putNumber(result, digest(body), 8);
  return result + body;
}

std::vector<BundleImage> readBundle(std::string_view bytes) {
  if (!isBundle(bytes))
    throw Error({.code = ErrorCode::InvalidImage,
                 .message = "the image is not a bundle",
                 .hint = "make one with 'simple compile --emit bundle'"});
  Reader reader(bytes.substr(magic.size()));
  if (reader.number(8) != digest(reader.rest))
    refuseDamaged();
  std::vector<BundleImage> images;
  for (std::uint64_t count = reader.number(4); count > 0; --count) {
    BundleImage &image = images.emplace_back();
    image.target = reader.text();
    for (std::uint64_t signatures = reader.number(4); signatures > 0; --signatures)
      image.signatures.push_back(reader.text());
    image.bytes = reader.text();
  }
  if (images.empty() || !reader.rest.empty())
    refuseDamaged();
  return images;
}

namespace detail {

void refuseBundle(const std::vector<BundleImage> &images, const std::string &device,
                  const std::string &hint) {
  std::vector<std::string> targets;
  for (const BundleImage &image : images)
    targets.push_back(printable(image.target));
  throw Error(
      {.code = ErrorCode::UnsupportedOnTarget,
       .message = "the bundle has code for " + joinNames(targets) + ", none of it for " + device,
       .hint = hint});
}

} // namespace detail
} // namespace spl
