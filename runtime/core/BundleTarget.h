// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The targets of a bundle's images, and which of them suits a device.
#ifndef SPL_RUNTIME_CORE_BUNDLETARGET_H
#define SPL_RUNTIME_CORE_BUNDLETARGET_H

#include "spl/Bundle.h"

#include <optional>
#include <string_view>

namespace spl::detail {

/// What the target of an image says.
struct BundleTarget {
  int capability = 0;   ///< of sm_90 and sm_90a 90; 0 for the CPU
  bool isExact = false; ///< sm_90a: no other capability runs it
  int level = -1;       ///< of the CPU: the index in CpuLevels.def

  bool isCpu() const { return capability == 0; }

  /// Nothing for what is no target.
  static std::optional<BundleTarget> parse(std::string_view text);
};

/// Throws UnsupportedOnTarget: no image of \p images suits \p device, "an NVIDIA H200 (cuda:0)";
/// \p remedy is what to compile besides.
[[noreturn]] void refuseBundle(const std::vector<BundleImage> &images, const std::string &device,
                               const std::string &remedy);

} // namespace spl::detail

#endif
