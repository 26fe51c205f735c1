// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How many elements an array has.
#ifndef SPL_RUNTIME_MEMORY_ELEMENTS_H
#define SPL_RUNTIME_MEMORY_ELEMENTS_H

#include "spl/ElementType.h"
#include "spl/Shape.h"

#include <cstdint>

namespace spl::detail {

/// The number of elements of an array of \p shape. Throws InvalidArgument for a shape without
/// extents or with negative ones or some above 2^60 - 1, and where the bytes do not fit the address
/// space.
std::int64_t elementCount(const ElementType &element, const Shape &shape);

} // namespace spl::detail

#endif
