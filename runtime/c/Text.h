// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts the texts and numbers of the C interface to C++ types: backends, element types and
// shapes. Throws InvalidArgument for an unknown text or number.
#ifndef SPL_RUNTIME_C_TEXT_H
#define SPL_RUNTIME_C_TEXT_H

#include "spl/Device.h"
#include "spl/ElementType.h"
#include "spl/Shape.h"

#include <cstdint>

struct spl_device_info;

namespace spl::capi {

/// The backend called \p name. "auto" is the first backend that is available.
Backend backendNamed(const char *name);

/// The element type for \p text. The text is the type in the language, after its definitions, or
/// "bytes(SIZE, ALIGN)".
ElementType elementNamed(const char *text);

Shape shapeOf(std::int32_t rank, const std::int64_t *extents);

void write(const DeviceInfo &device, spl_device_info *info);

} // namespace spl::capi

#endif
