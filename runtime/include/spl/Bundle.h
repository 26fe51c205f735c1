// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A bundle is a file with the same kernels for several targets. Module::load loads the code that
/// suits the context best. `simple compile --emit bundle` writes bundles. The functions may be
/// called from several threads at once.
#ifndef SPL_BUNDLE_H
#define SPL_BUNDLE_H

#include <spl/Cxx20.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace spl {

/// The code for one target.
struct BundleImage {
  /// The target's name: "sm_90" for GPUs of that capability or, with PTX, a higher one, "sm_90a"
  /// for that capability alone, "cpu:x86-64-v3" for processors of that level and above
  /// (CpuLevels.def).
  std::string target;

  /// For a GPU: PTX, a cubin or a fatbin. GPUs of higher capability accept PTX too. For the CPU:
  /// the shared object that `simple compile` writes.
  std::string bytes;

  /// One signature for each kernel. May be empty for PTX, which contains the signatures.
  std::vector<std::string> signatures;

  bool operator==(const BundleImage &) const = default;
};

/// Returns the bytes of a bundle of \p images. Throws InvalidArgument if there are no images, if a
/// target is unknown or appears twice, or if an image has no bytes.
std::string writeBundle(std::span<const BundleImage> images);

/// Returns the images of a bundle in their order. Throws InvalidImage if \p bytes are not a whole
/// bundle or do not match the bundle's digest.
std::vector<BundleImage> readBundle(std::string_view bytes);

/// Returns whether \p bytes start with the magic number of a bundle.
bool isBundle(std::string_view bytes) noexcept;

} // namespace spl

#endif
