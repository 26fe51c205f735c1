// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the targets of a bundle's images mean, and the error where none of them suits a device. Each
// backend chooses among them itself (chooseForGpu, chooseForCpu).
#ifndef SPL_RUNTIME_LAUNCH_BUNDLETARGET_H
#define SPL_RUNTIME_LAUNCH_BUNDLETARGET_H

#include "spl/Bundle.h"

#include <optional>
#include <string_view>

namespace spl::detail {

/// The levels of the CPU, the least first.
inline constexpr std::string_view cpuLevels[] = {
#define SPL_CPU_LEVEL(NAME) NAME,
#include "spl/CpuLevels.def"
};

/// What the target of an image says.
struct BundleTarget {
  int capability = 0;   ///< of sm_90 and sm_90a 90; 0 for the CPU
  bool isExact = false; ///< sm_90a: no other capability runs it
  int level = -1;       ///< of the CPU: the index in cpuLevels

  bool isCpu() const { return capability == 0; }

  /// Nothing for what is no target.
  static std::optional<BundleTarget> parse(std::string_view text);
};

/// Throws UnsupportedOnTarget: no image of \p images suits \p device, "an NVIDIA H200 (cuda:0)";
/// \p hint is what to compile besides.
[[noreturn]] void refuseBundle(const std::vector<BundleImage> &images, const std::string &device,
                               const std::string &hint);

} // namespace spl::detail

#endif
