// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Shape.h"

#include "spl/Error.h"

namespace spl {

template <std::size_t Max> Extents<Max> Extents<Max>::of(std::span<const std::int64_t> extents) {
  if (extents.empty() || extents.size() > Max)
    throw Error({.code = ErrorCode::InvalidArgument,
                 .message = "1 to " + std::to_string(Max) + " extents are possible; got " +
                            std::to_string(extents.size())});
  Extents result;
  result.count = extents.size();
  for (std::size_t axis = 0; axis < extents.size(); ++axis)
    result.axes[axis] = extents[axis];
  return result;
}

template <std::size_t Max> std::string Extents<Max>::str() const {
  std::string text;
  for (std::int64_t extent : *this)
    text += (text.empty() ? "" : " x ") + std::to_string(extent);
  return text;
}

template class Extents<3>;
template class Extents<4>;

} // namespace spl
