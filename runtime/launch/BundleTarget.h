// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The targets of a bundle's images, and the error if none of them suits a device. Each backend
// chooses an image itself (chooseForGpu, chooseForCpu).
#ifndef SPL_RUNTIME_LAUNCH_BUNDLETARGET_H
#define SPL_RUNTIME_LAUNCH_BUNDLETARGET_H

#include "spl/Bundle.h"

#include <optional>
#include <string_view>

namespace spl::detail {

/// The levels of the CPU, the lowest first.
inline constexpr std::string_view cpuLevels[] = {
#define SPL_CPU_LEVEL(NAME) NAME,
#include "spl/CpuLevels.def"
};

/// The target of an image.
struct BundleTarget {
  int capability = 0;   ///< 90 for sm_90 and sm_90a; 0 for the CPU
  bool isExact = false; ///< sm_90a: no other capability runs it
  int level = -1;       ///< for the CPU: the index in cpuLevels

  bool isCpu() const { return capability == 0; }

  /// Nothing if \p text is no target.
  static std::optional<BundleTarget> parse(std::string_view text);
};

/// Throws UnsupportedOnTarget, because no image of \p images suits \p device, such as "an NVIDIA
/// H200 (cuda:0)". \p hint says what to compile.
[[noreturn]] void refuseBundle(const std::vector<BundleImage> &images, const std::string &device,
                               const std::string &hint);

} // namespace spl::detail

#endif
