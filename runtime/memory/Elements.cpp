// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/Elements.h"

#include "spl/Error.h"
#include "spl/abi/Limits.h"

#include <string>

namespace spl::detail {

std::int64_t elementCount(const ElementType &element, const Shape &shape) {
  auto refuse = [&](const std::string &why) {
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "an array of " + element.str() + " cannot have the shape " +
                            (shape.rank() ? shape.str() : "()") + ": " + why});
  };
  if (shape.rank() == 0)
    refuse("it needs at least one extent");
  bool empty = false;
  for (std::int64_t extent : shape) {
    if (extent < 0)
      refuse("an extent is negative");
    if (extent > abi::maxExtent) // compiled code counts on it of arrays without elements too
      refuse("an extent above 2^60 - 1 does not fit the address space");
    empty |= extent == 0;
  }
  if (empty)
    return 0;
  std::int64_t count = 1, bytes = 0;
  bool overflow = false;
  for (std::int64_t extent : shape)
    overflow |= __builtin_mul_overflow(count, extent, &count);
  overflow |= __builtin_mul_overflow(count, static_cast<std::int64_t>(element.size()), &bytes);
  if (overflow)
    refuse("its size in bytes does not fit in 63 bits");
  return count;
}

} // namespace spl::detail
