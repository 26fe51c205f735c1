// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the C interface says in text and numbers where C++ has types: backends, element types,
// shapes. Anything that means nothing is Error{InvalidArgument}.
#ifndef SPL_RUNTIME_C_TEXT_H
#define SPL_RUNTIME_C_TEXT_H

#include "spl/Device.h"
#include "spl/ElementType.h"
#include "spl/Shape.h"

#include <cstdint>

struct spl_device_info;

namespace spl::capi {

/// The backend called \p name, "auto" among the names.
Backend backendNamed(const char *name);

/// The element type that \p text is in the language, with its definitions before it; or
/// "bytes(SIZE, ALIGN)".
ElementType elementNamed(const char *text);

Shape shapeOf(std::int32_t rank, const std::int64_t *extents);

void write(const DeviceInfo &device, spl_device_info *info);

} // namespace spl::capi

#endif
