// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the work-items a caller asks for to the groups a device runs.
#ifndef SPL_RUNTIME_LAUNCH_GEOMETRY_H
#define SPL_RUNTIME_LAUNCH_GEOMETRY_H

#include "runtime/backends/BackendContext.h"
#include "spl/Launch.h"
#include "spl/Signature.h"

#include <optional>
#include <string>

namespace spl::detail {

/// The geometry of \p config, or nothing if it has no work-items. Throws LaunchRefused, naming the
/// limit, for what no device of these limits can run and for a group size that is not the kernel's
/// own, InvalidArgument for a negative number or a missing global.
std::optional<Geometry> geometryOf(const LaunchConfig &config, const DeviceLimits &limits,
                                   const Signature &kernel);

} // namespace spl::detail

#endif
