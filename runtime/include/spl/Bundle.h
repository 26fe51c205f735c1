// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Bundles: the same kernels for several targets in one file. Module::load takes the code that
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
  /// "sm_90" for GPUs of that capability, "sm_90a" for that capability alone, "cpu:x86-64-v3" for
  /// processors of that level and above (CpuLevels.def).
  std::string target;

  /// For GPUs PTX, which GPUs of higher capability accept too, a cubin or a fatbin; for the CPU the
  /// shared object that `simple compile` writes.
  std::string bytes;

  /// One signature for each kernel; may be empty for PTX, which has them itself.
  std::vector<std::string> signatures;

  bool operator==(const BundleImage &) const = default;
};

/// The bytes of a bundle of \p images. Throws InvalidArgument for no images, for a target that is
/// unknown or appears twice, and for an image without bytes.
std::string writeBundle(std::span<const BundleImage> images);

/// The images of a bundle, in their order. Throws InvalidImage unless \p bytes are a whole bundle;
/// a digest covers all of it.
std::vector<BundleImage> readBundle(std::string_view bytes);

/// Whether \p bytes begin like a bundle.
bool isBundle(std::string_view bytes) noexcept;

} // namespace spl

#endif
