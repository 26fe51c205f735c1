// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A bundle: the same kernels for several targets in one file, from which Module::load takes the
/// code that suits a context best. `simple compile --emit bundle` writes them.
/// The functions may be called from several threads at once.
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
  /// "sm_90", code for GPUs of that capability; "sm_90a", for that one alone; "cpu:x86-64-v3", for
  /// processors of that level and above (CpuLevels.def).
  std::string target;

  /// PTX, which GPUs of higher capability take too, or a cubin or a fatbin; of the CPU the shared
  /// object that `simple compile` makes.
  std::string bytes;

  /// One signature for each kernel; may stay empty for PTX, which carries them itself.
  std::vector<std::string> signatures;

  bool operator==(const BundleImage &) const = default;
};

/// The bytes of a bundle of \p images. Throws InvalidArgument for none, for a target that is none
/// of the above or is there twice, and for an image without bytes.
std::string writeBundle(std::span<const BundleImage> images);

/// What \p bytes hold, in their order. Throws InvalidImage unless they are a whole bundle: a digest
/// covers all of it.
std::vector<BundleImage> readBundle(std::string_view bytes);

/// Whether \p bytes begin as a bundle does.
bool isBundle(std::string_view bytes) noexcept;

} // namespace spl

#endif
