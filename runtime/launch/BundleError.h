// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The error for a bundle without an image for a device. Each backend chooses an image itself.
#ifndef SPL_RUNTIME_LAUNCH_BUNDLEERROR_H
#define SPL_RUNTIME_LAUNCH_BUNDLEERROR_H

#include "spl/Bundle.h"

#include <string>
#include <vector>

namespace spl::detail {

/// Throws UnsupportedOnTarget, because no image of \p images suits \p device, such as "an NVIDIA
/// H200 (cuda:0)". \p hint says what to compile.
[[noreturn]] void refuseBundle(const std::vector<BundleImage> &images, const std::string &device,
                               const std::string &hint);

} // namespace spl::detail

#endif
