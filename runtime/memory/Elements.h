// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The number of elements of an array.
#ifndef SPL_RUNTIME_MEMORY_ELEMENTS_H
#define SPL_RUNTIME_MEMORY_ELEMENTS_H

#include "spl/ElementType.h"
#include "spl/Shape.h"

#include <cstdint>

namespace spl::detail {

/// Returns the number of elements of an array of \p shape. Throws InvalidArgument for a shape
/// without extents, for an extent that is negative or above 2^60 - 1, and if the bytes do not fit
/// the address space.
std::int64_t elementCount(const ElementType &element, const Shape &shape);

} // namespace spl::detail

#endif
