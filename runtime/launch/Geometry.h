// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes the groups of a launch from its work-items.
#ifndef SPL_RUNTIME_LAUNCH_GEOMETRY_H
#define SPL_RUNTIME_LAUNCH_GEOMETRY_H

#include "runtime/backends/BackendContext.h"
#include "spl/Launch.h"
#include "spl/Signature.h"

#include <optional>
#include <string>

namespace spl::detail {

/// The geometry of \p config; nothing if it has no work-items. Throws LaunchRefused, with the
/// limit, for a geometry beyond \p limits and for a group size other than the kernel's fixed one.
/// Throws InvalidArgument for a negative number or a missing global.
std::optional<Geometry> geometryOf(const LaunchConfig &config, const DeviceLimits &limits,
                                   const Signature &kernel);

} // namespace spl::detail

#endif
